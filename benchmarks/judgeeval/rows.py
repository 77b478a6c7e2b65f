"""How quickly a judge's figures are there, each beside its limit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.judgeeval.labelling import write_labelling
from benchmarks.judgeeval.trees import made_up
from benchmarks.row import Row
from benchmarks.timing import measure, measure_process
from rubric_engine.judgeeval import Pairs, agreement, baselines, compare, estimates

BOOTSTRAP_SECONDS = 2.0
METRICS_SECONDS = 0.05
LABELS_SECONDS = 1.0
CLI = "import sys; from rubric_engine.cli import main; sys.argv[0] = 'rubric-engine'; main()"
LARGEST = "submission 1"

REFERENCE = "reference 1.430 s"
"""The reference's metrics of the same number of leaves, measured once."""


def judgeeval_rows() -> Iterator[Row]:
    """Measure the figures, the intervals and a comparison."""
    pairs = made_up()
    largest = pairs.only(lambda row: row.submission == LARGEST)
    took = measure(lambda: agreement(_fresh(largest)), rounds=9)
    name = f"agreement, one tree of {len(largest):,} leaves"
    figure = f"{took.wall:.3f} s {took.cpu:.3f} s  {REFERENCE}"
    yield Row(name, figure, took.cpu < METRICS_SECONDS, f"{METRICS_SECONDS} s CPU")
    for name, call in (
        ("agreement and intervals", lambda: (agreement(_fresh(pairs)), estimates(_fresh(pairs)))),
        ("comparison", lambda: compare(_fresh(pairs), _fresh(pairs))),
    ):
        took = measure(call, rounds=3)
        yield Row(
            f"{name}, {len(pairs):,} leaves, 2,000 resamples",
            f"{took.wall:.3f} s {took.cpu:.3f} s",
            took.cpu < BOOTSTRAP_SECONDS,
            f"{BOOTSTRAP_SECONDS:g} s CPU",
        )
    with tempfile.TemporaryDirectory() as folder:
        yield label_agreement(Path(folder) / "labels")
    took = measure(lambda: baselines(_fresh(pairs)), rounds=3)
    yield Row(f"baselines, {len(pairs):,} leaves", f"{took.wall:.3f} s {took.cpu:.3f} s")


def label_agreement(folder: Path) -> Row:
    """The whole command `label agreement`, start included."""
    count = write_labelling(folder)
    took = measure_process(CLI, "label", "agreement", str(folder), rounds=5)
    kept = took.cpu < LABELS_SECONDS
    figure = f"{took.wall:.3f} s {took.cpu:.3f} s"
    return Row(f"label agreement, {count:,} labels", figure, kept, f"{LABELS_SECONDS:g} s CPU")


def _fresh(pairs: Pairs) -> Pairs:
    """The same rows with nothing computed yet; checking them is part of the cost."""
    return Pairs.of(pairs.rows)
