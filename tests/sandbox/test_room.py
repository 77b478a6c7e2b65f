"""Scripts that find no room: in a place of their own, or on the engine's disk."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator

import pytest
from docker import DockerClient

from rubric_engine.isolation import Execution, ExecutionStatus, Limits, Log
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.room import require_room
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from tests.sandbox.conftest import Run, log_of

LIMITS = Limits(cpus=1.0)
NO_ROOM = "tar: a.txt: Cannot write: No space left on device\n"


def failed(log: str = NO_ROOM, status: ExecutionStatus = "failed") -> Execution:
    return Execution(status=status, exit_code=1, log=Log(head=log))


@pytest.fixture
def small(engine: DockerClient) -> Iterator[Box]:
    """A box whose volume lies on a disk of half a MiB."""
    name, owner = f"rubric-engine-test-{secrets.token_hex(6)}", new_owner()
    labels = labels_of(name, owner, 600.0)
    options = {"type": "tmpfs", "device": "tmpfs", "o": "size=512k,uid=1000"}
    engine.volumes.create(name, labels=labels, driver_opts=options)
    with Box(engine, name, labels, find_image(engine, load_recipe("cpu"))) as box:
        yield box
    retire(owner)


def test_a_full_disk_of_the_engine_is_no_fault_of_the_script(small: Box) -> None:
    with pytest.raises(Fault, match="the engine's disk is full") as caught:
        require_room(small, failed(), LIMITS, threading.Event())
    assert (caught.value.status, caught.value.again) == ("infra.engine", False)


def test_what_says_nothing_of_room_or_did_not_fail_stays_as_it_is(small: Box) -> None:
    require_room(small, failed("Traceback ..."), LIMITS, threading.Event())
    require_room(small, failed(status="ok"), LIMITS, threading.Event())
    require_room(small, failed(status="timeout"), LIMITS, threading.Event())


def test_a_script_that_fills_a_place_of_its_own_has_failed(boxed: Run) -> None:
    run = boxed("head -c 3000000 /dev/zero > /tmp/big", tmp=1 << 20)
    assert run.status == "failed"
    assert "No space left on device" in log_of(run).text
