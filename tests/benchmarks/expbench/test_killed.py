"""`expbench grade` killed in the middle of its work: what was answered is not asked for again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.testing import ScriptedServer
from rubric_engine.testing.values import Request
from tests.benchmarks.expbench.twenty import TWENTY, write_twenty

pytestmark = pytest.mark.slow

CONNECTIONS, PAUSES = 3, (7, 19, 33, 48)


def killing(process: list[subprocess.Popen[bytes]]) -> Callable[[Request], None]:
    """Answers as ever, and kills what grades as some of its requests arrive."""
    left, lock = list(PAUSES), threading.Lock()

    def say(request: Request) -> None:
        with lock:
            if left and request.number >= left[0]:
                left.pop(0)
                process[-1].kill()

    return say


def test_a_kill_loses_what_is_in_flight_and_no_more(tmp_path: Path) -> None:
    write_twenty(tmp_path, TWENTY)
    process: list[subprocess.Popen[bytes]] = []
    with ScriptedServer(answer=killing(process), latency=0.02) as server:
        words = ["expbench", "grade", "answers", "--tasks", "tasks", "--repos", "repos"]
        words += ["--model", "m", "--base-url", server.base_url, "--sandbox", "none"]
        words += ["--max-connections", str(CONNECTIONS), "--yes", "-q"]
        command = [sys.executable, "-c", "from rubric_engine.cli import main; main()", *words]
        env = {**os.environ, "OPENAI_API_KEY": "k"}
        for _ in range(len(PAUSES) + 1):
            process.append(subprocess.Popen(command, cwd=tmp_path, env=env))
            if process[-1].wait() == 0:
                break
        asked = [record.prompt for record in server.requests]
    assert [one.returncode for one in process] == [-9] * len(PAUSES) + [0]
    again = len(asked) - len(set(asked))
    assert len(PAUSES) <= again <= len(PAUSES) * CONNECTIONS
