"""Fixtures for files that are written and read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from rubric_engine.errors import RubricError
from rubric_engine.rubric_file import load_rubric

settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("laws")

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file named rubric.yaml."""

    def write_file(content: str | bytes) -> Path:
        path = tmp_path / "rubric.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def refused(write: Write) -> Callable[[str | bytes], RubricError]:
    """Load content that must be refused, and return the error."""

    def refuse(content: str | bytes) -> RubricError:
        with pytest.raises(RubricError) as caught:
            load_rubric(write(content))
        error = caught.value
        assert error.exit_code == 3
        assert error.problems
        assert error.problems[0].code == error.code
        return error

    return refuse
