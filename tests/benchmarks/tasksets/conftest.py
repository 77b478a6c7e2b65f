"""One run over the example set against a scripted server of which every fifth request fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.tasksets import Results, load_task_set, run_task_set
from rubric_engine.testing import ScriptedServer
from tests.benchmarks.tasksets.example import TASKS, scripted
from tests.cli.conftest import command as command


@pytest.fixture(scope="session")
def example_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, Path]:
    """The results, and the folder that holds them."""
    folder = tmp_path_factory.mktemp("example")
    with ScriptedServer(answer=scripted(), faults={"500": 0.1, "503": 0.1}) as server:
        results = run_task_set(
            load_task_set(TASKS),
            {"name": "m1", "base_url": server.base_url},
            judge_model={"name": "m2", "base_url": server.base_url},
            concurrency=12,
            runs=folder / "runs",
            out=folder / "results",
        )
        failed = sum(record.fault is not None for record in server.requests)
        assert failed / len(server.requests) > 0.1
    return results, folder / "results"
