"""`rubric-engine judgeeval compare`: which judge is better, or no clear difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.judgeeval import Comparison, Evaluation
    from rubric_engine.run_warnings import RunWarning

NAME = 40
"""Columns that a judge's name may take in a sentence."""


def compare(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="A B [C...]", help="Folders of evaluations on the same leaves."),
    ],
    every: Annotated[
        bool, typer.Option("--all", help="Figures of each two, also of more than four judges.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say which judge is better on these submissions and on new ones, if that is shown."""
    from rubric_engine.cli.comparison_text import comparison_parts
    from rubric_engine.cli.evaluations import evaluations_in
    from rubric_engine.cli.output import print_json, printable, show
    from rubric_engine.cli.short_names import in_full, short_names
    from rubric_engine.judgeeval import caveats, compare_all, label_cover, label_doubts
    from rubric_engine.judgeeval.slices import slice_of

    found = evaluations_in(results)
    _require_whole(found)
    short = short_names((one.name for one in found.values()), NAME)
    judges = {short[one.name]: one.pairs for one in found.values()}
    compared = compare_all(judges)
    places = {short[one.name]: {"name": one.name, "result": str(p)} for p, one in found.items()}
    warnings = [*label_doubts(label_cover(next(iter(found.values()))))]
    warnings += [known for one in found.values() for known in caveats(short[one.name], one)]
    if as_json:
        print_json(_document(compared, places, warnings))
        return
    scores = {name: slice_of(pairs).headline.f1 for name, pairs in judges.items()}
    show(*comparison_parts(compared, scores, every=every), "")
    show(*(f"warning {one.code}  {printable(one.message)}" for one in warnings))
    show(*in_full(short))
    show(*(f"result  {short[one.name]}: {printable(str(path))}" for path, one in found.items()))


def _require_whole(found: Mapping[Path, Evaluation]) -> None:
    """Refuse what is no comparison: one judge alone, or cases that were never reached."""
    from rubric_engine.errors import UsageError
    from rubric_engine.judgeeval import lacking

    if len(found) < 2:
        raise UsageError(
            "a comparison takes at least two evaluations",
            looked=[f"found {path}" for path in found],
            fix=["rubric-engine judgeeval compare A B   two folders with evaluation.json"],
        )
    for path, one in found.items():
        missing = lacking(one)
        if missing is not None:
            again = [f"{one.command}   goes on with it"] if one.command else []
            raise UsageError(
                f"{one.name!r} is not complete, so not compared: {missing}",
                code="E008",
                looked=[f"{path}"],
                fix=[*again, "rubric-engine judgeeval report RESULT...   shows it as it is"],
            )


def _document(
    compared: Sequence[Comparison],
    places: Mapping[str, Mapping[str, str]],
    warnings: Sequence[RunWarning],
) -> dict[str, Any]:
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.judgeeval import verdict

    rows = []
    for one in compared:
        more = {
            "verdict": verdict(one),
            "shown_here": bool(one.shown_here),
            "shown_anew": bool(one.shown_anew),
        }
        rows.append(plain(one) | plain(more))
    said = [one._asdict() for one in warnings]
    return {"ok": True, "judges": places, "comparisons": rows, "warnings": said, "exit_code": 0}
