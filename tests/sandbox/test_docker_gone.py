"""Containers that must go: of a run that was cancelled, killed or interrupted, or that vanished."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker import DockerSandbox, Progress, reap
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.labels import RUN, labels_of
from rubric_engine.sandbox.docker.results import take_out
from rubric_engine.sandbox.docker.stopping import unless_stopped
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.submission import load_submission
from tests.sandbox.conftest import Run, left_by

FOREVER = "sleep 600 & echo started; wait"


def started(engine: DockerClient, process: int) -> str:
    """Wait until a container of a process prints; returns its name."""
    while True:
        for name in left_by(engine, process):
            for one in engine.api.containers(filters={"name": name}):
                return str(one["Names"][0]).strip("/")


def test_cancelling_leaves_nothing(root: Path, engine: DockerClient) -> None:
    (root / "reproduce.sh").write_text(FOREVER)

    async def cancel() -> None:
        run = asyncio.create_task(DockerSandbox().run(load_submission(root), RunSpec()))
        await asyncio.to_thread(started, engine, os.getpid())
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(cancel())
    assert left_by(engine, os.getpid()) == []


def test_cancelling_is_heard_while_files_are_copied(engine: DockerClient) -> None:
    owner, stop = new_owner(), threading.Event()
    image = find_image(engine, load_recipe("cpu"))

    def endless() -> Iterator[bytes]:
        """A file without end, of which more is asked for until somebody stops it."""
        member = tarfile.TarInfo("submission/big")
        member.size = 1 << 40
        yield member.tobuf(tarfile.GNU_FORMAT)
        yield bytes(1 << 20)
        stop.set()
        while True:
            yield bytes(1 << 20)

    with Box(engine, "rubric-engine-test-stop", labels_of("test", owner, 60.0), image) as box:
        limits = Limits(cpus=1.0)
        container = box.create(["true"], limits, {})
        with pytest.raises(Fault, match="cancelled"):
            box.put(container, unless_stopped(endless(), stop))
        with pytest.raises(Fault, match="cancelled"):
            take_out(box, container, limits, stop, name="x", skip=None)
    retire(owner)
    assert left_by(engine, os.getpid()) == []


def test_a_container_that_vanishes_is_made_again_and_given_up(
    boxed: Run, engine: DockerClient
) -> None:
    removed: list[str] = []

    def remove(_: Progress) -> None:
        name = started(engine, os.getpid())
        removed.append(name)
        engine.api.remove_container(name, force=True)

    run = boxed(FOREVER, sandbox=DockerSandbox(tell=remove))
    assert (run.status, run.attempts) == ("infra.lost", 3)
    assert not run.usable
    assert len(set(removed)) == 3


OWNER = """
import asyncio, sys
from rubric_engine.isolation import RunSpec
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.submission import load_snapshot, load_submission, save_snapshot
asyncio.run(DockerSandbox().run(load_submission(sys.argv[1]), RunSpec()))
"""


@pytest.fixture
def owner(root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs a script without end."""
    (root / "reproduce.sh").write_text(FOREVER)
    with subprocess.Popen([sys.executable, "-c", OWNER, str(root)]) as process:
        yield process
        process.kill()


def test_what_a_killed_process_left_goes_at_the_next_start(
    boxed: Run, engine: DockerClient, owner: subprocess.Popen[bytes]
) -> None:
    started(engine, owner.pid)
    reap(engine)
    assert left_by(engine, owner.pid), "its owner lives"
    owner.kill()
    owner.wait()
    assert left_by(engine, owner.pid)
    assert boxed("true").status == "ok"
    assert left_by(engine, owner.pid) == []


def test_an_interrupt_leaves_nothing(engine: DockerClient, owner: subprocess.Popen[bytes]) -> None:
    started(engine, owner.pid)
    owner.send_signal(signal.SIGINT)
    owner.wait()
    assert left_by(engine, owner.pid) == []


def test_what_is_not_ours_is_left_alone(engine: DockerClient) -> None:
    volumes = [
        engine.volumes.create(labels={"rubric-engine.owner": "0/0/0/0"}),
        engine.volumes.create(labels={RUN: "x", "rubric-engine.owner": "nonsense"}),
        engine.volumes.create(labels={RUN: "x", "rubric-engine.host": "another",
                                      "rubric-engine.deadline": "99999999999"}),
    ]  # fmt: skip
    past = engine.volumes.create(
        labels={RUN: "x", "rubric-engine.host": "another", "rubric-engine.deadline": "1"}
    )
    gone = reap(engine)
    for volume in volumes:
        volume.reload()
        volume.remove()
    assert past.name in gone.volumes
