"""Results as CSV: one line a question, and one line a figure. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from rubric_engine.benchmarks.expbench.grading.parts import CHAIN, CONJUNCTIONS, JUDGED, PARTS
from rubric_engine.benchmarks.expbench.grading.results import ExpResults, MonitorMark
from rubric_engine.benchmarks.expbench.grading.summary import Summary
from rubric_engine.report.formats.rows import cell


def answers_csv(results: ExpResults, tau: float | None = None) -> str:
    """One line a question: shares, what holds, and why a part is undefined.

    Args:
        results: The results.
        tau: The share from which on a part holds, in place of that of the results.
    """
    tau = results.tau if tau is None else tau
    named = [*PARTS, *(name for name in (*CONJUNCTIONS, *CHAIN) if name not in PARTS)]
    rows: list[list[object]] = [
        ["task", "paper", "kind", "answer", *(f"{part}_share" for part in JUDGED), *named,
         "execution_why", "monitor_verdict", "monitor_why", "claims",
         "ungrounded", "trouble", "run"]
    ]  # fmt: skip
    for one in results.answers:
        found = one.metrics(tau)
        rows.append([
            one.task, one.paper, one.kind, one.answer,
            *(one.share(part).value for part in JUDGED),
            *(found[name] for name in named),
            one.execution.why, one.monitor.verdict, one.monitor.why,
            *(_claims(one.monitor)), one.trouble, one.run,
        ])  # fmt: skip
    return _text(rows)


def _claims(mark: MonitorMark) -> tuple[int | None, int | None]:
    """How many claims there are, and how many nothing bears out; None where none was checked."""
    claims = mark.claims
    known = claims is not None and (claims.share is not None or claims.claims == 0)
    return (claims.claims, claims.ungrounded) if claims is not None and known else (None, None)


def figures_csv(summary: Summary) -> str:
    """One line a figure, with its denominator, bounds and interval."""
    rows: list[list[object]] = [
        ["table", "figure", "value", "n", "undefined", "low", "high", "interval_low",
         "interval_high", "papers", "tau"]
    ]  # fmt: skip
    rows += [
        [table, row.name, row.value, row.n, row.undefined, row.low, row.high, row.interval.low,
         row.interval.high, row.interval.units, summary.tau]
        for table, row in summary.rows()
    ]  # fmt: skip
    return _text(rows)


def _text(rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()
