"""Answers one query in a process of its own; started by `sql_desk.py`, never imported by others.

A process, because relative file names in a query follow the current folder, which belongs to the
whole process; because data files are untrusted and may bring their reader down; and because a
process can be ended at its time limit whatever it is doing. One for each query, so that none finds
what an earlier one left in memory. It imports DuckDB and the standard library alone, and runs
`sql_faults.py`, which does the same.

Standard input holds the request, ``{"folder", "query", "memory", "seconds", "parent"}``. The answer
on standard output is ``{"columns", "rows", "count", "star"}`` or ``{"error", "message", "wrong",
"star"}``: `star` tells whether the number of columns is the data's, `wrong` what is wrong with the
query whatever the data is.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from typing import Any

import duckdb

_OWN_MEMORY = 1_500_000_000  # bytes, for the program and for what DuckDB does not count
_GRACE = 2  # seconds after which it ends by itself, should nobody be left to end it
_COUNTED_ROWS = 1000
_SHOWN_CHARACTERS = 200
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Answer the request."""
    request = json.load(sys.stdin)
    _end_with_parent(request["parent"], int(request["seconds"]) + _GRACE)
    os.chdir(request["folder"])
    _bound_memory(request["memory"] + _OWN_MEMORY)
    json.dump(answer(request["query"], request["memory"]), sys.stdout)


def answer(query: str, memory: int) -> dict[str, Any]:
    """Run a query in the current folder and return what came of it as plain values."""
    try:
        statements = duckdb.extract_statements(query)
        if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
            message = "the query must be one SELECT"
            return {"error": "NoSelect", "message": message, "wrong": [], "star": False}
        with _locked(memory) as connection:
            return _rows(connection.execute(query)) | {"star": _has_star(_parsed(query))}
    except duckdb.Error as error:
        tree = _parsed(query)
        return {**_failure(error), "wrong": _wrong(tree, memory), "star": _has_star(tree)}
    except MemoryError as error:
        return {**_failure(error), "wrong": [], "star": False}


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
    rows = result.fetchmany(2)
    more = len(result.fetchmany(_COUNTED_ROWS)) if len(rows) == 2 else 0
    first = [_value(value) for value in rows[0][:1]] if rows else []
    return {
        "columns": len(result.description or ()),
        "rows": [first] if rows else [],
        "count": len(rows) + more,
    }


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


def _parsed(query: str) -> list[dict[str, Any]]:
    """All nodes of a query's syntax tree."""
    with duckdb.connect(":memory:") as connection:
        found = connection.execute("select json_serialize_sql(?)", [query]).fetchone()
    nodes, stack = [], [json.loads(found[0] if found else "{}")]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            nodes.append(node)
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return nodes


def _has_star(nodes: list[dict[str, Any]]) -> bool:
    return any(node.get("class") == "STAR" for node in nodes)


def _wrong(nodes: list[dict[str, Any]], memory: int) -> list[str]:
    """What no data could mend; the program is run, for an import would take the whole package."""
    faults = runpy.run_path(os.path.join(os.path.dirname(__file__), "sql_faults.py"))  # noqa: PTH118, PTH120
    with _locked(memory) as connection:
        said: list[str] = faults["wrong"](nodes, connection)
    return said


def _end_with_parent(parent: int, seconds: int) -> None:
    """See to it that a query ends when nobody waits for it any more."""
    signal.alarm(seconds)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before that was set
        sys.exit()


def _bound_memory(limit: int) -> None:
    """Bound what DuckDB's own limit does not see; where the system cannot, that limit stands."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    main()
