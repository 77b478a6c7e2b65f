"""Fixtures that several test files share: data that is not shipped, and a small submission."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not turn a law into a failure.
settings.register_profile("laws", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("laws")

ROOT = Path(__file__).parent.parent


def _folder(variable: str) -> Path:
    """The folder that a variable names: skip where it is unset, fail where it is wrong."""
    value = os.environ.get(variable)
    if value is None:
        pytest.skip(f"{variable} is not set")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} is set, but {folder} is no folder")
    return folder


@pytest.fixture(scope="session")
def test_data() -> Path:
    """Labelled trees and expected values, by RUBRIC_ENGINE_TEST_DATA."""
    return _folder("RUBRIC_ENGINE_TEST_DATA")


@pytest.fixture(scope="session")
def paperbench_papers() -> Path:
    """PaperBench's paper folders, by PAPERBENCH_DATA_DIR."""
    return _folder("PAPERBENCH_DATA_DIR") / "papers"


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture
def make_tree(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Path]:
    """Write files, given by relative path, into a fresh folder and return it."""

    def make(files: dict[str, str | bytes], name: str = "submission") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return make
