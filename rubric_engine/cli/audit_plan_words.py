"""The plan of an audit for a person, and as one document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.going_on import name_of
from rubric_engine.cli.output import counted, fill, leaves, points, printable, table
from rubric_engine.judgeeval.audit.sampling import CERTAIN
from rubric_engine.judgeeval.audit.verdict_beta import FEW
from rubric_engine.submission_names import called_in

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval.auditing import AuditedRun
    from rubric_engine.judgeeval.planned_audit import PlannedAudit

ADVISED = 40
"""Labels for an interval to rely on."""


def plan_lines(made: PlannedAudit, *, own_place: bool) -> Iterator[str | Table]:
    """What to label of one run, blind.

    Args:
        made: The plan.
        own_place: Whether it lies where `audit score` looks for it.
    """
    run = made.runs[0]
    yield drawn_line(made)
    yield ""
    yield _leaves_table(run, made.leaves[run.name])
    yield ""
    yield from expectation(made)
    name, sha = submission_of(run)
    yield f"open     the folder of the submission: {name}, sha {sha}"
    yield f"plan     {printable(str(made.file))}"
    yield f"labels   {printable(str(made.sheet))}"
    yield from how_to_label()
    more = "" if own_place else f" --plan {printable(str(made.file))}"
    yield f"next     rubric-engine audit score {printable(name_of(run.path))}{more}"


def submission_of(run: AuditedRun) -> tuple[str, str]:
    """The submission that the annotator opens: its name, and the start of its hash."""
    name = called_in(run.report.provenance)
    return printable(name or "-"), printable((run.submission or "-")[:8])


def how_to_label() -> Iterator[str]:
    """What the annotator does with the lines."""
    yield "         write met or not_met as the verdict of each line, by the submission"
    yield "         alone: who has seen a grade is no longer a judge of it"


def drawn_line(made: PlannedAudit) -> str:
    """How many leaves are to be labelled, of how many."""
    over = f" of {len(made.runs)} runs" if len(made.runs) > 1 else ""
    if made.drawn == made.of:
        return f"all {leaves(made.of)} with worth{over} are to be labelled"
    how = f"drawn in proportion to worth, seed {made.plan.seed}"
    return f"{made.drawn} of {leaves(made.of)}{over} to label, {how}"


def drawn_notes(made: PlannedAudit) -> Iterator[str]:
    """Why other leaves are drawn than were asked for, and which chance had no part in."""
    if made.drawn == made.of:
        return
    plan = made.plan
    if made.drawn != plan.labels:
        yield f"{plan.labels} asked for: a group that is drawn as one brings all its leaves"
    sure = [leaf for leaf in plan.drawn if plan.chance[leaf] >= CERTAIN]
    if sure:
        worth = points(100 * math.fsum(plan.worth[leaf] for leaf in sure))
        yield f"{len(sure)} drawn with chance 1, for their worth: {worth} points of 100"


def _leaves_table(run: AuditedRun, keys: tuple[str, ...]) -> Table:
    rubric = run.report.rubric
    rows = [
        [
            printable(key, 36),
            printable(rubric[key].task_category or "", 24),
            printable(rubric[key].requirements),
        ]
        for key in keys
    ]
    return fill(table("<key", "<category", "<requirement", wide="requirement"), rows, wide=2)


def expectation(made: PlannedAudit) -> Iterator[str]:
    """How wide the interval is to be, and what to know of the draw."""
    if made.drawn == made.of:
        yield "expect   the exact score: nothing is left unseen"
    else:
        yield f"expect   about ± {made.half_width:.2f} around the audited score"
        yield from (f"         {text}" for text in drawn_notes(made))
        if made.plan.labels < FEW:
            yield (
                f"warning  below {FEW} labels the interval may hold the truth less often than it"
                f" says; {ADVISED} are advised"
            )
        elif made.plan.labels < ADVISED:
            yield f"note     {ADVISED} labels or more are advised"
    yield from (f"note     {text}" for text in notes(made.runs))


def notes(runs: Sequence[AuditedRun]) -> Iterator[str]:
    """What makes scores of runs other than weighted means of graded leaves; alike ones as one."""
    alike = Counter(text for run in runs for text in _notes(run))
    for text, count in alike.items():
        yield text if len(runs) == 1 else f"in {counted(count, 'run')}: {text}"


def _notes(run: AuditedRun) -> Iterator[str]:
    category = run.report.provenance.get("category")
    if isinstance(category, str):
        yield f"only {printable(category)} was graded, and the score is of that"
    groups = [part for part, held in run.frame.leaves.items() if held != (part,)]
    if groups:
        more = f", and so {'is' if len(groups) == 2 else 'are'} {len(groups) - 1} more"
        yield (
            f"{printable(groups[0])} is no weighted mean: it is drawn as one, with all its leaves"
            + (more if groups[1:] else "")
        )
    if run.set_aside:
        yield (
            f"{leaves(run.set_aside)} of which the judge says that they do not apply count as"
            " without a grade: the labels decide"
        )


def plan_document(made: PlannedAudit) -> dict[str, Any]:
    """The one JSON document of a plan."""
    exact = made.drawn == made.of
    return {
        "ok": True,
        "plan": str(made.file),
        "labels": str(made.sheet),
        "seed": made.plan.seed,
        "asked": made.plan.labels,
        "leaves": {"drawn": made.drawn, "of": made.of},
        "half_width": 0.0 if exact else made.half_width,
        "runs": [
            {
                "name": run.name,
                "run": str(run.path),
                "submission": run.mark,
                "drawn": list(made.leaves[run.name]),
            }
            for run in made.runs
        ],
        "warnings": [] if exact or made.plan.labels >= FEW else [f"fewer than {FEW} labels"],
        "exit_code": 0,
    }
