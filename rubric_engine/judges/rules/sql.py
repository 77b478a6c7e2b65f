"""`sql`: one DuckDB query over the data files, and whose fault it is when it fails.

A query that names no data file can only fail by the rubric's fault. Of one that does, the rubric
answers for what no data could mend: bad syntax, unknown functions, types and tables, reaching out
of the folder, wrong constants and options, another number of columns than one. All else is the
submission's: 0, and it says so. The words of DuckDB that tell are looked for at the start of its
message only: further on it lists names that it found in the data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rubric_engine.checks import Sql
from rubric_engine.grading import Citation
from rubric_engine.judges.rules.files import why_absent
from rubric_engine.judges.rules.outcome import (
    MAX_CITATIONS,
    Evaluation,
    Undecided,
    cite,
    count,
    short,
)
from rubric_engine.judges.rules.sql_desk import SqlDesk
from rubric_engine.judges.rules.sql_files import files_of, names_in
from rubric_engine.judges.rules.view import Sight

_LIMITS = {"OutOfMemoryException", "InterruptException", "MemoryError", "FatalException",
           "InternalException"}  # fmt: skip

_RUBRIC = {"NoSelect", "ParserException", "SyntaxException", "CatalogException",
           "PermissionException", "DependencyException", "HTTPException"}  # fmt: skip

_COUNTED = 1000  # rows; of more than that, the exact number is of no use

_LITERALS = r"(?:(?:STRING|INTEGER|DECIMAL)_LITERAL|NULL)"

# The binder complains of the query and of the columns that it finds in the same voice.
_CLEAR = re.compile(
    r"""(?:Binder|Invalid\ Input)\ Error:\ (?:
        Invalid\ named\ parameter
      | column\ "[^"]*"\ must\ appear\ in\ the\ GROUP\ BY
      | [A-Z ]+\ clause\ cannot\ contain\ (?:aggregates|window)
      | aggregate\ function\ calls\ cannot\ | aggregate\ functions\ are\ not\ allowed
      | [Ww]indow\ functions?\ (?:calls\ cannot|are\ not)
      | (?:ORDER|GROUP\ BY)\ term\ out\ of\ range
      | Referenced\ column\ "[^"]*"\ was\ not\ found\ because\ the\ FROM\ clause\ is\ missing
      | UNNEST\ not\ supported\ here
      | Ambiguous\ reference\ to\ table
      | Missing\ ASOF\ JOIN
      | No\ function\ matches\ the\ given\ name\ and\ argument\ types
        \ '\w+\((?:LITS(?:,\ LITS)*)?\)'
      | Values\ were\ not\ provided
      | LIMIT/OFFSET\ cannot\ be\ negative
      | Could\ not\ cast\ value\ .*\ to\ named\ parameter
      | The\ (?:delimiter|quote|escape|comment)\ option\ cannot\ exceed
      | The\ "[^"]*"\ argument\ in\ function\ "[^"]*"\ must\ be\ a\ constant\ expression
    )""".replace("LITS", _LITERALS),
    re.VERBOSE,
)

_COLUMNS = re.compile(r"Binder Error: (?:Subquery returns \d+ columns|Set operations can only)")

# `a.b` may also be the field `b` of a column `a`, which the data may lack; but not in plain tables.
_TABLE = re.compile(r"Binder Error: Referenced table ")
_PLAIN = (".csv", ".tsv")
_NESTED = re.compile("json|parquet|pivot", re.IGNORECASE)


def sql(check: Sql, sight: Sight, desk: SqlDesk) -> Evaluation:
    """Holds where the query gives true or 1."""
    answer = desk.ask(check.query, sight.require_data())
    names = names_in(check.query)
    if "error" in answer:
        evaluation = _failed(answer, check.query, sight)
    else:
        evaluation = _answered(answer, names, sight)
    return replace(evaluation, citations=_cited(names, sight))


def _answered(answer: dict[str, Any], names: Sequence[str], sight: Sight) -> Evaluation:
    if answer["columns"] != 1:
        said = f"one value was due, not a row of {count(answer['columns'], 'value')}"
        return _unfit(said, rubrics=not names or not answer["star"])
    if answer["count"] > 1:
        least = "at least " if answer["count"] > _COUNTED else ""
        said = f"the query gave {least}{answer['count']} rows; one value was due"
        return _unfit(said, rubrics=not names)
    if not answer["rows"]:
        return Evaluation(0.0, "no row")
    return _value(answer["rows"][0][0], sight, rubrics=not names)


def _unfit(said: str, *, rubrics: bool) -> Evaluation:
    """Score an answer that is none: 0 where the data made it so."""
    if rubrics:
        raise Undecided("rubric_error", said)
    return Evaluation(0.0, said, best=1.0)


def _value(cell: dict[str, Any], sight: Sight, *, rubrics: bool) -> Evaluation:
    if "other" in cell:
        said = f"a truth value was due, not {short(cell['text'])!r}"
        return _unfit(said, rubrics=rubrics)
    value = cell["value"]
    if value is None or isinstance(value, bool):
        return Evaluation(float(bool(value)), {None: "NULL", True: "true", False: "false"}[value])
    if math.isnan(value):
        return Evaluation(0.0, "NaN")
    if not 0 <= value <= 1:
        return _unfit(f"{value:.12g} is not from 0 to 1", rubrics=rubrics)
    if value not in (0, 1) and not sight.partial_credit:
        return _unfit(f"{value:.12g}, but the leaf gives no partial credit", rubrics=rubrics)
    return Evaluation(float(value), f"{value:.12g}")


def _failed(answer: dict[str, Any], query: str, sight: Sight) -> Evaluation:
    names = names_in(query)
    said = short(" ".join(answer["message"].split()), 300)
    if answer["error"] in _LIMITS:
        raise Undecided("check_limit", said)
    if answer["wrong"]:
        raise Undecided("rubric_error", "; ".join(answer["wrong"]))
    plain = not _NESTED.search(query) and all(name.lower().endswith(_PLAIN) for name in names)
    error, message, star = answer["error"], answer["message"], answer["star"]
    if not names or rubrics_fault(error, message, star=star, plain=plain):
        raise Undecided("rubric_error", said)
    return Evaluation(0.0, _why_missing(names, sight) or said, best=1.0)


def rubrics_fault(error: str, message: str, *, star: bool, plain: bool) -> bool:
    """Whether a query that names data files could not have been answered with any data.

    Args:
        error: Name of DuckDB's exception.
        message: Its message.
        star: Whether the query takes as many columns as the data has.
        plain: Whether the data has plain columns only, without fields.
    """
    if error in _RUBRIC or _CLEAR.match(message):
        return True
    if plain and _TABLE.match(message):
        return True
    return not star and _COLUMNS.match(message) is not None


def _why_missing(names: Sequence[str], sight: Sight) -> str | None:
    """Say why the first file that the query names and that is not there is not."""
    for name in names:
        if not files_of(name, sight.data):
            with suppress(ValueError):  # a glob of DuckDB's, but none of ours
                return why_absent(name, sight, produced=sight.needs_run)
    return None


def _cited(names: Sequence[str], sight: Sight) -> tuple[Citation, ...]:
    files = [file for name in names for file in files_of(name, sight.data)]
    return tuple(cite(file.path) for file in files[:MAX_CITATIONS])
