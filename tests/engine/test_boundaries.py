"""A new benchmark or judge needs no change in the engine, and none reaches into what is its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rubric_engine

ROOT = Path(__file__).parents[2]
BUILT_ON_IT = ("rubric_engine.benchmarks", "rubric_engine.judgeeval", "rubric_engine.web")
SOURCES = sorted([*(ROOT / "rubric_engine" / "benchmarks").rglob("*.py"),
                  *(ROOT / "examples").glob("*.py")])  # fmt: skip


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Module and name of everything that a source imports, at its top or in a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", one.name) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from ((one.name, "") for one in node.names)


def private_attributes(tree: ast.AST) -> Iterator[str]:
    """Private names that are looked up on anything but the object itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            yield from [] if own else [node.attr]


def _is_private(name: str) -> bool:
    of_tuples = {"_asdict", "_fields", "_replace"}  # which a named tuple gives to all
    return name.startswith("_") and not name.startswith("__") and name not in of_tuples


def test_the_engine_knows_nothing_of_what_is_built_on_it() -> None:
    tree = ast.parse((ROOT / "rubric_engine" / "engine.py").read_text())
    found = {f"{module}.{name}" for module, name in imported(tree)}
    assert not [one for one in found if one.startswith(BUILT_ON_IT)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_built_on_the_engine_uses_public_names_only(source: Path) -> None:
    tree = ast.parse(source.read_text())
    private = [
        f"{module}.{name}"
        for module, name in imported(tree)
        if module.startswith("rubric_engine") and any(map(_is_private, (*module.split("."), name)))
    ]
    assert private == []
    assert list(private_attributes(tree)) == []


def test_the_toy_benchmark_is_made_of_the_one_public_namespace_in_sixty_lines() -> None:
    source = ROOT / "examples" / "toy_benchmark.py"
    assert len(source.read_text().splitlines()) <= 60
    used = [(module, name) for module, name in imported(ast.parse(source.read_text()))
            if module.startswith("rubric_engine")]  # fmt: skip
    assert {module for module, _ in used} == {"rubric_engine"}
    assert {name for _, name in used} <= set(rubric_engine.__all__)
