"""The scripted server and the measured processes: each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.judging.figures import Figures
from rubric_engine.testing import Stats

LATENCY = 0.3
"""Seconds from a request to its answer."""

CONNECTIONS = 100


@dataclass(frozen=True)
class Serving:
    """A server that runs.

    Attributes:
        base_url: Where.
    """

    base_url: str

    def stats(self) -> Stats:
        """What it saw so far."""
        with urllib.request.urlopen(self.base_url.removesuffix("v1") + "stats") as response:
            return Stats(**json.load(response))


@contextmanager
def serving() -> Iterator[Serving]:
    """Run a server that nobody has asked yet."""
    command = [sys.executable, "-m", "rubric_engine.testing.server", "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Serving(f"http://127.0.0.1:{process.stdout.readline().strip()}/v1")
        finally:
            process.terminate()


def measured(module: str, *arguments: Any) -> Figures:
    """Run one of the measured programs in a fresh process."""
    command = [sys.executable, "-m", f"benchmarks.judging.{module}", *map(str, arguments)]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"OPENAI_API_KEY": "none"},
    )  # fmt: skip
    return Figures.from_json(done.stdout)
