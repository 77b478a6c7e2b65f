"""What a labeller cannot see of a run of `reproduce.sh`, and which option brings it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from rubric_engine.case import Case

_RUN = (
    "`rubric-engine reproduce SUBMISSION -o DIR` runs it, and `label serve DIR --plan LABELS` goes "
    "on in the folder of these labels"
)


def lacking(case: Case, *, of_a_run: bool = False) -> tuple[tuple[str, str], ...]:
    """What is missing, and what brings it.

    Args:
        case: What there is to read.
        of_a_run: Whether it is what a graded run kept, which no option changes.
    """
    return tuple(_lacking(case, of_a_run))


def _lacking(case: Case, of_a_run: bool) -> Iterator[tuple[str, str]]:
    ran = case.execution
    if ran is None and of_a_run:
        why = "No results and no log: this run was graded without running reproduce.sh."
        yield why, "`grade --sandbox docker` runs it first."
    elif ran is None:
        why = "No results and no log: nothing says that this submission was run."
        yield why, f"`--executed --log FILE` says so of a run made elsewhere; {_RUN}."
    else:
        if not (ran.created or ran.modified):
            told = "no file looks like one" if ran.status == "declared" else "the run left none"
            yield f"No results: {told}.", ""
        if ran.log is None:
            yield "No log of the run.", "" if of_a_run else "`--log FILE` shows it."
