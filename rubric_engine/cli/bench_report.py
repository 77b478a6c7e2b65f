"""`rubric-engine bench report`: the figures of a run over a set, and two agents compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.comparing import Compared
    from rubric_engine.benchmarks.tasksets.results import Results

_MOST_NAMED = 5
_USUAL = ("phase", "difficulty")


def report(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULT...", help="results.json of one agent, or of two."),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="KEY",
            help="Figures of each phase, domain, difficulty or autonomy; may be repeated. By"
            " default of each phase and difficulty, where two are compared of none; in CSV and"
            " JSON of all.",
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the figures as CSV.")
    ] = None,
    runs: Annotated[
        Path,
        typer.Option(
            help="Folder of the runs, whose ledger has the costs of a run that has not ended."
        ),
    ] = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Tell how an agent did on a set, or which of two did better, if that is shown."""
    from rubric_engine.benchmarks.tasksets.bills import billed_so_far
    from rubric_engine.benchmarks.tasksets.comparing import compare_results
    from rubric_engine.benchmarks.tasksets.results import load_results
    from rubric_engine.benchmarks.tasksets.summary import summarise_by
    from rubric_engine.benchmarks.tasksets.task import FACTS
    from rubric_engine.cli.bench_csv import write_figures
    from rubric_engine.cli.output import printable, show
    from rubric_engine.errors import UsageError

    if len(results) > 2:
        raise UsageError("a report is of one result, or compares two", fix=["give two at most"])
    found = [billed_so_far(load_results(path), runs) for path in results]
    keys = list(dict.fromkeys(by or ()))
    for key in keys:
        summarise_by(found[0], key)  # a key that tasks lack is told before anything is printed
    compared = compare_results(*found) if len(found) == 2 else None
    if csv is not None:
        write_figures(csv, found, keys or FACTS)
    if as_json:
        _print_document(found, keys or FACTS, compared)
        return
    _print(found, keys or (_USUAL if compared is None else ()), compared)
    if csv is not None:
        show("", f"csv     {printable(str(csv))}")


def _print(found: Sequence[Results], keys: Sequence[str], compared: Compared | None) -> None:
    from rubric_engine.cli.bench_groups import by_tables
    from rubric_engine.cli.bench_tables import costs, overall
    from rubric_engine.cli.output import show

    for at, one in enumerate(found):
        show(*([""] if at else []), *overall(one))
        for key in keys:
            show(*by_tables(one, key))
        if one.cost:
            show("", *costs(one))
    if compared is not None:
        show("", *_lines(compared))


def _print_document(
    found: Sequence[Results], keys: Sequence[str], compared: Compared | None
) -> None:
    from rubric_engine.cli.bench_tables import document
    from rubric_engine.cli.output import print_json
    from rubric_engine.cli.plain_values import plain

    more: dict[str, Any] = {}
    if compared is not None:
        more = {"comparison": plain(compared) | {"better": compared.better}}
    documents = [document(one, keys) for one in found]
    head = documents[0] if len(documents) == 1 else {"ok": True, "results": documents}
    print_json(head | more | {"exit_code": 0})


def _lines(compared: Compared) -> Iterator[str]:
    from rubric_engine.cli.output import counted, printable

    first, second = printable(compared.first, 40), printable(compared.second, 40)
    tasks = counted(len(compared.tasks), "task")
    if compared.better is not None:
        worse = second if compared.better == compared.first else first
        yield f"{printable(compared.better, 40)} scores higher than {worse} on {tasks}"
    else:
        yield f"no clear difference between {first} and {second} on {tasks}"
    if compared.difference is not None:
        yield f"difference  {100 * compared.difference:+.1f} points of 100, {first} less {second}"
    interval, test = compared.interval, compared.test
    if interval.low is not None and interval.high is not None:
        ends = f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
        yield f"interval    {ends} for new tasks of the kind, 95 % (Student's t)"
    else:
        yield f"interval    none: {_of_tasks(interval.why)}"
    if test.p is not None:
        how = "exact" if test.exact else "drawn"
        yield f"sign flips  p {test.p:.4f} ({how})"
    else:
        yield f"sign flips  none: {test.why}"
    if compared.left_out:
        names = list(compared.left_out.items())
        told = "; ".join(f"{name}: {why}" for name, why in names[:_MOST_NAMED])
        more = f"; and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield printable(f"left out    {counted(len(names), 'task')}: {told}{more}")
    yield from (f"warning {one.code}  {printable(one.message)}" for one in compared.warnings)


def _of_tasks(why: str | None) -> str:
    """The reason of a figure that was made for submissions, as it is of tasks here."""
    return (why or "").replace("submission", "task")
