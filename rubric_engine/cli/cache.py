"""`rubric-engine cache`: the ledger of calls that were paid for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.ledger import Info, Spent

app = typer.Typer(
    help="The ledger of calls that were paid for.", no_args_is_help=True, rich_markup_mode=None
)

Runs = Annotated[Path | None, typer.Option(help="Folder of runs, where the ledger lies.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback()
def _cache() -> None:
    """The ledger of calls that were paid for."""


@app.command("info")
def info(runs: Runs = None, as_json: Json = False) -> None:
    """Say what the ledger holds, and what its calls have cost."""
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.ledger import Ledger

    place = _place(runs)
    with Ledger.open(place) as ledger:
        held, spent = ledger.info(), ledger.spent()
    if as_json:
        print_json({"ok": True, "ledger": str(place), **_plain(held, spent), "exit_code": 0})
    else:
        show(*_lines(place, held, spent))


@app.command("prune")
def prune(
    older_than: Annotated[
        float | None,
        typer.Option(help="Only calls that are older.", metavar="DAYS", min=0, max=36500),
    ] = None,
    runs: Runs = None,
    as_json: Json = False,
) -> None:
    """Remove calls that no run in the folder refers to."""
    from datetime import timedelta

    from rubric_engine.cli.output import print_json, say
    from rubric_engine.ledger import Ledger

    place = _place(runs)
    age = None if older_than is None else timedelta(days=older_than)
    keep = {entry.name for entry in place.parent.iterdir() if entry.is_dir()}
    with Ledger.open(place) as ledger:
        gone = ledger.prune(age, keep)
    if as_json:
        print_json({"ok": True, "ledger": str(place), "removed": asdict(gone), "exit_code": 0})
    else:
        say(
            f"removed {gone.entries:,} calls and {gone.texts:,} texts of prompts, "
            f"{gone.bytes:,} bytes; calls of the runs in {place.parent} stay"
        )


def _place(runs: Path | None) -> Path:
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.connection import LEDGER
    from rubric_engine.errors import RunError

    places = [base / LEDGER for base in run_bases(runs)]
    for place in places:
        if place.is_file():
            return place
    raise RunError(
        "no ledger: no judge has asked a model yet",
        code="E529",
        looked=[f"looked for {place}" for place in places],
        fix=["rubric-engine cache info --runs DIR"],
    )


def _plain(held: Info, spent: Spent) -> dict[str, Any]:
    oldest = held.oldest.isoformat() if held.oldest else None
    return {
        "calls": held.entries,
        "texts": held.texts,
        "bytes": held.bytes,
        "oldest": oldest,
        "by_model": held.by_model,
        "spent": asdict(spent) | {"usage": spent.usage.model_dump()},
    }


def _lines(place: Path, held: Info, spent: Spent) -> Iterator[str]:
    from rubric_engine.cli.costs import uncounted
    from rubric_engine.cli.output import printable

    oldest = f", the oldest of {held.oldest:%Y-%m-%d}" if held.oldest else ""
    yield f"ledger  {printable(str(place))}, {held.bytes:,} bytes"
    yield f"calls   {held.entries:,}{oldest}; {held.texts:,} texts of prompts"
    for model, count in held.by_model.items():
        yield f"        {count:,} of {printable(model)}"
    read = f"{spent.usage.input_tokens:,} in ({spent.usage.cached_tokens:,} cached)"
    yield f"tokens  {read}, {spent.usage.output_tokens:,} out, in {spent.attempts:,} requests"
    if spent.attempts > spent.unpriced:
        yield f"cost    ${spent.dollars:.2f}"
    if spent.uncounted:
        yield f"        of which {uncounted(_blind(spent))}"
    if spent.unpriced:
        yield f"        {spent.unpriced:,} requests are unpriced"


def _blind(spent: Spent) -> dict[str, float]:
    """The attempts whose usage is unknown, as a report's cost names them."""
    dollars = {"uncounted_usd": spent.uncounted_dollars} if spent.attempts > spent.unpriced else {}
    return {
        "uncounted_attempts": spent.uncounted,
        "uncounted_tokens": spent.uncounted_tokens,
        **dollars,
    }
