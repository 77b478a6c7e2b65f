"""Declared outputs that stood there before the run and did not change."""

from __future__ import annotations

from collections.abc import Iterator

from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.run import Run

_STOOD = "a declared output that was handed in, and that the run did not touch: no result of it"
_AGAIN = (
    "a declared output that came out byte for byte as it was handed in; a run that is deterministic"
    " does that, and so does one that copies"
)


def unchanged_outputs(run: Run) -> Iterator[Draft]:
    """Outputs that are as they were handed in, where the task declares outputs."""
    if not run.task.outputs or run.execution.status == "declared":
        return
    for file in run.outputs:
        before = run.handed_in.files.readable.get(file.path)
        if before is None or before.sha256 is None or before.sha256 != file.sha256:
            continue
        rule = "faked.unchanged_output"
        if file.path not in run.made:
            yield Draft(rule, "suspicious", "executed", file.path, None, file.path, _STOOD)
        elif file.path in run.execution.copied:
            yield Draft(rule, "note", "executed", file.path, None, file.path, _AGAIN)
