from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Execution, Limits, Log, RunSpec, Sandbox
from rubric_engine.sandbox import LocalSandbox
from rubric_engine.sandbox.docker import DockerSandbox
from rubric_engine.sandbox.docker.labels import RUN
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.submission import load_submission
from tests.sandbox.remote_engines import second_dockerd, ssh_engine, sshd, tls_engine
from tests.submission.conftest import ordinary_user

# Servers that last a session must be the same ones for all files: they are imported here alone.
__all__ = ["ordinary_user", "second_dockerd", "ssh_engine", "sshd", "tls_engine"]

Run = Callable[..., Execution]
LIMITS = Limits.model_fields.keys()


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


@pytest.fixture(scope="session")
def engine() -> Iterator[DockerClient]:
    """The Docker engine of this machine, with the image of the recipe `cpu`."""
    try:
        client = connect()
    except SandboxError as error:
        pytest.skip(f"no engine: {error}")
    with closing(client):
        try:
            find_image(client, load_recipe("cpu"))
        except SandboxError as error:
            pytest.skip(f"no image: {error}")
        yield client


def left_by(client: DockerClient, process: int) -> list[str]:
    """Names of containers, volumes and networks on an engine that a process of ours made."""
    api, ours = client.api, {"label": RUN}
    found = [
        *(({"Name": one["Names"][0], **one}) for one in api.containers(all=True, filters=ours)),
        *(api.volumes(filters=ours)["Volumes"] or ()),
        *api.networks(filters=ours),
    ]
    owners = {one["Name"]: str(one["Labels"]).split("/") for one in found}
    return [name for name, owner in owners.items() if str(process) in owner]


@pytest.fixture
def boxed(root: Path, engine: DockerClient) -> Iterator[Run]:
    """Run a script in a container on the submission at `root`; nothing may be left of it."""

    def go(
        script: str | None = None, *, sandbox: Sandbox | None = None, **spec: object
    ) -> Execution:
        if script is not None:
            (root / "reproduce.sh").write_text(script)
        limits = {"time": 60.0, **{key: spec.pop(key) for key in [*spec] if key in LIMITS}}
        wanted = RunSpec.model_validate({"limits": limits, **spec})
        box = sandbox or DockerSandbox()
        return asyncio.run(box.run(load_submission(root), wanted))

    yield go
    assert left_by(engine, os.getpid()) == []
