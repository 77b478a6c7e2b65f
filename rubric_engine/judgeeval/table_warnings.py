"""What a reader of a table of judges should know before trusting it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rubric_engine.grading import Reason
from rubric_engine.judgeeval.case_result import CanaryCount, CaseResult
from rubric_engine.judgeeval.covering import LabelCover, all_cover
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.holes import NOBODY_TRIED, NOT_RUN
from rubric_engine.judgeeval.judge_table import LeafSet, Table
from rubric_engine.judgeeval.rows import Row, lacking
from rubric_engine.run_warnings import RunWarning

HALF = 0.5

UNRANKED = "W412"

NAMED = 3
"""How many cases a warning names."""


def doubts(table: Table) -> tuple[RunWarning, ...]:
    """The warnings of a table, each with a stable code.

    Args:
        table: What `table_of` made.
    """
    found = [warning for leaves in table.leaf_sets for warning in _of_leaf_set(leaves)]
    if len(table.leaf_sets) > 1:
        apart = "; ".join(
            ", ".join(repr(row.name) for row in leaves.judges) for leaves in table.leaf_sets
        )
        text = f"not measured on the same labelled leaves, so not ranked together: {apart}"
        found.insert(0, RunWarning("W411", text))
    return tuple(found)


def caveats(name: str, evaluation: Evaluation) -> Iterator[RunWarning]:
    """What a reader should know of one evaluation: what is missing, broken, a sample or false.

    Args:
        name: What the table calls it.
        evaluation: The evaluation.
    """
    missing = lacking(evaluation)
    if missing is not None:
        yield RunWarning(UNRANKED, f"{name} is not complete, so not ranked: {missing}")
    drawn = evaluation.sample
    if drawn is not None:
        part = f"a sample of {drawn.size:,} of {drawn.of:,} labelled leaves (seed {drawn.seed})"
        yield RunWarning("W413", f"{name} judged {part}")
    for case in evaluation.cases:
        if case.trouble:
            yield RunWarning("W414", f"{name} {_broken(evaluation, case)}")
    yield from _of_canaries(name, [case.canaries for case in evaluation.cases if case.canaries])
    for note, names in _noted(evaluation).items():
        yield RunWarning("W421", f"{name}: {note} ({_listed(names)})")


def _of_canaries(name: str, counts: Sequence[CanaryCount]) -> Iterator[RunWarning]:
    """Whether the judge met what is certainly false, and whether it was tried with such at all."""
    tried = [one for one in counts if one.graded]
    asked, graded = sum(one.asked for one in counts), sum(one.graded for one in tried)
    what = "canaries, criteria that are certainly false"
    if tripped := sum(one.met > 0 for one in tried):
        met = f"{sum(one.met for one in tried):,} of {graded:,}"
        where = f"in {tripped:,} of {len(tried):,} cases"
        yield RunWarning("W420", f"{name} calls met {met} {what}, {where}: do not trust it")
    if asked > graded:
        some = f"was not wholly tried: no grade of {asked - graded:,} of {asked:,} {what}"
        none = f"was not tried: it graded none of {asked:,} {what}"
        yield RunWarning("W423", f"{name} {some if tried else none} ({_reasons(counts)})")


def _reasons(counts: Sequence[CanaryCount]) -> str:
    """Why canaries have no grade, and how many of them."""
    found = sum((Counter(one.open) for one in counts), Counter[Reason]())
    return ", ".join(f"{reason} {number:,}" for reason, number in sorted(found.items()))


def _noted(evaluation: Evaluation) -> dict[str, list[str]]:
    """What the judge was not given, and in which cases."""
    found: dict[str, list[str]] = {}
    for case in evaluation.cases:
        for note in case.notes:
            found.setdefault(note, []).append(case.name)
    return found


def _listed(names: Sequence[str]) -> str:
    """Names in quotes, the first few."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(repr, names[:NAMED])) + more


def label_doubts(labels: Mapping[str, LabelCover]) -> Iterator[RunWarning]:
    """Which labels cover only part of the rubrics, so that figures speak of the rest only.

    Args:
        labels: How much of each case's rubric has labels.
    """
    part = {name: one for name, one in labels.items() if not one.complete}
    if not part:
        return
    whole = all_cover(labels)
    worth = "" if whole.worth is None else f", {whole.worth:.1%} of the worth"
    each = [f"{name!r} {one.labelled:,} of {one.leaves:,}" for name, one in part.items()]
    more = f" and {len(each) - NAMED} more" if len(each) > NAMED else ""
    text = (
        f"labels cover {whole.labelled:,} of {whole.leaves:,} leaves{worth}; figures are of these"
        f" only, and no root score is known where some lack: {', '.join(each[:NAMED])}{more}"
    )
    yield RunWarning("W419", text)


def _broken(evaluation: Evaluation, case: CaseResult) -> str:
    open_ = sum(
        leaf.case == case.name and leaf.label is not None and leaf.score is None
        for leaf in evaluation.leaves
    )
    counted = f"; {open_:,} leaves without a grade count as wrong" if open_ else ""
    return f"had trouble on {case.name!r}: {case.trouble}{counted}"


def _of_leaf_set(leaves: LeafSet) -> Iterator[RunWarning]:
    for row in leaves.judges:
        if row.evaluation is not None:
            yield from caveats(row.name, row.evaluation)
        yield from _not_run(row)
        if row.agreement.pooled.graded.constant_judge:
            yield RunWarning("W417", f"{row.name} says the same of every leaf that it graded")
    yield from label_doubts(leaves.labels)
    yield from _of_labels(leaves)
    yield from _beaten(leaves)


def _not_run(row: Row) -> Iterator[RunWarning]:
    """Leaves that a sandbox would have let the judge grade; where one was used, none would."""
    hole = row.holes.get(NOT_RUN)
    if hole is None or row.evaluation is None or row.evaluation.sandbox is not None:
        return
    text = (
        f"{row.name}: {hole.leaves:,} leaves ({hole.worth:.1%} of the worth) have no grade because"
        " reproduce.sh was not run: judgeeval run --sandbox local, or docker"
    )
    yield RunWarning("W422", text)


def _of_labels(leaves: LeafSet) -> Iterator[RunWarning]:
    any_row = leaves.baselines[0].agreement
    total = any_row.pooled.coverage.labelled
    for name, part in any_row.submissions.items():
        share = part.coverage.labelled / total if total else 0.0
        if share > HALF and len(any_row.submissions) > 1:
            text = (
                f"{name} holds {share:.0%} of the leaves, so pooled figures are mostly about it;"
                " the mean counts every submission once"
            )
            yield RunWarning("W415", text)
    if not total:
        yield RunWarning("W418", "no leaf has a label, so nothing is measured")
    elif any_row.pooled.headline.degenerate:
        yield RunWarning("W418", "all labels are of one class: macro F1 says little here")


def _beaten(leaves: LeafSet) -> Iterator[RunWarning]:
    """Judges that something without a model is as good as."""
    best = max(leaves.baselines, key=lambda row: -1.0 if row.f1 is None else row.f1)
    for row in leaves.judges:
        if row.rank is None or row.f1 is None or best.f1 is None or row.f1 > best.f1:
            continue
        if _explained(row, best.f1):
            continue
        text = f"{row.name} is no better than {best.name!r}, which needs no model"
        yield RunWarning("W416", f"{text} (macro F1 {row.f1:.2f} against {best.f1:.2f})")


def _explained(row: Row, f1: float) -> bool:
    """Whether only what nobody tried to grade keeps a judge from being better than this."""
    without = row.agreement.pooled.graded.f1
    return bool(row.holes) and row.holes.keys() <= NOBODY_TRIED and (without or 0.0) > f1
