"""`rubric-engine cache`: what is kept so that nothing is paid for, or run, twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from datetime import timedelta

    from rubric_engine.ledger import Info, Pruned, Spent

app = typer.Typer(
    help="What is kept so that nothing is paid for, or run, twice.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Runs = Annotated[Path | None, typer.Option(help="Folder of runs, where the ledger lies.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback()
def _cache() -> None:
    """What is kept so that nothing is paid for, or run, twice."""


@app.command("info")
def info(runs: Runs = None, as_json: Json = False) -> None:
    """Say what the ledger holds, and what its calls have cost."""
    from rubric_engine.cli.output import print_json, show
    from rubric_engine.ledger import LedgerReader

    place = _place(runs)
    with LedgerReader.open(place) as ledger:
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
    """Remove calls that no run in the folder refers to, and executed submissions.

    What endpoints were found to refuse is forgotten, too, and learnt anew by the next run.

    Runs keep their own copy of an executed submission; what goes is what spares the next run.
    """
    from datetime import timedelta

    from rubric_engine.cli.output import counted, print_json, say
    from rubric_engine.connection import LEDGER
    from rubric_engine.executed import STORE, Store

    base = _base(runs)
    age = None if older_than is None else timedelta(days=older_than)
    calls, ran = _prune_calls(base, age), Store(base / STORE).prune(age)
    if as_json:
        removed = asdict(calls) | {"executed": asdict(ran)}
        place = str(base / LEDGER)
        print_json({"ok": True, "ledger": place, "removed": removed, "exit_code": 0})
    else:
        say(
            f"removed {counted(calls.entries, 'call')} and {counted(calls.texts, 'text')} of "
            f"prompts, {counted(calls.bytes, 'byte')}; calls of the runs in {base} stay",
            f"removed {counted(ran.runs, 'executed submission')}, {counted(ran.bytes, 'byte')}",
        )


def _prune_calls(base: Path, age: timedelta | None) -> Pruned:
    from rubric_engine.connection import LEDGER
    from rubric_engine.ledger import Ledger, Pruned

    if not (base / LEDGER).is_file():
        return Pruned(0, 0, 0)
    with Ledger.open(base / LEDGER) as ledger:
        return ledger.prune(age, lambda: {entry.name for entry in base.iterdir() if entry.is_dir()})


def _base(runs: Path | None) -> Path:
    """The first folder of runs that holds a ledger or executed submissions."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.connection import LEDGER
    from rubric_engine.executed import STORE

    for base in run_bases(runs):
        if (base / LEDGER).is_file() or (base / STORE).is_dir():
            return base
    return _place(runs).parent  # says what was looked for


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
    from rubric_engine.cli.output import counted, printable
    from rubric_engine.spending.cost_words import uncounted
    from rubric_engine.spending.dollars import show_most

    oldest = f", the oldest of {held.oldest:%Y-%m-%d}" if held.oldest else ""
    yield f"ledger  {printable(str(place))}, {counted(held.bytes, 'byte')}"
    yield f"calls   {held.entries:,}{oldest}; {counted(held.texts, 'text')} of prompts"
    for model, count in held.by_model.items():
        yield f"        {count:,} of {printable(model)}"
    read = f"{spent.usage.input_tokens:,} in ({spent.usage.cached_tokens:,} cached)"
    requests = counted(spent.attempts, "request")
    yield f"tokens  {read}, {spent.usage.output_tokens:,} out, in {requests}"
    if spent.attempts > spent.unpriced:
        yield f"cost    {show_most(spent.dollars)}"
    if spent.uncounted:
        yield f"        of which {uncounted(_blind(spent))}"
    if spent.unpriced:
        yield f"        unpriced: {counted(spent.unpriced, 'request')}"


def _blind(spent: Spent) -> dict[str, float]:
    """The attempts whose usage is unknown, as a report's cost names them."""
    dollars = {"uncounted_usd": spent.uncounted_dollars} if spent.attempts > spent.unpriced else {}
    return {
        "uncounted_attempts": spent.uncounted,
        "uncounted_tokens": spent.uncounted_tokens,
        **dollars,
    }
