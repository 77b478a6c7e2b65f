"""Containers from nearby: connections that break, limits of their own, networks, and faults."""

from __future__ import annotations

import io
import os
import re
import socket
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from docker import DockerClient

from rubric_engine.isolation import Limits, Log
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.options import bounded
from rubric_engine.sandbox.docker.outcome import status_of
from rubric_engine.sandbox.docker.printed import Printed
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.sandbox.run_log import RunLog
from tests.sandbox.conftest import left_by

LIMITS = Limits(cpus=1.0)


@pytest.fixture
def box(engine: DockerClient) -> Iterator[Box]:
    """A box for containers without a watch; nothing may be left of it."""
    owner = new_owner()
    image = find_image(engine, load_recipe("cpu"))
    name = f"rubric-engine-test-{os.getpid()}"
    with Box(engine, name, labels_of(name, owner, 60.0), image) as made:
        yield made
    retire(owner)
    assert left_by(engine, os.getpid()) == []


def test_a_container_that_nobody_watches_ends_by_itself(box: Box) -> None:
    container = box.create(bounded(["sleep", "600"], -59.0), LIMITS, {})
    box.client.api.start(container)
    assert box.client.api.wait(container, timeout=60)["StatusCode"] == 124


def test_containers_of_a_network_do_not_see_each_other(box: Box) -> None:
    box.create(["true"], LIMITS, {}, online=True)
    network = box.client.networks.get(box.name)
    assert network.attrs["Options"] == {"com.docker.network.bridge.enable_icc": "false"}


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        threading.Event().wait(0.01)


def test_what_is_printed_is_read_on_after_the_connection_broke(box: Box) -> None:
    script = "echo first; until [ -e /box/go ]; do read -t 0.05 < <(:); done; echo second"
    container = box.create(["bash", "-c", script], LIMITS, {})
    with closing(RunLog(LIMITS)) as log, closing(Printed(box.client, container, log)) as printed:
        box.client.api.start(container)
        until(lambda: b"first" in log.recent)
        broken: Any = printed._socket
        broken._sock.shutdown(socket.SHUT_RDWR)
        assert printed.ended.wait(60)
        printed.again()
        assert not printed.ended.is_set()
        box.put(container, iter([_file("go")]))
        assert printed.ended.wait(60)
        assert re.fullmatch(r"first\n\n\[.*may be missing.*\]\nsecond\n", log.finish().log.text)


def _file(name: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(name))
    return made.getvalue()


LOST = Log(tail="CUDA error: GPU is lost")
LACKS = Log(head="timeout: failed to run command 'bash': No such file or directory")


def _status(exit_code: int, printed: Log, gpus: tuple[str, ...] = (), *, first: bool = True) -> str:
    ended = Ended(exit_code, False, None, datetime.now(UTC), 1.0, time_s=10.0)
    return status_of(ended, printed, gpus=bool(gpus), first=first)


@pytest.mark.parametrize(
    ("exit_code", "printed", "gpus", "status"),
    [
        (0, Log(), (), "ok"),
        (127, Log(head="bash: nothing: command not found"), (), "failed"),
        (1, LACKS, (), "failed"),
        (127, LACKS, (), "failed"),
        (127, Log(head="[FATAL tini (7)] exec timeout failed"), (), "failed"),
        (1, LOST, (), "failed"),
        (0, LOST, ("0",), "ok"),
        (1, Log(tail="CUDA out of memory"), ("0",), "failed"),
    ],
)
def test_what_the_script_says_is_its_own(
    exit_code: int, printed: Log, gpus: tuple[str, ...], status: str
) -> None:
    assert _status(exit_code, printed, gpus) == status


def test_a_device_that_a_script_says_was_lost_earns_one_more_attempt() -> None:
    with pytest.raises(Fault) as caught:
        _status(1, LOST, ("0",))
    assert (caught.value.status, caught.value.again) == ("infra.gpu", True)
    assert _status(1, LOST, ("0",), first=False) == "failed"
