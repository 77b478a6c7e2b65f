"""`rubric-engine compare`: two runs, leaf by leaf, and where the difference comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.hiding import Redact
from rubric_engine.cli.options import finite

if TYPE_CHECKING:
    from rubric_engine.comparing import Comparison, Regression
    from rubric_engine.report import Mask
    from rubric_engine.result import Report


def compare(
    a: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    b: Annotated[str, typer.Argument(help="The run to hold against it; differences are B less A.")],
    repeat: Annotated[
        list[str] | None,
        typer.Option(help="A second run of the same judge on the same submission; repeatable."),
    ] = None,
    leaves: Annotated[
        bool, typer.Option("--leaves", help="Every change, with the reasons of both runs.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page here as well.")
    ] = None,
    fail_on_regression: Annotated[
        float | None,
        typer.Option(
            metavar="PTS",
            min=0,
            callback=finite,
            help="Exit 1 where the low end of the score fell by more than so many points of 100.",
        ),
    ] = None,
    redact: Redact = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Compare two runs leaf by leaf, and split the difference of their scores into its causes."""
    from rubric_engine.cli.compare_page import comparison_mask
    from rubric_engine.comparing import compare as compared
    from rubric_engine.comparing import regression

    first, second, *repeats = _reports([a, b, *(repeat or [])], runs)
    _require_outside(html, [first, second, *repeats])
    mask = comparison_mask(redact or ())
    found = compared(first, second, repeats=repeats)
    limit = None if fail_on_regression is None else regression(found, fail_on_regression)
    values = _values(found, mask, html) if as_json or html is not None else None
    if as_json:
        _print_document({**(values or {}), "hidden": mask.count.to_dict()}, limit, html)
    else:
        printed = comparison_mask(redact or ())
        _show(found, limit, html, every=leaves, hide=printed.text)
        _tell_hidden(mask if values is not None else printed, redact, every=leaves, html=html)
    return _exit_code(limit)


def _values(found: Comparison, mask: Mask, html: Path | None) -> dict[str, Any]:
    """All of the comparison, masked; the page of it is written where one is wanted."""
    from rubric_engine.cli.compare_page import masked_values, values_page
    from rubric_engine.cli.report_page import write_page

    values = masked_values(found, mask)
    if html is not None:
        write_page(html, values_page(values))
    return values


def _tell_hidden(mask: Mask, redact: list[str] | None, *, every: bool, html: Path | None) -> None:
    """Say what was hidden of what was given out: the page, else what was printed."""
    from rubric_engine.cli.hiding import tell_hidden

    whole = every or html is not None
    where = "this comparison" if whole else "what is printed; --leaves has every change"
    tell_hidden(mask.count.to_dict(), redact, where)


def _print_document(values: dict[str, Any], limit: Regression | None, html: Path | None) -> None:
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.plain_values import plain

    code = _exit_code(limit)
    gate = None if limit is None else plain(limit) | {"failed": limit.failed}
    page = None if html is None else str(html)
    print_json({"ok": code == 0} | values | {"gate": gate, "page": page, "exit_code": code})


def _show(
    found: Comparison,
    limit: Regression | None,
    html: Path | None,
    *,
    every: bool,
    hide: Callable[[str], str],
) -> None:
    from rubric_engine.cli.output import note, printable, show
    from rubric_engine.cli.run_comparison_text import comparison_parts, gate_line

    show(*comparison_parts(found, every=every, hide=hide))
    if limit is not None:
        show(gate_line(limit, hide))
    if html is not None:
        note(f"page    {printable(str(html))}")


def _reports(names: Sequence[str], runs: Path | None) -> list[Report]:
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.errors import UsageError
    from rubric_engine.report import report_so_far
    from rubric_engine.runs import find_run, kept_run

    paths = [find_run(name, run_bases(runs)) for name in names]
    twice = {path for path in paths if sum(path.samefile(other) for other in paths) > 1}
    if twice:
        raise UsageError(
            f"one run stands twice: {', '.join(sorted(map(str, twice)))}",
            fix=["rubric-engine runs list   shows which runs there are"],
        )
    return [report_so_far(kept_run(path)) for path in paths]


def _require_outside(page: Path | None, reports: Sequence[Report]) -> None:
    """Refuse a page among the files that a run keeps."""
    from rubric_engine.errors import UsageError
    from rubric_engine.lookup import inside

    folders = [Path(report.run) for report in reports if report.run is not None]
    if page is not None and any(inside(page, folder) for folder in folders):
        raise UsageError(f"{page} lies in a run's folder", fix=["--html ANOTHER/FILE"])


def _exit_code(limit: Regression | None) -> int:
    from rubric_engine.cli.failure import EXIT_GATE, EXIT_INCOMPLETE

    if limit is None:
        return 0
    if limit.undecided is not None:
        return EXIT_INCOMPLETE
    return EXIT_GATE if limit.failed else 0
