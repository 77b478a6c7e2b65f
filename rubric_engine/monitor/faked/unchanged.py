"""Results that were handed in, and that the run did not make."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rubric_engine.monitor.finding import Draft
from rubric_engine.monitor.outputs import Expected, expected
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.texts import SourceText

_RULE = "faked.unchanged_output"
_STOOD = "an output ({who}) that was handed in, and that the run did not touch: no result of it"
_REMOVED = (
    "an output ({who}) that was handed in, was removed {when}, and that the run did not make: no"
    " result of it"
)
_AGAIN = (
    "an output ({who}) that came out byte for byte as it was handed in; a run that is"
    " deterministic does that, and so does one that copies"
)


def unchanged_outputs(
    run: Run, reports: Iterable[SourceText], quoted: Collection[str] = ()
) -> Iterator[Draft]:
    """Outputs that were handed in, and that are as they were or that no run made again.

    Args:
        run: The run; one that was made elsewhere tells nothing of what stood there before.
        reports: What reports on the submission.
        quoted: Paths of data that was handed in whose numbers a report gives.
    """
    if run.execution.status == "declared":
        return
    for one in expected(run, reports, quoted):
        draft = _draft(run, one)
        if draft is not None:
            yield draft


def unmade(drafts: Iterable[Draft]) -> frozenset[str]:
    """The paths of outputs that were handed in and that the run did not make."""
    return frozenset(one.path for one in drafts if one.rule == _RULE and one.severity != "note")


def _draft(run: Run, one: Expected) -> Draft | None:
    path, execution = one.file.path, run.execution
    if path in run.made or path in execution.rewritten:
        if path not in execution.rewritten and not _came_again(run, one):
            return None
        return Draft(_RULE, "note", "executed", path, None, path, _AGAIN.format(who=one.who))
    if path in execution.removed_before or path in execution.deleted:
        when = "before the run" if path in execution.removed_before else "by the run"
        says = _REMOVED.format(who=one.who, when=when)
        return Draft(_RULE, "suspicious", "submission", path, None, path, says)
    if _is_there(run, one):
        says = _STOOD.format(who=one.who)
        return Draft(_RULE, "suspicious", "executed", path, None, path, says)
    return None


def _came_again(run: Run, one: Expected) -> bool:
    return one.file.path in run.execution.copied and _is_there(run, one)


def _is_there(run: Run, one: Expected) -> bool:
    """Whether the run left the file with the content that was handed in."""
    if run.executed is None or one.file.sha256 is None:
        return False
    left = run.executed.files.readable.get(one.file.path)
    return left is not None and left.sha256 == one.file.sha256
