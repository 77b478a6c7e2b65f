"""`rubric-engine label agreement`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.failure import EXIT_GATE
from rubric_engine.cli.options import finite

if TYPE_CHECKING:
    from rich.table import Table

    from rubric_engine.judgeeval.labelling.concord import Alpha, Concord
    from rubric_engine.judgeeval.labelling.copies import Alike
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.labels import Labels

_FOLDER = typer.Argument(help="Folder of the labels, if ./labels holds several.")
LEGEND = (
    "both: leaves that both call met or not met; pos, neg: share of agreement on met,",
    "on not met; AC1: Gwet's, which a rare verdict does not pull down as it does kappa",
)
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def agreement(
    folder: Annotated[Path | None, _FOLDER] = None,
    least: Annotated[
        float | None,
        typer.Option(
            "--min", callback=finite, help="Exit 1 where kappa (alpha of three or more) is below."
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Say how far annotators agree with each other."""
    from rubric_engine.cli.output import note, print_json, printable
    from rubric_engine.judgeeval.labelling.concord import alphas, concords
    from rubric_engine.judgeeval.labelling.copies import alike
    from rubric_engine.judgeeval.labelling.finding import find_folder

    found = find_folder(folder)
    labels = found.all_labels()
    _require_two(labels, found.path)
    rows, together = concords(found.plan, labels), alphas(found.plan, labels)
    warnings = [*_odd(labels), *map(_copied, alike(labels))]
    figure = rows[-1].kappa if len(labels) == 2 else together[-1].alpha
    code = EXIT_GATE if least is not None and (figure is None or figure < least) else 0
    if as_json:
        value = _document(found, labels, rows, together) | {"warnings": warnings}
        print_json({"ok": code == 0} | value | {"min": least, "exit_code": code})
        return code
    _show(rows, together, two=len(labels) == 2)
    _show_left_out(labels)
    for text in warnings:
        note(f"warning: {printable(text)}")
    if code:
        _say_gate(least, figure, two=len(labels) == 2)
    return code


def _document(
    folder: LabelFolder,
    labels: dict[str, Labels],
    rows: tuple[Concord, ...],
    together: tuple[Alpha, ...],
) -> dict[str, Any]:
    return {
        "folder": str(folder.path),
        "seen": {name: len(each.seen) for name, each in labels.items()},
        "pairs": [_plain(row) for row in rows],
        "alpha": [asdict(row) for row in together],
    }


def _copied(found: Alike) -> str:
    first, second = found.annotators
    return (
        f"{first} and {second} said the same, word by word, on {found.same} of {found.both} leaves"
        ": is one file a copy of the other?"
    )


def _require_two(labels: dict[str, Labels], path: Path) -> None:
    from rubric_engine.errors import LabelsError

    said = [name for name, each in labels.items() if each.labels]
    if len(said) < 2:
        raise LabelsError(
            f"{path} holds labels of {len(said)} of {len(labels)} annotators; agreement wants two",
            code="E555",
            looked=[str(path / f"{name}.jsonl") for name in labels],
            fix=[f"rubric-engine label import FILE {shlex.quote(str(path))} --as ANNOTATOR"],
        )


def _show(rows: tuple[Concord, ...], together: tuple[Alpha, ...], *, two: bool) -> None:
    from rubric_engine.cli.output import show

    if two:
        every = together[-1]
        said = f"Krippendorff's alpha {_number(every.alpha)} over {every.leaves:,} leaves"
        show(_pairs_table(rows, "category"), *_reasons(rows), said, *LEGEND)
        return
    whole = [row for row in rows if row.category is None]
    show(
        _pairs_table(whole, "annotators"),
        *_reasons(whole),
        _alphas_table(together),
        *(f"alpha of {_name(row.category)}: {row.why}" for row in together if row.why),
        *LEGEND,
    )


def _pairs_table(rows: Sequence[Concord], first: str) -> Table:
    from rubric_engine.cli.output import fill, percent, table

    grid = table(
        f"<{first}", "both", "agree", "kappa", "95% CI", "AC1", "pos", "neg", wide=first
    )  # fmt: skip
    cells = (
        [
            _name(row.category) if first == "category" else " ".join(row.annotators),
            f"{row.both:,}", percent(row.agree), _number(row.kappa), _span(row),
            _number(row.ac1), percent(row.positive), percent(row.negative),
        ]
        for row in rows
    )  # fmt: skip
    return fill(grid, cells, wide=0)


def _alphas_table(together: tuple[Alpha, ...]) -> Table:
    from rubric_engine.cli.output import fill, percent, table

    cells = (
        [_name(row.category), f"{row.leaves:,}", percent(row.agree), _number(row.alpha)]
        for row in together
    )
    return fill(table("<category", "leaves", "agree", "alpha"), cells)


def _reasons(rows: Sequence[Concord]) -> list[str]:
    """Why figures are missing, each reason once a row."""
    lines = []
    for row in rows:
        by_reason: dict[str, list[str]] = {}
        for name, why in row.why.items():
            by_reason.setdefault(why, []).append(name)
        if row.kappa is not None and row.interval.why:
            by_reason[row.interval.why] = ["interval"]
        lines += [
            f"no {', '.join(names)} of {_name(row.category)}: {why}"
            for why, names in by_reason.items()
        ]
    return lines


def _show_left_out(labels: dict[str, Labels]) -> None:
    """What is in no figure."""
    from rubric_engine.cli.output import say

    unjudged = {
        name: sum(row.verdict == "cannot_judge" for row in each.labels.values())
        for name, each in labels.items()
    }
    if any(unjudged.values()):
        named = ", ".join(f"{name} {count}" for name, count in unjudged.items())
        say(f"could not judge (in no figure): {named}")
    seen = {name: len(each.seen) for name, each in labels.items() if each.seen}
    if seen:
        named = ", ".join(f"{name} {count}" for name, count in seen.items())
        say(f"made with a judge's verdict in sight (in no figure): {named}")


def _say_gate(least: float | None, figure: float | None, *, two: bool) -> None:
    from rubric_engine.cli.output import note

    name = "kappa" if two else "alpha"
    note(f"--min {least:g}: {name} is {'undefined' if figure is None else f'{figure:.3f}'}")


def _plain(row: Concord) -> dict[str, Any]:
    return asdict(row) | {"annotators": list(row.annotators)}


def _name(category: str | None) -> str:
    from rubric_engine.cli.output import printable

    return "all" if category is None else printable(category, 40)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _span(row: Concord) -> str:
    low, high = row.interval.low, row.interval.high
    return "-" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _odd(labels: dict[str, Labels]) -> list[str]:
    return [text for each in labels.values() for text in each.warnings]
