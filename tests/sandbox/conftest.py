from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine.isolation import Execution, Limits, Log, RunSpec
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.submission import load_submission
from tests.submission.conftest import ordinary_user

__all__ = ["ordinary_user"]

Run = Callable[..., Execution]


def log_of(execution: Execution) -> Log:
    """What the script printed."""
    assert execution.log is not None
    return execution.log


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A submission without a script."""
    root = tmp_path / "handed-in"
    root.mkdir()
    (root / "keep.txt").write_text("1")
    return root


@pytest.fixture
def run(root: Path) -> Run:
    """Run a script in the local sandbox on the submission at `root`."""

    def go(
        script: str | None = None, *, time: float = 60.0, log: int = 10_000_000, **spec: object
    ) -> Execution:
        if script is not None:
            (root / "reproduce.sh").write_text(script)
        wanted = RunSpec.model_validate({"limits": Limits(time=time, log_bytes=log), **spec})
        return asyncio.run(LocalSandbox().run(load_submission(root), wanted))

    return go
