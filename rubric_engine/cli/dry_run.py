"""`grade --dry-run` for a person and for a program: what a grading would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import (
    counted,
    fill,
    leaves,
    percent,
    points,
    print_json,
    printable,
    show,
    table,
)
from rubric_engine.spending.dollars import UNPRICED, show_dollars, show_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from rubric_engine.dry_run import Foresight, Priced
    from rubric_engine.spending import ForecastRow


def print_foresight(foresight: Foresight, *, as_json: bool, remark: str = "") -> None:
    """Print what a grading would take, and a remark on the judge, to stdout."""
    if as_json:
        print_json(_document(foresight) | {"note": remark})
        return
    for priced in foresight.priced:
        if len(foresight.priced) > 1:
            show(f"judge  {printable(priced.who)}")
        show(_heading(priced), "")
        if priced.forecast.total.calls:
            show(_table(priced), "")
        elif len(foresight.priced) > 1:
            show("nothing that is not on record, or asked by a judge above", "")
    if remark:
        show(printable(remark))
    show(*_closing(foresight))


def amount(low: float | None, high: float | None) -> str:
    """Dollars from low to high, the high end rounded up; in words where one end is unknown."""
    if low is None:
        return UNPRICED
    if high is None:
        return f"{show_dollars(low)} or more"
    most = show_most(high)
    return most if show_dollars(low) == show_dollars(high) else f"{show_dollars(low)}-{most}"


def _heading(priced: Priced) -> str:
    model = printable(f"{priced.model.name} at {priced.model.base_url}")
    price = priced.source or "no price is known"
    spare = "\nfrom none to all: judges asked before may settle some leaves" if priced.spare else ""
    return f"model  {model}   {price}\n{priced.counted}{spare}"


def _table(priced: Priced) -> Table:
    found = priced.forecast
    named = [(printable(name, 16), row) for name, row in found.categories.items()]
    if len(named) != 1:
        named.append(("all", found.total))
    rows = [_row(name, row, spare=priced.spare) for name, row in named]
    heads = ("calls", "tokens in", "cached", "tokens out", "dollars", "points")
    return fill(table("<category", *heads), rows)


def call_range(least: int, most: int) -> str:
    """How many calls, such as `6 calls` or `1-10 calls`."""
    return counted(most, "call") if least == most else f"{least:,}-{counted(most, 'call')}"


def _row(name: str, row: ForecastRow, *, spare: bool) -> list[str]:
    """Cells of a row; of calls that may not be made, the least is none."""
    tokens = f"{row.input_tokens:,}", percent(row.cached_share), f"{row.output_tokens:,}"
    calls = f"0-{row.calls:,}" if spare else f"{row.calls:,}"
    low = 0.0 if spare and row.low is not None else row.low
    return [name, calls, *tokens, amount(low, row.high), points(row.points)]


def _closing(foresight: Foresight) -> Iterator[str]:
    if not foresight.priced and not foresight.unforeseen:
        yield "this judge asks no model"
    for config in foresight.unforeseen:
        yield printable(
            f"what {config.name} at {config.base_url} will be asked nobody can tell before: the"
            " judge that asks it is not the engine's own"
        )
    if foresight.least_calls != foresight.calls or len(foresight.priced) > 1:
        calls = call_range(foresight.least_calls, foresight.calls)
        yield f"in all {calls}   {amount(foresight.low, foresight.high)}"
    if foresight.paid:
        yield f"{leaves(foresight.paid)} answered already: on record, and free"
    if foresight.rankings:
        yield (
            f"calls that rank files first: {foresight.rankings}; the others are priced with the"
            " files that share most words with the criteria"
        )
    if foresight.waiting:
        worth = points(foresight.waiting_points)
        yield (
            f"{leaves(foresight.waiting)} ({worth} points) not priced: they wait for a run of"
            " reproduce.sh (--sandbox, --executed)"
        )
    yield "Nothing was sent."


def _document(foresight: Foresight) -> dict[str, Any]:
    return {
        "ok": True,
        "dry_run": True,
        "calls": foresight.calls,
        "least_calls": foresight.least_calls,
        "ranking_calls": foresight.rankings,
        "usd": {"low": foresight.low, "high": foresight.high},
        "unpriced": foresight.unpriced,
        "unforeseen": [config.name for config in foresight.unforeseen],
        "replayed": foresight.paid,
        "waiting": {"leaves": foresight.waiting, "points": foresight.waiting_points},
        "models": [_model_document(priced) for priced in foresight.priced],
        "exit_code": 0,
    }


def _model_document(priced: Priced) -> dict[str, Any]:
    found = priced.forecast
    return {
        "judge": priced.judge,
        "member_of": priced.member_of or None,
        "model": priced.model.name,
        "base_url": priced.model.base_url,
        "price": priced.source,
        "counted": priced.counted,
        "spare": priced.spare,
        "categories": [
            {"category": name} | _row_document(row) for name, row in found.categories.items()
        ],
        "total": _row_document(found.total),
    }


def _row_document(row: ForecastRow) -> dict[str, Any]:
    return {
        "calls": row.calls,
        "input_tokens": row.input_tokens,
        "cached_tokens": row.cached_tokens,
        "output_tokens": row.output_tokens,
        "usd": {"low": row.low, "high": row.high},
        "points": row.points,
    }
