"""Answers queries in a process of its own; started by `sql_desk.py`, never imported by others.

A process, because relative file names in a query follow the current folder, which belongs to the
whole process; because data files are untrusted and may bring their reader down; and because a
process can be ended at its time limit whatever it is doing. It imports DuckDB and the standard
library alone.

Each line of standard input is a request, ``{"folder", "query", "memory"}``; each is answered with
a line of standard output, ``{"columns", "rows"}`` or ``{"error", "message", "unknown"}``.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import duckdb

_OWN_MEMORY = 1_500_000_000  # bytes, for the program and for what DuckDB does not count
_SHOWN_ROWS = 2
_SHOWN_CHARACTERS = 200


def main() -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        os.chdir(request["folder"])
        _bound_memory(request["memory"] + _OWN_MEMORY)
        print(json.dumps(answer(request["query"], request["memory"])), flush=True)  # noqa: T201


def answer(query: str, memory: int) -> dict[str, Any]:
    """Run a query in the current folder and return what came of it as plain values."""
    try:
        statements = duckdb.extract_statements(query)
        if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
            return {"error": "NoSelect", "message": "the query must be one SELECT", "unknown": []}
        with _locked(memory) as connection:
            return _rows(connection.execute(query))
    except duckdb.Error as error:
        return {**_failure(error), "unknown": _unknown_functions(query)}
    except MemoryError as error:
        return {**_failure(error), "unknown": []}


def _locked(memory: int) -> duckdb.DuckDBPyConnection:
    """A database in memory that reads the current folder, and nothing else, and cannot be reset."""
    connection = duckdb.connect(
        ":memory:",
        config={
            "threads": 1,
            "memory_limit": f"{memory}B",
            "max_temp_directory_size": "0B",
            "autoload_known_extensions": False,
            "autoinstall_known_extensions": False,
        },
    )
    folder = os.getcwd().replace("'", "''")  # noqa: PTH109  # one import less in each process
    connection.execute(f"set allowed_directories = ['{folder}/']")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def _rows(result: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    rows = result.fetchmany(_SHOWN_ROWS)
    return {"columns": len(result.description or ()), "rows": [_row(row) for row in rows]}


def _row(row: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [_value(value) for value in row[:_SHOWN_ROWS]]


def _value(value: Any) -> dict[str, Any]:
    if value is None or isinstance(value, bool):
        return {"value": value}
    try:
        if not isinstance(value, str | bytes):
            return {"value": float(value)}
    except (TypeError, ValueError, OverflowError):
        pass
    return {"other": type(value).__name__, "text": str(value)[:_SHOWN_CHARACTERS]}


def _failure(error: BaseException) -> dict[str, Any]:
    return {"error": type(error).__name__, "message": str(error)[:4000]}


def _unknown_functions(query: str) -> list[str]:
    """Functions that DuckDB does not have: it complains of a missing file before it looks."""
    with duckdb.connect(":memory:") as connection:
        tree = connection.execute("select json_serialize_sql(?)", [query]).fetchone()
        rows = connection.execute("select distinct function_name from duckdb_functions()")
        known = rows.fetchall()
    names = set(_function_names(json.loads(tree[0] if tree else "{}")))
    return sorted(names - {name for (name,) in known})


def _function_names(tree: Any) -> list[str]:
    names, stack = [], [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("class") == "FUNCTION" and not node.get("is_operator"):
                names.append(node["function_name"].lower())
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return names


def _bound_memory(limit: int) -> None:
    """Bound what DuckDB's own limit does not see; where the system cannot, that limit stands."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main()
