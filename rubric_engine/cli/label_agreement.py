"""`rubric-engine label status` and `label agreement`."""

from __future__ import annotations

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
    from rubric_engine.judgeeval.labelling.standing import Standing
    from rubric_engine.labels import Labels

_FOLDER = typer.Argument(help="Folder of the labels, if ./labels holds several.")
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def status(folder: Annotated[Path | None, _FOLDER] = None, as_json: Json = False) -> int:
    """Say how far each annotator is."""
    from rubric_engine.cli.output import counted, fill, print_json, say, show, table
    from rubric_engine.judgeeval.labelling.folder import find_folder
    from rubric_engine.judgeeval.labelling.gold import gold_of
    from rubric_engine.judgeeval.labelling.standing import labelled_by_several, standings

    found = find_folder(folder)
    labels = found.all_labels()
    rows, both = standings(found.plan, labels), labelled_by_several(labels)
    gold = gold_of(found.plan, labels, found.decisions())
    flags = sorted({key for row in rows for key in row.flags})
    if as_json:
        value = {"ok": True, "folder": str(found.path), "annotators": [asdict(row) for row in rows]}
        counts = {"both": both, "flags": flags, "gold": len(gold.labels.labels),
                  "to_decide": len(gold.disputed), "waiting": len(gold.waiting)}  # fmt: skip
        print_json(value | counts | {"exit_code": 0})
        return 0
    grid = table("<annotator", "done", "of", "median", "left", "can't judge", "flags")
    show(fill(grid, map(_cells, rows)))
    say(
        f"labelled by two or more {both}; gold {len(gold.labels.labels)} of "
        f"{len(found.plan.leaves)}, {len(gold.disputed)} to decide, {len(gold.waiting)} waiting",
        *_flagged(flags),
    )
    seen = sum(row.seen for row in rows)
    if seen:
        say(f"{counted(seen, 'label')} made with a judge's verdict in sight: no truth, not used")
    _warn(labels)
    return 0


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
    from rubric_engine.cli.output import print_json
    from rubric_engine.judgeeval.labelling.concord import alphas, concords
    from rubric_engine.judgeeval.labelling.folder import find_folder

    found = find_folder(folder)
    labels = found.all_labels()
    _require_two(labels, found.path)
    rows, together = concords(found.plan, labels), alphas(found.plan, labels)
    figure = rows[-1].kappa if len(labels) == 2 else together[-1].alpha
    code = EXIT_GATE if least is not None and (figure is None or figure < least) else 0
    if as_json:
        seen = {name: len(each.seen) for name, each in labels.items()}
        value = {"ok": code == 0, "folder": str(found.path), "seen": seen}
        print_json(
            value
            | {"pairs": [_plain(row) for row in rows], "alpha": [asdict(row) for row in together]}
            | {"min": least, "exit_code": code}
        )
        return code
    _show(rows, together, two=len(labels) == 2)
    _show_left_out(labels)
    if code:
        _say_gate(least, figure, two=len(labels) == 2)
    _warn(labels)
    return code


def _require_two(labels: dict[str, Labels], path: Path) -> None:
    from rubric_engine.errors import LabelsError

    said = [name for name, each in labels.items() if each.labels]
    if len(said) < 2:
        raise LabelsError(
            f"{path} holds labels of {len(said)} of {len(labels)} annotators; agreement wants two",
            code="E505",
            looked=[str(path / f"{name}.jsonl") for name in labels],
            fix=["rubric-engine label import FILE --as ANNOTATOR"],
        )


def _cells(row: Standing) -> list[str]:
    pace = "-" if row.median_seconds is None else f"{row.median_seconds:,.0f} s"
    left = "-" if row.seconds_left is None else f"{row.seconds_left / 60:,.0f} min"
    counts = (row.cannot_judge, len(row.flags))
    return [row.annotator, f"{row.done:,}", f"{row.assigned:,}", pace, left, *map(str, counts)]


def _flagged(flags: list[str]) -> list[str]:
    from rubric_engine.cli.output import printable

    if not flags:
        return []
    named = ", ".join(printable(key, 30) for key in flags[:5]) + (", ..." if flags[5:] else "")
    return [f"rubric flagged at {len(flags)}: {named}"]


def _show(rows: tuple[Concord, ...], together: tuple[Alpha, ...], *, two: bool) -> None:
    from rubric_engine.cli.output import fill, percent, show, table

    first = "category" if two else "annotators"
    grid = table(
        f"<{first}", "both", "agree", "kappa", "95% CI", "AC1", "pos", "neg", wide=first
    )  # fmt: skip
    shown = rows if two else [row for row in rows if row.category is None]
    cells = []
    for row in shown:
        name = _name(row.category) if two else " ".join(row.annotators)
        cells.append([
            name, f"{row.both:,}", percent(row.agree), _number(row.kappa), _span(row),
            _number(row.ac1), percent(row.positive), percent(row.negative),
        ])  # fmt: skip
    parts: list[str | Table] = [fill(grid, cells, wide=0), *_reasons(shown)]
    if two:
        every = together[-1]
        parts.append(f"Krippendorff's alpha {_number(every.alpha)} over {every.leaves:,} leaves")
    else:
        joint = table("<category", "leaves", "agree", "alpha")
        said = ([_name(row.category), f"{row.leaves:,}", percent(row.agree),
                 _number(row.alpha)] for row in together)  # fmt: skip
        parts.append(fill(joint, said))
        parts += [f"alpha of {_name(row.category)}: {row.why}"
                  for row in together if row.why]  # fmt: skip
    show(*parts)


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


def _warn(labels: dict[str, Labels]) -> None:
    from rubric_engine.cli.output import note, printable

    for each in labels.values():
        for text in each.warnings:
            note(f"warning: {printable(text)}")
