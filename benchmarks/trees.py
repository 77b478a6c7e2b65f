"""Rubrics of any size, made up and the same every time, as files."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

CATEGORIES = ("Code Development", "Code Execution", "Result Analysis")
FAN_OUT = 5
WORDS = (
    "the",
    "model",
    "loss",
    "of",
    "each",
    "run",
    "is",
    "trained",
    "with",
    "seed",
    "and",
    "table",
)


def write_tree(folder: Path, nodes: int, suffix: str) -> Path:
    """Write a rubric of so many criteria.

    Args:
        folder: Where to.
        nodes: How many criteria.
        suffix: ``json`` for a PaperBench file, ``yaml`` for one with our header.

    Returns:
        The file.
    """
    root = _tree(nodes)
    path = folder / f"{nodes}.{suffix}"
    if suffix == "json":
        path.write_text(json.dumps(root))
    else:
        path.write_text("rubric: 1\nroot:\n" + "\n".join(_yaml_lines(root, "  ")) + "\n")
    return path


def _tree(nodes: int) -> dict[str, Any]:
    """A tree in which every group is full, filled level by level."""
    chance = random.Random(nodes)
    rows = [_node(index, chance) for index in range(nodes)]
    for index in range(1, nodes):
        rows[(index - 1) // FAN_OUT]["sub_tasks"].append(rows[index])
    for row in rows:
        if not row["sub_tasks"]:
            row["task_category"] = chance.choice(CATEGORIES)
            row["finegrained_task_category"] = "Method Implementation"
    return rows[0]


def _node(index: int, chance: random.Random) -> dict[str, Any]:
    return {
        "id": f"criterion-{index}",
        "requirements": " ".join(chance.choices(WORDS, k=24)),
        "weight": chance.randint(1, 9),
        "sub_tasks": [],
        "task_category": None,
        "finegrained_task_category": None,
    }


def _yaml_lines(node: dict[str, Any], indent: str) -> list[str]:
    lines = [
        f"{indent}{key}: {value}" for key, value in node.items() if key != "sub_tasks" and value
    ]
    if node["sub_tasks"]:
        lines.append(f"{indent}sub_tasks:")
    for child in node["sub_tasks"]:
        first, *rest = _yaml_lines(child, indent + "    ")
        lines += [f"{indent}  - {first.strip()}", *rest]
    return lines
