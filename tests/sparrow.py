"""A real server of decisions that is somebody else's, and runs anywhere."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest


@pytest.fixture
def sparrow() -> Iterator[str]:
    """Address of a real server of somebody else's."""
    yield from _served("nano-general")


@pytest.fixture
def robot() -> Iterator[str]:
    """Address of one with another model."""
    yield from _served("nano-robot")


def _served(model: str) -> Iterator[str]:
    pytest.importorskip("sparrow_decider")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "sparrow_decider.cli", "--model", model]
    words = [*command, "serve", "--port", str(port)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            assert "/v1/systemone" in process.stderr.readline()
            while not _listens(port):
                assert process.poll() is None
            yield f"http://localhost:{port}/v1"
        finally:
            process.kill()


def _listens(port: int) -> bool:
    try:
        with urlopen(f"http://localhost:{port}/", timeout=5):
            return True
    except OSError:
        return False
