"""`rubric-engine label correct`: what somebody says of a leaf who has seen the judge's verdict."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_engine.errors import UsageError
    from rubric_engine.labels import Label
    from rubric_engine.result import Report


def correct(
    run: Annotated[str, typer.Argument(help="A run: its path, the end of its name, or latest.")],
    leaf: Annotated[str, typer.Argument(help="Key of a leaf.")],
    name: Annotated[str, typer.Option("--as", help="Who corrects.")],
    verdict: Annotated[str, typer.Option(help="met, not_met or cannot_judge.")],
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    cite: Annotated[
        list[str] | None, typer.Option(metavar="PLACE", help="A place, such as src/a.py:3-9.")
    ] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Keep what you say of a leaf whose verdict you have seen: not blind, and no truth."""
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.judgeeval.labelling.book import correction_book, corrections_of
    from rubric_engine.runs import find_run, load_report

    path = find_run(run, run_bases(runs))
    report = load_report(path)
    _require_leaf(report, leaf)
    again = shlex.join(["rubric-engine", "label", "correct", run, leaf, "--as", name])
    label = _label(verdict, reason, cite or [], again)
    _require_places(path, label)
    book = correction_book(report, name, corrections_of(path.resolve().name, name))
    with book.held():
        book.put({leaf: label})
    _print(report, leaf, label, book.path, as_json=as_json)
    return 0


def _require_leaf(report: Report, key: str) -> None:
    from rubric_engine.errors import UsageError
    from rubric_engine.near import near

    leaves = report.rubric.leaves()
    if key not in leaves:
        meant = near(key, leaves)
        run = shlex.quote(Path(report.run or "RUN").name)
        raise UsageError(
            f"no leaf {key!r} in this run" + (f"; {meant}" if meant else ""),
            fix=[f"rubric-engine show {run} --depth 9   lists the keys"],
        )


def _require_places(run: Path, label: Label) -> None:
    from rubric_engine.errors import UsageError
    from rubric_engine.kept import kept_texts

    texts = kept_texts(run)
    for place in label.citations:
        if not texts.has(place):
            raise UsageError(
                f"--cite {place}: there is no such place",
                looked=["the submission as it was handed in, what its run left, and reproduce.log"],
                fix=["--cite PATH:FIRST-LAST   with a path and lines that are there"],
            )


def _label(verdict: str, reason: str, cite: Sequence[str], again: str) -> Label:
    """The label that options describe; `again` is the command up to them."""
    from rubric_engine.labels.slips import VERDICTS, verdict_slip

    if wrong := verdict_slip(verdict):
        meant = [each for each in VERDICTS if wrong.endswith(f"did you mean {each!r}?")]
        why = shlex.quote(reason) if reason.strip() else '"WHY"'
        fixes = (f"{again} --verdict {each} --reason {why}" for each in meant or VERDICTS)
        raise _refused(f"--verdict {wrong}", *fixes)
    again += f" --verdict {verdict}"
    if not reason.strip() and (verdict != "met" or not cite):
        place = "" if verdict != "met" else ", or a place that shows it"
        more = [f"{again} --cite src/a.py:3-9"] if verdict == "met" else []
        why = f"{verdict} wants a reason{place}"
        raise _refused(why, f'{again} --reason "WHY"', *more)
    for place in cite:
        _checked(f"--cite {place}", f"{again} --cite PATH:FIRST-LAST", citations=[place])
    fix = f"{again} --reason TEXT"
    return _checked("--reason", fix, verdict=verdict, reason=reason, citations=cite)


def _checked(option: str, fix: str, **fields: Any) -> Label:
    from pydantic import ValidationError

    from rubric_engine.labels import Label
    from rubric_engine.rubric_file.models import validation_problems

    try:
        return Label.model_validate({"verdict": "met", **fields})
    except ValidationError as error:
        _, _, message, *_ = next(iter(validation_problems(error)))
        raise _refused(f"{option}: {message}", fix) from None


def _refused(why: str, *fixes: str) -> UsageError:
    from rubric_engine.errors import UsageError

    return UsageError(why, fix=fixes)


def _print(report: Report, key: str, label: Label, path: Path, *, as_json: bool) -> None:
    from rubric_engine.cli.output import note, print_json, printable, say

    before = report.verdict(key)
    if as_json:
        value = {"key": key, "judge": before, "verdict": label.verdict, "file": str(path)}
        print_json({"ok": True, "run": report.run, **value, "blind": False, "exit_code": 0})
        return
    said = label.verdict.replace("_", " ")
    say(f"{printable(key)}: {said}, where the judge says {before}   {printable(str(path))}")
    note("made with the judge's verdict in sight: no figure of JudgeEval uses it")
