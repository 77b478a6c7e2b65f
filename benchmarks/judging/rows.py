"""The figures of grading by a chat model, each beside its limit."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.judging.inputs import MAKER, make_inputs
from benchmarks.judging.serving import CONNECTIONS, LATENCY
from benchmarks.judging.trial import Room, Trial, least_chars, trial
from benchmarks.row import Row
from rubric_engine.model import ModelConfig, Usage
from rubric_engine.spending import price_of

DATA = "RUBRIC_ENGINE_TEST_DATA"
PAPERBENCH = "PAPERBENCH_DATA_DIR"

LIKE_REFERENCE = Room(max_chars=70_000)
"""With the paper and the instructions about 130 kB, as long as the reference's prompts."""

DEFAULT = Room(max_chars=120_000)
ALL = Room(max_chars="all", context=1_000_000)

WALL = {"rice": 1.4, "pinn": 1.25}
"""Most times the limit of the latency."""

REFERENCE_DOLLARS = 21.0


def judging_rows() -> Iterator[Row]:
    """Measure SimpleJudge against a server in its own process."""
    missing = [name for name in (DATA, PAPERBENCH) if not os.environ.get(name)]
    if missing:
        yield Row("SimpleJudge", f"left out: {' and '.join(missing)} not set")
        return
    data, papers = Path(os.environ[DATA]), Path(os.environ[PAPERBENCH]) / "papers"
    if not (data / MAKER).exists():
        yield Row("SimpleJudge", f"left out: {data} holds no {MAKER}")
        return
    with tempfile.TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs"
        make_inputs(data, inputs)
        for name in WALL:
            yield from _paper(name, papers / name / "rubric.json", inputs, Path(folder) / name)


def _paper(name: str, rubric: Path, inputs: Path, folder: Path) -> Iterator[Row]:
    yield from _at_130_kb(name, _trial(rubric, inputs, folder / "like", LIKE_REFERENCE, True))
    default = _trial(rubric, inputs, folder / "default", DEFAULT)
    yield from _uncovered(name, "default card", default, inputs, 4.0)
    if name == "rice":
        yield _dollars(default)
        everything = _trial(rubric, inputs, folder / "all", ALL, True)
        yield from _beside_bare(name, everything)
    else:
        everything = _trial(rubric, inputs, folder / "all", ALL)
    yield from _uncovered(name, "all files", everything, inputs, 1.5)


def _trial(rubric: Path, inputs: Path, folder: Path, room: Room, bare: bool = False) -> Trial:
    folder.mkdir(parents=True)
    return trial(rubric, inputs, folder, room, bare=bare, resumed=room is LIKE_REFERENCE)


def _at_130_kb(name: str, made: Trial) -> Iterator[Row]:
    ours, leaves = made.ours, made.ours.leaves
    least = LATENCY * (1 + math.ceil((leaves - 1) / CONNECTIONS))
    kb = made.stats.prompt_chars / leaves / 1000
    of_limit = ours.wall / least
    figure = f"{ours.wall:.2f} s, {of_limit:.2f} x {least:.1f} s"
    yield Row(
        f"{name}, {leaves:,} leaves of {kb:.0f} kB, wall",
        figure,
        of_limit <= WALL[name],
        f"{WALL[name]} x",
    )
    assert made.bare is not None
    assert made.resumed is not None
    yield Row(
        f"{name}, a bare loop of the SDK",
        f"{made.bare.wall:.2f} s, ours {ours.wall / made.bare.wall:.2f} x",
    )
    yield _row(f"{name}, calls a leaf", made.stats.requests / leaves, 1, "")
    yield _row(f"{name}, CPU a leaf", 1000 * ours.cpu / leaves, 3, "ms")
    yield _row(f"{name}, peak memory", ours.peak_mb, 180, "MB")
    same = "the same grades" if made.kept else "OTHER GRADES"
    figure = f"{made.calls_resumed} calls, {made.resumed.wall:.2f} s, {same}"
    held = made.calls_resumed == 0 and made.resumed.wall < 2 and made.kept
    yield Row(f"{name}, the finished run resumed", figure, held, "0 calls, 2 s, the same")


def _beside_bare(name: str, made: Trial) -> Iterator[Row]:
    assert made.bare is not None
    kb = made.stats.prompt_chars / made.ours.leaves / 1000
    ratio = made.ours.wall / made.bare.wall
    figure = f"{made.ours.wall:.2f} s, {ratio:.2f} x a bare loop"
    yield Row(f"{name}, all files, {kb:.0f} kB a prompt, wall", figure, ratio <= 1.15, "1.15 x")
    above = made.ours.peak_mb - made.bare.peak_mb
    figure = f"{made.ours.peak_mb:.0f} MB, {above:.0f} above a bare loop"
    yield Row(f"{name}, all files, peak memory", figure, above <= 60, "60 MB above")


def _uncovered(name: str, card: str, made: Trial, inputs: Path, most: float) -> Iterator[Row]:
    least = least_chars(made.run, inputs)
    yield _row(f"{name}, {card}, new to a prefix cache", made.uncovered / least, most, "x")


def _dollars(made: Trial) -> Row:
    """What the prompts cost at the list price, by the usage that the server counted."""
    tariff = price_of(ModelConfig(name="gpt-5.6"))
    assert tariff is not None
    lines = (made.run / "grades.jsonl").read_text().splitlines()
    usages = (json.loads(line)["grade"].get("usage", {}) for line in lines)
    dollars = sum(
        tariff.cost(Usage.model_validate(usage | {"output_tokens": 0})) for usage in usages
    )
    most = 0.4 * REFERENCE_DOLLARS
    return Row(
        "rice, default card, billed input", f"{dollars:.2f} $", dollars <= most, f"{most:.1f} $"
    )


def _row(name: str, figure: float, most: float, unit: str) -> Row:
    return Row(name, f"{figure:.2f} {unit}".rstrip(), figure <= most, f"{most:g} {unit}".rstrip())
