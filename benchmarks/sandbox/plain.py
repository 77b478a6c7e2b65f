"""The least that anyone must do with an engine: create, copy in, start, copy out, remove."""

from __future__ import annotations

import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import IO, Any

import docker
from docker.types import Mount

from rubric_engine.isolation import SCRIPT, Limits
from rubric_engine.sandbox.docker.options import BOX, SUBMISSION, USER, container_options
from rubric_engine.sandbox.environment import FIXED

COMMAND = ["bash", "-c", f"exec bash {SCRIPT}"]


def run_plainly(folder: Path, image: str, out: Path) -> None:
    """One run through the SDK, with the flags that a sandbox of ours has."""
    with closing(docker.from_env()) as client, tempfile.TemporaryFile() as tar:
        volume = client.volumes.create()
        container = client.containers.create(
            image,
            COMMAND,
            mounts=[Mount(BOX, volume.name, type="volume", no_copy=True)],
            network_mode="none",
            **container_options(Limits(), FIXED, ()),
        )
        _pack(folder, tar)
        container.put_archive(BOX, tar)
        container.start()
        container.wait()
        _take(container, out)
        container.remove(v=True)
        volume.remove()


def _pack(folder: Path, to: IO[bytes]) -> None:
    def ours(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = USER
        return member

    with tarfile.open(fileobj=to, mode="w") as tar:
        tar.add(folder, SUBMISSION, filter=ours)
    to.seek(0)


def _take(container: Any, out: Path) -> None:
    with tempfile.TemporaryFile() as file:
        file.writelines(container.get_archive(f"{BOX}/{SUBMISSION}")[0])
        file.seek(0)
        with tarfile.open(fileobj=file) as tar:
            tar.extractall(out, filter="data")
