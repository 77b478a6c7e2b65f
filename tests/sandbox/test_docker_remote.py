"""Eight rows of the table of endings on engines at other addresses: over SSH, and over TLS."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.conftest import Run, left_by, log_of
from tests.sandbox.remote_engines import copy_image
from tests.sandbox.test_hostile import TABLE, Row

pytestmark = pytest.mark.slow

CASES = (
    "it succeeds",
    "it fails with a code",
    "its time is over, and children are detached and ignore TERM",
    "memory bomb in the script itself",
    "it fills the volume with many files",
    "a line of 5 MB",
    "links to /etc/shadow and ..",
    "network",
)


@pytest.fixture(params=["ssh_engine", "tls_engine"])
def remote(request: pytest.FixtureRequest, engine: DockerClient) -> Iterator[str]:
    """Address of an engine that is reached in another way, and on which nothing may be left."""
    address: str = request.getfixturevalue(request.param)
    copy_image(load_recipe("cpu").image, address)
    yield address
    with closing(connect(address)) as client:
        assert left_by(client, os.getpid()) == []


@pytest.mark.parametrize("row", [row for row in TABLE if row.what in CASES], ids=lambda r: r.what)
def test_a_remote_engine_gives_the_same_ending(row: Row, boxed: Run, remote: str) -> None:
    # On a busy machine a way there may fail once; the second attempt then has the same ending.
    row.check(boxed(row.script, sandbox=DockerSandbox(remote), **row.limits))


def test_many_bytes_go_to_a_remote_engine_and_back(boxed: Run, root: Path, remote: str) -> None:
    (root / "data.bin").write_bytes(os.urandom(1 << 25))
    run = boxed("cp data.bin copy.bin; sha256sum data.bin", sandbox=DockerSandbox(remote))
    assert run.status == "ok", log_of(run).text
    assert run.submission is not None
    assert run.submission.files["copy.bin"].sha256 == log_of(run).text.split()[0]
    assert run.copied == ("copy.bin",)
