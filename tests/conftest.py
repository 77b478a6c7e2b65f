"""Fixtures that several test files share: data that is not shipped, and a small submission."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine must not turn a law into a failure, and a check of a change must not be a matter
# of luck: new examples are for people at work.
settings.register_profile(
    "laws",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("laws")

ROOT = Path(__file__).parent.parent

_UNSET = re.compile(r"Skipped: [A-Z_]+ is not set'")
"""The one reason for which CI may skip: a variable that names data, or a GPU, is not there."""


def pytest_configure() -> None:
    """Take Ctrl-C, also where a shell's background job ignores it and its children would, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where CI is set, a part that is missing is a failure; data that is not named may be."""
    report = yield
    reason = str(report.longrepr)
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and os.environ.get("CI") and not _UNSET.search(reason):
        report.outcome = "failed"
        report.longrepr = f"a part that this test needs is missing: {reason}"
    return report


def _folder(variable: str) -> Path:
    """The folder that a variable names: skip where it is unset, fail where it is wrong."""
    value = os.environ.get(variable)
    if value is None:
        pytest.skip(f"{variable} is not set")
    folder = Path(value)
    if not folder.is_dir():
        pytest.fail(f"{variable} is set, but {folder} is no folder")
    return folder


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests a state folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


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
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, named by TMPDIR, that all temporary files of the test go to."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    tempfile.tempdir = None  # Python looks once in a process; let it look again
    assert tempfile.gettempdir() == str(folder)
    yield folder
    tempfile.tempdir = None


_OBEYING = """
import ctypes
import os
import sys
if os.geteuid() == 0:  # root writes everywhere, but for the right to pass modes over
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-c", *sys.argv[1:]])
"""


@pytest.fixture(scope="session")
def obeying() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python in a process that may not write where modes forbid it, whoever runs the tests."""

    def run(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", _OBEYING, code, *map(str, arguments)]
        told = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.run(words, env=told, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def read_only() -> Iterator[Callable[[Path], None]]:
    """Take the right to write a folder and what is in it away, until the test ends."""
    modes: dict[Path, int] = {}

    def protect(folder: Path) -> None:
        for entry in (*folder.rglob("*"), folder):
            modes[entry] = entry.stat().st_mode
            entry.chmod(modes[entry] & ~0o222)

    yield protect
    for entry, mode in modes.items():
        if entry.exists():
            entry.chmod(mode)


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
