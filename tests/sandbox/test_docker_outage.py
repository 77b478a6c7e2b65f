"""An engine that goes away while a script runs: no verdict on the script comes of it."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.docker import DockerSandbox, Progress
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.conftest import Run, left_by, log_of
from tests.sandbox.remote_engines import copy_image

pytestmark = pytest.mark.slow


class OwnEngine:
    """An engine that the test may stop and start; it has no network at all."""

    def __init__(self, folder: Path) -> None:
        self.address = f"unix://{folder}/docker.sock"
        self._command = [
            "unshare", "--net", "dockerd", f"--host={self.address}", f"--data-root={folder}/root",
            f"--exec-root={folder}/exec", f"--pidfile={folder}/pid", "--bridge=none",
            "--iptables=false", "--log-level=error",
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while True:
            try:
                return connect(self.address).close()
            except SandboxError:
                assert time.monotonic() < end, "the engine does not start"

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=60)


@pytest.fixture(scope="module")
def own_engine(
    engine: DockerClient, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OwnEngine]:
    if os.getuid() != 0 or not shutil.which("unshare"):
        pytest.skip("an engine of one's own needs root and unshare")
    folder = tmp_path_factory.mktemp("engine")
    own = OwnEngine(folder)
    own.start()
    copy_image(load_recipe("cpu").image, own.address)
    yield own
    own.stop()
    shutil.rmtree(folder, ignore_errors=True)


class Outage:
    """Takes an engine away once, as soon as a run on it goes on."""

    def __init__(self, engine: OwnEngine) -> None:
        self._engine = engine
        self._thread: threading.Thread | None = None

    def __call__(self, progress: Progress) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._restart)
            self._thread.start()

    def _restart(self) -> None:
        self._engine.stop()
        self._engine.start()


# Docker's client leaves a socket open that it could not connect.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_engine_that_is_started_again_runs_the_script_again(
    boxed: Run, own_engine: OwnEngine
) -> None:
    outage = Outage(own_engine)
    run = boxed("sleep 3; echo 1 > new", sandbox=DockerSandbox(own_engine.address, tell=outage))
    assert (run.status, run.created) == ("ok", ("new",)), log_of(run).text
    assert run.attempts == 2
    with closing(connect(own_engine.address)) as client:
        assert left_by(client, os.getpid()) == []
    gc.collect()  # here, where the warning about such sockets is ignored
