"""`rubric-engine rubric lint`: what is wrong or doubtful in rubrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from rubric_engine.cli.failure import EXIT_GATE
from rubric_engine.errors import Place, RubricError

_LEVELS = ("error", "warning", "info")


@dataclass(frozen=True)
class Row:
    """One finding, placed in its file."""

    place: Place
    level: str
    code: str
    message: str
    key: str | None
    hint: str | None = None


def lint(
    rubrics: Annotated[
        list[str] | None, typer.Argument(help="Rubric files, tasks' folders, or names of tasks.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail, too.")] = False,
    info: Annotated[
        bool, typer.Option("--info", help="Print findings of level info, too.")
    ] = False,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations for GitHub's checks.")
    ] = False,
    explain: Annotated[
        str | None, typer.Option(metavar="CODE", help="Explain a rule and stop.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> int:
    """Say what is wrong or doubtful in rubrics; exit 1 on errors, 3 if one does not load."""
    from rubric_engine.cli.output import print_json, say
    from rubric_engine.errors import UsageError

    if explain is not None:
        _explain(explain, as_json=as_json)
        return 0
    if not rubrics:
        raise UsageError("give at least one rubric", fix=["rubric-engine rubric lint rubric.yaml"])
    found = [_rows(name) for name in rubrics]
    rows = [row for one, _ in found for row in one]
    fatal = {"error", "warning"} if strict else {"error"}
    failed = any(row.level in fatal for row in rows)
    code = 3 if any(broken for _, broken in found) else EXIT_GATE if failed else 0
    if as_json:
        print_json({"ok": code == 0, "findings": [_plain(row) for row in rows], "exit_code": code})
        return code
    for row in rows:
        if row.level != "info" or info:
            say(_github(row) if github else _text(row))
    if not github:
        say(_total(rows, info=info))
    return code


def _rows(name: str) -> tuple[list[Row], bool]:
    from rubric_engine.cli.locate import rubric_of
    from rubric_engine.judges.rules import REFUSALS
    from rubric_engine.lint import lint as run_lint
    from rubric_engine.rubric_file import criterion_places

    try:
        rubric, path = rubric_of(name)
    except RubricError as error:
        return list(_broken(error)), True
    findings = run_lint(rubric, REFUSALS)
    places = criterion_places(path) if findings else {}
    return [
        Row(places.get(f.key, Place(str(path))), f.level, f.code, f.message, f.key)
        for f in findings
    ], False


def _broken(error: RubricError) -> Iterator[Row]:
    if not error.problems:
        raise error
    for problem in error.problems:
        place = problem.place or Place("rubric")
        yield Row(place, "error", problem.code, problem.message, problem.key, problem.hint)


def _text(row: Row) -> str:
    from rubric_engine.cli.output import printable

    key = f"  [{printable(row.key, 40)}]" if row.key else ""
    head = f"{printable(str(row.place))} {row.level:7} {row.code} "
    hint = f"\n    {printable(row.hint)}" if row.hint else ""
    return f"{head}{printable(row.message)}{key}{hint}"


def _github(row: Row) -> str:
    """A workflow command; its own separators are escaped, as GitHub's documentation asks."""
    level = {"info": "notice"}.get(row.level, row.level)
    where = (
        f"file={_property(row.place.file)},line={row.place.line or 1},col={row.place.column or 1}"
    )
    message = row.message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return f"::{level} {where},title={row.code}::{message}"


def _property(text: str) -> str:
    for char, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        text = text.replace(char, code)
    return text


def _plain(row: Row) -> dict[str, object]:
    return {
        "code": row.code,
        "level": row.level,
        "message": row.message,
        "key": row.key,
        "file": row.place.file,
        "line": row.place.line,
        "column": row.place.column,
    }


def _total(rows: list[Row], *, info: bool) -> str:
    counts = Counter(row.level for row in rows)
    text = ", ".join(
        f"{counts[level]} {level}{'s' * (counts[level] != 1)}" for level in _LEVELS[:2]
    )
    text += f", {counts['info']} info" + ("" if info or not counts["info"] else " (--info shows)")
    return f"{text}   a rule explained: rubric-engine rubric lint --explain R105"


def _explain(code: str, *, as_json: bool) -> None:
    from rubric_engine.cli.output import print_json, say
    from rubric_engine.errors import UsageError
    from rubric_engine.lint import RULES
    from rubric_engine.near import near

    rule = RULES.get(code.upper())
    if rule is None:
        meant = near(code.upper(), RULES)
        raise UsageError(
            f"no rule {code!r}" + (f"; {meant}" if meant else ""),
            looked=[f"rules: {', '.join(RULES)}"],
        )
    if as_json:
        facts = {"code": rule.code, "level": rule.level, "title": rule.title}
        print_json({"ok": True, **facts, "explanation": rule.explanation, "exit_code": 0})
    else:
        say(f"{rule.code} ({rule.level}) {rule.title}", rule.explanation)
