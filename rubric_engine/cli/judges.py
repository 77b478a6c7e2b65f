"""`rubric-engine judges`: which there are, a new one from an old one, and whether one is sound."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli import pay_options

if TYPE_CHECKING:
    from rubric_engine.candidate import Candidate
    from rubric_engine.errors import RubricEngineError
    from rubric_engine.judge import JudgeCard
    from rubric_engine.judges.known import Known

app = typer.Typer(
    help="The judges that there are, and judges of your own.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)
_HERE = Path("judges")
_SHORT = 12  # digits of a fingerprint


@app.callback()
def _judges() -> None:
    """The judges that there are, and judges of your own."""


@app.command("list")
def list_judges(as_json: Json = False) -> None:
    """List the judges that a name finds here.

    These are the shipped ones, those of ./judges, and those that installed packages register.
    """
    from rubric_engine.cli.output import fill, note, print_json, printable, show, table
    from rubric_engine.judges.known import known_judges

    all_known = known_judges()
    rows = [_row(known) for known in all_known]
    if as_json:
        print_json({"ok": True, "judges": rows, "exit_code": 0})
        return
    columns = ("<name", "<kind", "<from", "<asks", "<fingerprint", "<description")
    cells = [[printable(cell) for cell in _cells(row)] for row in rows]
    grid = fill(table(*columns, wide="description"), cells, wide=5)
    grid.columns[5].no_wrap, grid.columns[5].overflow = False, "fold"  # what each is for
    show(grid)
    for known, row in zip(all_known, rows, strict=True):
        if row["error"] is not None and not _is_form(known):
            note(f"{printable(row['name'])}: {printable(row['error'])}")


def _row(known: Known) -> dict[str, Any]:
    candidate, error = _loaded(known)
    card = known.card
    made = candidate.judge.card if candidate is not None else None
    asked = candidate.models if candidate is not None else ()
    models = list(dict.fromkeys(config.name for config in asked))
    return {
        "name": known.name,
        "kind": card.kind if card is not None else None,
        "source": known.source,
        "path": str(known.file) if known.file is not None else None,
        "description": card.description if card is not None else "",
        "models": models if candidate is not None else None,
        "fingerprint": made.fingerprint if made is not None else None,
        "error": error,
    }


def _is_form(known: Known) -> bool:
    """Whether it is a shipped card that is there for something else, and says so itself."""
    from rubric_engine.judges.known import SHIPPED

    card = known.card
    lacks = card is not None and card.kind == "labels" and "labels" not in card.settings
    is_monitor = card is not None and card.kind == "monitor"
    return known.source == SHIPPED and (lacks or is_monitor)


def _loaded(known: Known) -> tuple[Candidate | None, str | None]:
    """The judge, made without a key, or why it is not made."""
    from rubric_engine.candidate import load_candidate
    from rubric_engine.errors import RubricEngineError

    if known.error is not None:
        return None, _said(known.error)
    if known.runs_code:
        return None, "not loaded: its card names code, which a list does not run"
    try:
        return load_candidate(known.name), None
    except RubricEngineError as error:
        return None, _said(error)


def _said(error: RubricEngineError) -> str:
    return f"[{error.code}] {error.message}"


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    asks = "?" if row["models"] is None else "yes" if row["models"] else "no"
    fingerprint = (row["fingerprint"] or "-")[:_SHORT]
    return row["name"], row["kind"] or "?", row["source"], asks, fingerprint, row["description"]


@app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="Name of the new judge.")],
    source: Annotated[
        str, typer.Option("--from", metavar="JUDGE", help="Judge to copy: a name, or a path.")
    ] = "simple",
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Folder that holds judges, or the new judge's own, called as it is.",
        ),
    ] = _HERE,
    as_json: Json = False,
) -> None:
    """Copy a judge, to be edited; nothing is overwritten."""
    from rubric_engine.cli.output import note, print_json, printable, say
    from rubric_engine.errors import UsageError
    from rubric_engine.judges.combine import members_of
    from rubric_engine.judges.copying import copy_judge
    from rubric_engine.rundir import storing

    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no name of a judge: a letter or digit of ASCII comes first, then up to"
            " 63 of these, '.', '_' and '-'",
            fix=[f"rubric-engine judges new {_tamed(name)}", "-o DIR says where it is to lie"],
        )
    folder = output if output.name == name and output != _HERE else output / name
    with storing(folder, "choose another folder with -o DIR"):
        files = copy_judge(source, folder)
    card = _card(folder / files[0])
    members = members_of(card)
    fingerprint, lacks = _made(folder)
    if as_json:
        facts = {"judge": str(folder), "files": files, "fingerprint": fingerprint, "lacks": lacks}
        print_json({"ok": True, **facts, "members": members, "exit_code": 0})
        return
    alone = "" if members else ", and depends on it no more"
    say(printable(f"{folder} is a copy of {source}{alone}"))
    say(printable(f"{'edit':12} {folder / files[0]}   {', '.join(card.settings) or 'kind'}"))
    if members:
        names = ", ".join(members)
        say(printable(f"{'judges':12} {names}   those of these names, not copied"))
    if files[1:]:
        say(printable(f"{'prompts':12} {', '.join(files[1:])}"))
    if lacks is not None:
        note(printable(f"it is not whole yet: {lacks}"))
    else:
        say(f"{'fingerprint':12} {fingerprint[:_SHORT] if fingerprint else '-'}")
    _say_next(name, folder)


def _say_next(name: str, folder: Path) -> None:
    from rubric_engine.cli.output import note, printable, say
    from rubric_engine.lookup import shipped

    by_name = folder == _HERE / name
    if by_name and name in shipped("judges"):
        note(f"in this folder, {name!r} now means this copy, also where judges are made of it")
    path = str(folder) if folder.is_absolute() else f"./{folder}"
    say(printable(f"{'check':12} rubric-engine judges check {name if by_name else path}"))


def _tamed(name: str) -> str:
    """A name of a judge that is like another text."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-_")[:64] or "mine"


def _made(folder: Path) -> tuple[str | None, str | None]:
    """The fingerprint of the copy; or what it lacks, as the one that it was copied from does."""
    from rubric_engine.candidate import load_candidate
    from rubric_engine.errors import RubricEngineError

    try:
        return load_candidate(str(folder.resolve())).judge.card.fingerprint, None
    except RubricEngineError as error:
        return None, error.message


def _card(file: Path) -> JudgeCard:
    from rubric_engine.judges.registry import find_card

    return find_card(str(file.resolve()))[0]


@app.command("check")
def check(
    judge: Annotated[str, typer.Argument(help="Judge: a card's path, or a name.")],
    live: Annotated[
        bool,
        typer.Option("--live", help="Then ask its model about three leaves, which may cost."),
    ] = False,
    model: pay_options.Model = None,
    base_url: pay_options.BaseUrl = None,
    max_cost: pay_options.MaxCost = None,
    confirm_above: pay_options.ConfirmAbove = 5.0,
    yes: pay_options.Yes = False,
    as_json: Json = False,
) -> int:
    """See if a judge keeps what every judge promises.

    It grades small cases, its model a scripted one. Exit code 1: it breaks a promise. With --live,
    exit codes are those of `grade`.
    """
    from rubric_engine.cli import judge_checking as checking
    from rubric_engine.cli.inputs import model_settings
    from rubric_engine.cli.output import print_json

    settings = model_settings(model, base_url)
    kept = checking.promises(judge, settings, silent=as_json)
    code = checking.code_of(kept)
    answers: dict[str, Any] = {}
    if live and code == 0:
        above = None if yes or max_cost is not None else confirm_above
        code, answers = checking.ask_live(
            judge, settings, above=above, max_cost=max_cost, silent=as_json
        )
    if as_json:
        told = [{"promise": each.says, "broken": each.broken} for each in kept]
        found = {"judge": judge, "promises": told, **answers}
        print_json({"ok": code == 0, **found, "exit_code": code})
    checking.leave_stuck(kept, code)
    return code
