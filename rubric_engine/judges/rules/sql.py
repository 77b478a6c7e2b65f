"""`sql`: one DuckDB query over the data files, and whose fault it is when it fails.

Where DuckDB's words leave it open, a query that names no data file can only fail by the rubric's
fault. In one that does, a missing file or column, a column of another type, and content that cannot
be read are the submission's: 0, and it says so. Bad syntax, unknown functions and tables, reaching
out of the folder, and a result of another shape than one value are the rubric's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rubric_engine.checks import Sql
from rubric_engine.grading import Citation
from rubric_engine.judges.rules.files import why_absent
from rubric_engine.judges.rules.outcome import MAX_CITATIONS, Finding, Undecided, cite, short
from rubric_engine.judges.rules.sql_desk import SUFFIXES, SqlDesk
from rubric_engine.judges.rules.view import Sight

_LIMITS = {"OutOfMemoryException", "InterruptException", "MemoryError", "FatalException",
           "InternalException"}  # fmt: skip

_RUBRIC = {"NoSelect", "ParserException", "SyntaxException", "CatalogException",
           "PermissionException", "NotImplementedException", "DependencyException",
           "HTTPException"}  # fmt: skip

# The binder complains of the query and of the columns that it finds in the same voice.
_COLUMNS = re.compile(
    r"Referenced column .* not found|does not have a column named|Cannot compare values of type"
    r"|No function matches the given name and argument types|Cannot extract field"
    r"|Could not find key|Cannot mix values of type|Cannot cast|Cannot combine types"
)

_ONE_ROW = "More than one row returned by a subquery"

_SUFFIX = "|".join(map(re.escape, SUFFIXES))
_NAMED = re.compile(rf"""(['"])((?:(?!\1).)+(?:{_SUFFIX}))\1""", re.IGNORECASE)


def sql(check: Sql, sight: Sight, desk: SqlDesk) -> Finding:
    """Holds where the query gives true or 1."""
    answer = desk.ask(check.query, sight.require_data())
    named = [found[2] for found in _NAMED.finditer(check.query)]
    finding = _failed(answer, named, sight) if "error" in answer else _answered(answer, sight)
    return replace(finding, citations=_cited(named, sight))


def _answered(answer: dict[str, Any], sight: Sight) -> Finding:
    if answer["columns"] != 1 or len(answer["rows"]) > 1:
        rows = "more than one row" if len(answer["rows"]) > 1 else "one row"
        raise Undecided("rubric_error", f"one value was due, not {rows} of {answer['columns']}")
    if not answer["rows"]:
        return Finding(0.0, "no row")
    return _value(answer["rows"][0][0], sight)


def _value(cell: dict[str, Any], sight: Sight) -> Finding:
    if "other" in cell:
        raise Undecided("rubric_error", f"a truth value was due, not {short(cell['text'])!r}")
    value = cell["value"]
    if value is None or isinstance(value, bool):
        return Finding(float(bool(value)), {None: "NULL", True: "true", False: "false"}[value])
    if math.isnan(value):
        return Finding(0.0, "NaN")
    if not 0 <= value <= 1:
        raise Undecided("rubric_error", f"{value:.12g} is not from 0 to 1")
    if value not in (0, 1) and not sight.partial_credit:
        raise Undecided("rubric_error", f"{value:.12g}, but the leaf gives no partial credit")
    return Finding(float(value), f"{value:.12g}")


def _failed(answer: dict[str, Any], named: Sequence[str], sight: Sight) -> Finding:
    said = short(" ".join(answer["message"].split()), 300)
    if answer["error"] in _LIMITS:
        raise Undecided("check_limit", said)
    if answer["unknown"]:
        raise Undecided("rubric_error", f"no such function: {', '.join(answer['unknown'])}")
    if not named or _is_rubrics(answer["error"], answer["message"]):
        raise Undecided("rubric_error", said)
    return Finding(0.0, _why_missing(named, sight) or said)


def _is_rubrics(error: str, message: str) -> bool:
    if error == "BinderException":
        return _COLUMNS.search(message) is None
    return error in _RUBRIC or _ONE_ROW in message


def _why_missing(named: Sequence[str], sight: Sight) -> str | None:
    """Say why the first file that the query names and that is not there is not."""
    for name in named:
        if not sight.data.glob(name):
            return why_absent(name, sight, produced=sight.needs_run)
    return None


def _cited(named: Sequence[str], sight: Sight) -> tuple[Citation, ...]:
    files = [file for name in named for file in sight.data.glob(name)]
    return tuple(cite(file.path) for file in files[:MAX_CITATIONS])
