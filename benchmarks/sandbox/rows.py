"""What a sandbox adds to the engine's own time: both side by side, turn by turn."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from benchmarks.row import Row
from rubric_engine.errors import SandboxError
from rubric_engine.isolation import SCRIPT, RunSpec
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.submission import load_submission

LIMIT = 1.25
"""Most times the engine's own time."""

ROUNDS = 9
MEGABYTES = 100
AT_ONCE = 8


def sandbox_rows() -> Iterator[Row]:
    """Measure runs in Docker against plain calls of the engine, where one answers."""
    try:
        with closing(connect()) as client:
            image = find_image(client, load_recipe("cpu"))
    except SandboxError as error:
        yield Row("a run in Docker", f"left out: {error.message}")
        return
    with tempfile.TemporaryDirectory() as place:
        small, large = Path(place) / "small", Path(place) / "large"
        _write(small, 0)
        _write(large, MEGABYTES)
        yield _row("Docker, a script of 0 s", small, image)
        yield _row(f"Docker, {MEGABYTES} MB in and out", large, image)
        yield _row(f"Docker, {AT_ONCE} at once", small, image, at_once=AT_ONCE)


def _row(name: str, folder: Path, image: str, *, at_once: int = 1) -> Row:
    ours, plain = _side_by_side(
        lambda: _ours(folder, at_once), lambda: _plain(folder, image, at_once)
    )
    ratio = ours / plain
    figure = f"{ours:.2f} s, the engine's own {plain:.2f} s, {ratio:.2f} x"
    return Row(name, figure, ratio <= LIMIT, f"{LIMIT} x")


def _side_by_side(ours: Callable[[], None], plain: Callable[[], None]) -> tuple[float, float]:
    """Medians of both, in seconds by the clock, after one round that does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS + 1):
        # Who comes first changes: what one leaves to the disk, the other waits for.
        for which in (0, 1) if number % 2 else (1, 0):
            began = time.perf_counter()
            (ours, plain)[which]()
            times[which].append(time.perf_counter() - began)
    return statistics.median(times[0][1:]), statistics.median(times[1][1:])


def _ours(folder: Path, at_once: int) -> None:
    async def all_of_them() -> None:
        box, submission = DockerSandbox(), load_submission(folder)
        runs = await asyncio.gather(*(box.run(submission, RunSpec()) for _ in range(at_once)))
        assert all(run.status == "ok" for run in runs)

    asyncio.run(all_of_them())


def _plain(folder: Path, image: str, at_once: int) -> None:
    from benchmarks.sandbox.plain import run_plainly

    def one(_: int) -> None:
        with tempfile.TemporaryDirectory() as out:
            run_plainly(folder, image, Path(out))

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(at_once)))


def _write(folder: Path, megabytes: int) -> None:
    folder.mkdir()
    (folder / SCRIPT).write_text("true\n")
    for number in range(megabytes):
        (folder / f"{number}.bin").write_bytes(os.urandom(1_000_000))
