"""What is wrong with a check's text that can be told without a submission, for lint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rubric_engine.judges.rules import json_path, regex


def _query(text: str) -> str | None:
    import duckdb

    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        return " ".join(str(error).split("\n", maxsplit=1)[0].split())
    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
        return "it must be one SELECT"
    return None


REFUSALS: Mapping[str, Callable[[str], str | None]] = MappingProxyType(
    {"pattern": regex.refusal, "json": json_path.refusal, "query": _query}
)
"""What says what is wrong with a text, or None, by the kind of text."""
