"""A scored audit for a person, and as one document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.audit_plan_words import drawn_notes, notes
from rubric_engine.cli.output import counted, leaves, percent, printable

if TYPE_CHECKING:
    from rubric_engine.judgeeval.audit.rogan_gladen import Transported
    from rubric_engine.judgeeval.audit.verdict_beta import AuditedScore
    from rubric_engine.judgeeval.auditing import AuditedRun
    from rubric_engine.judgeeval.planned_audit import ScoredAudit


def score_lines(
    found: ScoredAudit, elsewhere: Transported | None, results: Sequence[str]
) -> Iterator[str]:
    """What the labels give for one run.

    Args:
        found: The scored audit.
        elsewhere: The correction by rates from elsewhere, where it was asked for.
        results: Where those rates come from.
    """
    yield headline(found.score)
    yield ""
    yield from evidence_lines(found)
    yield from judge_lines(found)
    if elsewhere is not None:
        yield from _elsewhere_lines(elsewhere, results)
    yield from told_lines(found)


def headline(score: AuditedScore) -> str:
    """The judge's score beside the audited one."""
    digits = _digits(score.error)
    judge = f"{score.judged_low:.{digits}f}"
    if score.judged_high - score.judged_low > 1e-9:
        judge += f" to {score.judged_high:.{digits}f}"
    ends = f" [{score.low:.{digits}f}, {score.high:.{digits}f}]" if score.high > score.low else ""
    return f"{judge} judge, {score.value:.{digits}f}{ends} audited"


def _digits(error: float) -> int:
    """Two decimals, or as many more as the error has zeros."""
    return 2 if error < 1e-9 else min(max(2, math.ceil(-math.log10(error))), 6)


def evidence_lines(found: ScoredAudit) -> Iterator[str]:
    """What the audited score rests on, and the other estimator beside it."""
    score, digits = found.score, _digits(found.score.error)
    yield f"labels      {found.drawn} of {leaves(found.of)}, seed {found.plan.seed}"
    yield from (f"            {text}" for text in drawn_notes(found))
    yield f"            {printable(str(found.labels))}"
    if score.high > score.low:
        yield f"interval    {100 * score.level:g}% verdict-Beta interval"
    else:
        yield "interval    none: every leaf with worth is labelled"
    other = score.difference
    ends = (
        ""
        if other.low is None or other.high is None or other.low == other.high
        else f" [{other.low:.{digits}f}, {other.high:.{digits}f}]"
    )
    cut = "" if other.clipped == other.value else f"; cut at 0 and 1: {other.clipped:.{digits}f}"
    yield f"difference  {other.value:.{digits}f}{ends} by the difference estimator{cut}"


def judge_lines(found: ScoredAudit) -> Iterator[str]:
    """Whose grades they are, and how much of the worth they cover."""
    for name, model, mark in dict.fromkeys(map(judge_of, found.runs)):
        called = f"{name} {model}" if model else name
        yield f"judge       {printable(called)}   sha {printable(mark[:8])}"
    count = sum(len(run.report.rubric.leaves()) for run in found.runs)
    graded = sum(run.report.statuses["graded"] for run in found.runs)
    yield f"graded      {graded} of {leaves(count)}, {percent(found.coverage)} of the worth"


def judge_of(run: AuditedRun) -> tuple[str, str | None, str]:
    """Name, model and fingerprint of a run's judge."""
    judge = run.report.provenance.get("judge", {})
    card = judge.get("card")
    model = card.get("model") if isinstance(card, dict) else None
    named = model.get("name") if isinstance(model, dict) else None
    known = str(named) if named is not None else None
    return str(judge.get("name")), known, str(judge.get("fingerprint"))


def _elsewhere_lines(elsewhere: Transported, results: Sequence[str]) -> Iterator[str]:
    if elsewhere.value is None:
        yield "transport   refused: error rates of other submissions do not correct this score"
        yield from (f"            {printable(why)}" for why in elsewhere.refused)
        if elsewhere.raw is not None:
            yield f"            (the formula alone would give {elsewhere.raw:.2f})"
        return
    yield (
        f"transport   {elsewhere.value:.2f} [{elsewhere.low:.2f}, {elsewhere.high:.2f}] by"
        " Rogan-Gladen, if the judge errs here as it did in"
    )
    yield f"            {printable(', '.join(results))}"


def told_lines(found: ScoredAudit) -> Iterator[str]:
    """What was passed over, and what to know before believing the score."""
    if found.answers.overridden:
        lines = counted(found.answers.overridden, "line")
        yield f"note        {lines} overridden by later ones of the same leaves"
    if found.answers.ignored:
        labels = counted(found.answers.ignored, "label")
        yield f"note        {labels} of leaves that were not drawn: ignored"
    if found.answers.elsewhere:
        labels = counted(found.answers.elsewhere, "label")
        yield f"note        {labels} of other runs, by their `run`: ignored"
    if all(score is None for run in found.runs for score in run.grades.values()):
        yield "note        the judge graded nothing: the audited score is the labels' alone"
    yield from (f"note        {text}" for text in notes(found.runs))
    yield from (f"warning     {printable(text)}" for text in warnings_of(found))


def warnings_of(found: ScoredAudit) -> list[str]:
    """What speaks against believing the score."""
    count = found.answers.seen
    seen = f"{counted(count, 'label')} made with a judge's verdict in sight: the score leans to it"
    return [*found.answers.warnings, *([seen] if count else []), *found.score.warnings]


def score_document(
    found: ScoredAudit, elsewhere: Transported | None = None, results: Sequence[str] = ()
) -> dict[str, Any]:
    """The one JSON document of a scored audit; its arguments are as in `score_lines`."""
    score = found.score
    return {
        "ok": True,
        "judged": {"low": score.judged_low, "high": score.judged_high},
        "audited": {
            "value": score.value,
            "low": score.low,
            "high": score.high,
            "error": score.error,
            "level": score.level,
            "method": "verdict-Beta",
        },
        "difference": asdict(score.difference),
        "transported": asdict(elsewhere) | {"results": list(results)} if elsewhere else None,
        "labels": {
            "file": str(found.labels),
            "used": found.drawn,
            "of": found.of,
            "certain": score.certain,
            "ignored": found.answers.ignored,
            "elsewhere": found.answers.elsewhere,
            "overridden": found.answers.overridden,
            "seen": found.answers.seen,
        },
        "plan": str(found.file),
        "seed": found.plan.seed,
        "coverage": found.coverage,
        "runs": [_run_dict(run) for run in found.runs],
        "warnings": warnings_of(found),
        "exit_code": 0,
    }


def _run_dict(run: AuditedRun) -> dict[str, Any]:
    name, model, fingerprint = judge_of(run)
    return {
        "name": run.name,
        "run": str(run.path),
        "judge": {"name": name, "model": model, "fingerprint": fingerprint},
        "category": run.report.provenance.get("category"),
        "coverage": run.coverage,
        "not_applicable": run.set_aside,
    }
