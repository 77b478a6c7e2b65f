"""Outputs that nobody wrote, as far as anybody saw."""

from __future__ import annotations

from collections.abc import Iterator

from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.run import Run

_NOBODY = "an output in the executed folder that neither was handed in nor did the run make"
_DECLARED = (
    "the run was made elsewhere and is taken at its word: nobody saw which of its outputs it wrote"
)


def written_by_nobody(run: Run) -> Iterator[Draft]:
    """Outputs that neither were handed in nor were made by the run."""
    rule = "faked.nobody_wrote"
    if run.execution.status == "declared":
        if run.outputs:
            first = run.outputs[0].path
            yield Draft(rule, "note", "executed", first, None, first, _DECLARED)
        return
    for file in run.outputs:
        if file.path not in run.made and file.path not in run.handed_in.files:
            yield Draft(rule, "suspicious", "executed", file.path, None, file.path, _NOBODY)
