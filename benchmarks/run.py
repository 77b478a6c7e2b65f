"""How fast rubrics load, commands start, reports open, judges are measured, models grade and more.

Run ``python -m benchmarks.run`` in the root of the repository. It prints figures and, next to
each that has a limit, whether it keeps it; with ``--check`` it exits 1 where one does not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from benchmarks.judgeeval.rows import judgeeval_rows
from benchmarks.judging.rows import judging_rows
from benchmarks.page.rows import page_rows
from benchmarks.row import Row
from benchmarks.sandbox.rows import sandbox_rows
from benchmarks.timing import Timing, measure, measure_process
from benchmarks.trees import write_tree
from rubric_engine.grading import Grade
from rubric_engine.rubric_file import load_rubric
from rubric_engine.scoring import propagate

SIZES = {1_000: 21, 10_000: 7, 100_000: 3}
"""Criteria of a generated tree, and how often it is measured."""

PINN_SECONDS = 0.15
GROWTH = 1.5
START_SECONDS = 0.5

CLI = "import sys; from rubric_engine.cli import main; sys.argv[0] = 'rubric-engine'; main()"


def main() -> None:
    """Print every figure as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 where a limit is missed")
    check = parser.parse_args().check
    missed = 0
    for row in rows():
        print(row, flush=True)
        missed += row.kept is False
    sys.exit(1 if check and missed else 0)


def rows() -> Iterator[Row]:
    """Measure all, one row after the other."""
    yield Row("medians of several rounds", "wall    cpu     to the parser")
    yield pinn()
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("json", "yaml"):
            yield from growth(Path(folder), suffix)
    yield from starts()
    yield from page_rows()
    yield from judgeeval_rows()
    yield from judging_rows()
    yield from sandbox_rows()


def pinn() -> Row:
    """The largest public rubric, where it is at hand."""
    name = "json, pinn's 2,551 criteria"
    data = os.environ.get("PAPERBENCH_DATA_DIR")
    if not data:
        return Row(name, "left out: PAPERBENCH_DATA_DIR is not set")
    path = Path(data) / "papers" / "pinn" / "rubric.json"
    ours, bare = _both(path, rounds=15)
    kept = ours.wall < PINN_SECONDS
    return Row(name, _times(ours, bare), kept, f"{PINN_SECONDS} s")


def growth(folder: Path, suffix: str) -> Iterator[Row]:
    """Trees of growing size: what a criterion costs must not grow with them."""
    each: dict[int, float] = {}
    for size, rounds in SIZES.items():
        ours, bare = _both(write_tree(folder, size, suffix), rounds=rounds)
        each[size] = ours.cpu / size
        figure = f"{_times(ours, bare)}  {each[size] * 1e6:.0f} us each"
        yield Row(f"{suffix}, {size:,} criteria", figure)
    ratio = each[max(SIZES)] / each[min(SIZES)]
    name = f"{suffix}, cost of a criterion, 100,000 to 1,000"
    yield Row(name, f"{ratio:.2f}", ratio <= GROWTH, f"{GROWTH}")


def starts() -> Iterator[Row]:
    """Fresh processes."""
    bare = measure_process("pass", rounds=9)
    yield Row("python -c pass", _times(bare))
    for name, code, arguments in (
        ("import rubric_engine", "import rubric_engine", ()),
        ("import the core", "from rubric_engine import load_rubric, propagate", ()),
        ("rubric-engine --help", CLI, ("--help",)),
    ):
        ours = measure_process(code, *arguments, rounds=9)
        kept = ours.wall < START_SECONDS
        yield Row(name, _times(ours), kept, f"{START_SECONDS} s")


def _both(path: Path, *, rounds: int) -> tuple[Timing, Timing]:
    ours = measure(lambda: _load_and_score(path), rounds=rounds)
    return ours, measure(lambda: _parse_and_walk(path), rounds=max(1, rounds // 3))


def _load_and_score(path: Path) -> object:
    rubric = load_rubric(path)
    met = Grade.graded(1.0)
    return propagate(rubric, dict.fromkeys(rubric.leaves(), met))


def _parse_and_walk(path: Path) -> dict[str, Any]:
    """The least that anyone must do: parse, and put every criterion under its id."""
    with path.open() as file:
        parsed = json.load(file) if path.suffix == ".json" else yaml.load(file, yaml.CSafeLoader)
    stack, found = [parsed.get("root", parsed)], {}
    while stack:
        node = stack.pop()
        found[node["id"]] = node
        stack.extend(node.get("sub_tasks", ()))
    return found


def _times(ours: Timing, bare: Timing | None = None) -> str:
    beside = f" {ours.cpu / bare.cpu:4.1f} x" if bare else ""
    return f"{ours.wall:.3f} s {ours.cpu:.3f} s{beside}"


if __name__ == "__main__":
    main()
