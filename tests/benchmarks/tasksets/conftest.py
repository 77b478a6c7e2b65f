"""One run over the example set; of the scripted server's requests exactly every fifth fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.tasksets import Results, load_task_set, run_task_set
from rubric_engine.testing import ScriptedServer
from tests.benchmarks.tasksets.example import EVERY_FIFTH, TASKS, scripted
from tests.cli.conftest import command as command


@pytest.fixture(scope="session")
def example_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, Path]:
    """The results, and the folder that holds them."""
    folder = tmp_path_factory.mktemp("example")
    with ScriptedServer(answer=scripted(), fault_at=EVERY_FIFTH) as server:
        results = run_task_set(
            load_task_set(TASKS),
            {"name": "m1", "base_url": server.base_url},
            judge_model={"name": "m2", "base_url": server.base_url},
            concurrency=12,
            runs=folder / "runs",
            out=folder / "results",
        )
        # 34 answers are due: 12 of the agent, 7 judgements of points and 5 * 3 of dimensions. Of 42
        # requests the 5th, 10th, ... 40th fail, so that 34 are answered.
        faults = [record.fault for record in server.requests]
        assert len(faults) == 42
        assert [at for at, fault in enumerate(faults, 1) if fault] == [5 * at for at in range(1, 9)]
    return results, folder / "results"
