"""Measure a call, or a fresh process, several times and keep the medians."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Medians in seconds.

    Attributes:
        wall: Time on the clock.
        cpu: Time of this process, or of the one that was started, on all cores.
    """

    wall: float
    cpu: float


def measure(call: Callable[[], object], *, rounds: int) -> Timing:
    """Call so many times, after one call that does not count."""
    call()
    walls, cpus = [], []
    for _ in range(rounds):
        gc.collect()  # what the round before left is not this round's cost
        wall, cpu = time.perf_counter(), time.process_time()
        call()
        cpus.append(time.process_time() - cpu)
        walls.append(time.perf_counter() - wall)
    return Timing(statistics.median(walls), statistics.median(cpus))


def measure_process(code: str, *arguments: str, rounds: int) -> Timing:
    """Run Python code in so many fresh processes, after one that does not count."""
    command = [sys.executable, "-c", code, *arguments]
    walls, cpus = [], []
    for _ in range(rounds + 1):
        wall, before = time.perf_counter(), os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        walls.append(time.perf_counter() - wall)
        cpus.append(
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
    return Timing(statistics.median(walls[1:]), statistics.median(cpus[1:]))
