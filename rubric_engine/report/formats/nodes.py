"""Single criteria out of the columns of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubric_engine.report.details import Detail
from rubric_engine.report.run_data import RunPage

Node = dict[str, Any]


def nodes_of(page: RunPage) -> Iterator[Node]:
    """The criteria in document order, each with its index `at` and its `level`, 0 for the root."""
    columns = page.run["nodes"]
    levels: list[int] = []
    for at, parent in enumerate(columns["parent"]):
        levels.append(0 if parent < 0 else levels[parent] + 1)
        yield {name: column[at] for name, column in columns.items()} | {
            "at": at,
            "level": levels[at],
        }


def detail_of(page: RunPage, node: Node) -> Detail | None:
    """What is known of a leaf beyond the columns; None for a group."""
    chunk = page.chunks[node["at"] // page.run["details"]["size"]]
    found: Detail | None = chunk.get(str(node["at"]))
    return found


def explanation_of(page: RunPage, node: Node) -> str:
    """Why a leaf has its grade, in its judge's words; empty for a group."""
    grade = (detail_of(page, node) or {}).get("grade") or {}
    return str(grade.get("explanation") or "")


def lost_first(page: RunPage) -> list[Node]:
    """Leaves, and groups that own their points, by points lost; what lost none is out."""
    nodes = list(nodes_of(page))
    shared = {node["parent"] for node in nodes if node["lost"] is not None}
    owners = [node for node in nodes if (node["lost"] or 0) > 0 and node["at"] not in shared]
    return sorted(owners, key=lambda node: (-node["lost"], -node["open"]))
