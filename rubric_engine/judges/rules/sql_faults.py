"""What is wrong with a query whatever the data is; run by `sql_child.py`, in its process.

DuckDB complains of a missing file or column before it looks at the rest, and of a wrong constant
in the words that it has for wrong data. So the parts of a query that hang on no data are tried by
themselves. It imports DuckDB and the standard library alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb

Node = dict[str, Any]

_OPEN = {"COLUMN_REF", "SUBQUERY", "STAR", "LAMBDA", "LAMBDA_REF", "PARAMETER", "WINDOW",
         "POSITIONAL_REFERENCE", "DEFAULT"}  # fmt: skip

# What these say is of the machine, not of the query.
_NOT_TOLD = (duckdb.OutOfMemoryException, duckdb.IOException, duckdb.InterruptException,
             duckdb.InternalException, duckdb.FatalException)  # fmt: skip

_MOMENT = "timestamp '2000-01-01'"

# Of these functions the argument at a place is tried, the others being what suits any such one.
_PATTERN = (1, "regexp_matches('', {constant})")
_PROBES = {
    **dict.fromkeys(("regexp_matches", "regexp_full_match", "regexp_extract", "regexp_replace",
                     "regexp_extract_all", "regexp_split_to_array", "regexp_split_to_table",
                     "str_split_regex", "string_split_regex"), _PATTERN),
    **dict.fromkeys(("date_part", "datepart", "date_trunc", "datetrunc"),
                    (0, f"{{function}}({{constant}}, {_MOMENT})")),
    **dict.fromkeys(("date_diff", "datediff", "date_sub", "datesub"),
                    (0, f"{{function}}({{constant}}, {_MOMENT}, {_MOMENT})")),
    **dict.fromkeys(("strptime", "try_strptime"), (1, "try_strptime('', {constant})")),
    "strftime": (1, f"strftime({_MOMENT}, {{constant}})"),
    **dict.fromkeys(("quantile", "quantile_cont", "quantile_disc"),
                    (1, "{function}(0.5, {constant})")),
    **dict.fromkeys(("json_extract", "json_extract_string"), (1, "{function}('{{}}', {constant})")),
}  # fmt: skip


def wrong(nodes: list[Node], connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Say what no data could mend, given all nodes of a query's syntax tree."""
    known = _arities(connection)
    tables = {id(node["function"]) for node in nodes if node.get("type") == "TABLE_FUNCTION"}
    called = [node for node in nodes if node.get("class") == "FUNCTION"]
    named = {_name(node) for node in called if not node.get("is_operator")}
    said = [f"no such function: {name}" for name in sorted(named - known.keys())]
    tried = [cast for node in nodes if (cast := _cast(node))]
    said += [fault for cast in tried if (fault := _refused(connection, *cast))]
    # What `try` would have turned into NULL, and what calls `error` on purpose, is no fault.
    if "error" not in named and not any(node.get("type") == "OPERATOR_TRY" for node in nodes):
        scalars = [n for n in called if id(n) not in tables and _name(n) in known]
        said += [fault for node in scalars for fault in _called_wrong(node, connection, known)]
        fields = [n for n in nodes if n.get("type") == "STRUCT_EXTRACT" and _is_constant(n)]
        said += [fault for node in fields if (fault := _valueless(node, connection))]
        said += [fault for node in nodes for fault in _limited_wrong(node, connection)]
    return list(dict.fromkeys(said))


def _arities(connection: duckdb.DuckDBPyConnection) -> dict[str, list[int | None]]:
    """How many arguments each function takes, once for each way; None is any number."""
    rows = connection.execute(
        "select function_name, if(varargs is null and function_type in ('scalar', 'aggregate'),"
        " len(parameters), null) from duckdb_functions()"
    ).fetchall()
    known: dict[str, list[int | None]] = {}
    for name, number in rows:
        known.setdefault(name, []).append(number)
    return known


def _called_wrong(
    node: Node, connection: duckdb.DuckDBPyConnection, known: dict[str, list[int | None]]
) -> Iterator[str]:
    name, arguments = _name(node), [each["expression"] for each in node["arguments"]]
    numbers = known[name]
    if node["order_bys"].get("orders"):
        return  # `within group` hands over one argument more
    said: str | None
    if None not in numbers and len(arguments) not in numbers:
        empty = ", ".join(["NULL"] * len(arguments))
        said = _tried(connection, f'select "{name}"({empty})')
        if said and "No function matches" in said:
            yield f"{name} does not take {len(arguments)} arguments"
    elif _is_constant(node):
        said = _valueless(node, connection)
        if said:
            yield said
    elif name in _PROBES:
        yield from _probed(name, arguments, connection)


def _probed(
    name: str, arguments: list[Node], connection: duckdb.DuckDBPyConnection
) -> Iterator[str]:
    place, template = _PROBES[name]
    if len(arguments) <= place:
        return
    if _is_constant(arguments[place]):
        text = _written(arguments[place], connection)
        said = _tried(connection, "select " + template.format(function=name, constant=text))
        if said:
            yield said
    elif name.startswith("quantile"):
        yield f"the quantile of {name} must be a constant"


def _limited_wrong(node: Node, connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    if node.get("type") not in ("LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER"):
        return
    percent = " %" if "PERCENT" in str(node.get("limit_type") or node["type"]) else ""
    for word, after in (("limit", percent), ("offset", "")):
        if node.get(word) and _is_constant(node[word]):
            text = _written(node[word], connection)
            said = _tried(connection, f"select 1 {word} ({text}){after}")
            if said:
                yield said


def _valueless(node: Node, connection: duckdb.DuckDBPyConnection) -> str | None:
    """What DuckDB says against an expression of constants."""
    return _tried(connection, f"select {_written(node, connection)}")


def _tried(connection: duckdb.DuckDBPyConnection, query: str) -> str | None:
    """The first line of what DuckDB says against a query without data."""
    try:
        connection.execute(query).fetchall()
    except _NOT_TOLD:
        return None
    except duckdb.Error as error:
        return str(error).partition("\n")[0]
    return None


def _written(node: Node, connection: duckdb.DuckDBPyConnection) -> str:
    """An expression as SQL again."""
    found = connection.execute("select json_serialize_sql('select 1')").fetchone()
    tree = json.loads(found[0] if found else "{}")
    tree["statements"][0]["node"]["select_list"] = [node | {"alias": ""}]
    text = connection.execute("select json_deserialize_sql(?::json)", [json.dumps(tree)]).fetchone()
    return str(text[0] if text else "NULL").removeprefix("SELECT ")


def _is_constant(node: Node) -> bool:
    stack: list[Any] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if part.get("class") in _OPEN:
                return False
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
    return True


def _name(node: Node) -> str:
    return str(node["function_name"]).lower()


def _cast(node: Node) -> tuple[str | None, str] | None:
    """The constant, if it is one, and the type of a cast."""
    kind = node.get("type_expr")
    if node.get("class") != "CAST" or node.get("try_cast") or not kind or kind.get("children"):
        return None
    child = node.get("child")
    literal = child.get("literal") if isinstance(child, dict) else None
    text = literal["text"] if literal and literal.get("kind") == "STRING" else None
    return text, str(kind["type_name"])


def _refused(connection: duckdb.DuckDBPyConnection, text: str | None, kind: str) -> str | None:
    quoted = kind.replace('"', '""')
    try:
        connection.execute(f'select cast(? as "{quoted}")', [text]).fetchall()
    except duckdb.CatalogException:
        return f"no such type: {kind}"
    except duckdb.ConversionException:
        return f"{text!r} is no {kind}"
    except duckdb.Error:
        return None
    return None
