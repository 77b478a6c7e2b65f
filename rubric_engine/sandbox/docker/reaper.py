"""Removing what runs left on an engine whose process died: ours alone, and never a prune."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rubric_engine.sandbox.docker.faults import engine_errors, engine_fault
from rubric_engine.sandbox.docker.labels import RUN, abandoned

if TYPE_CHECKING:
    from docker import DockerClient


@dataclass(frozen=True)
class Reaped:
    """Names of things that carry our label, sorted."""

    containers: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.containers or self.volumes or self.networks)


def reap(client: DockerClient) -> Reaped:
    """Remove what carries our label and whose owner is dead, or past its deadline elsewhere.

    What cannot be removed, because another process is at it for example, stays for the next time.

    Returns:
        What was removed.

    Raises:
        SandboxError: The engine no longer answers.
    """
    api, now = client.api, time.time()

    def remove(found: Iterable[tuple[str, str, Any]], by: Callable[[str], object]) -> list[str]:
        gone = []
        for name, handle, labels in found:
            if abandoned(labels or {}, now):
                with suppress(*engine_errors()):
                    by(handle)
                    gone.append(name)
        return sorted(gone)

    with engine_fault("looking for what earlier runs left"):
        # A volume or a network can only go after the containers that use it.
        return Reaped(
            containers=tuple(
                remove(_containers(client), lambda i: api.remove_container(i, v=True, force=True))
            ),
            volumes=tuple(remove(_volumes(client), api.remove_volume)),
            networks=tuple(remove(_networks(client), api.remove_network)),
        )


_Found = list[tuple[str, str, Mapping[str, str]]]


def _containers(client: DockerClient) -> _Found:
    listed = client.api.containers(all=True, filters={"label": RUN})
    return [(_name(one), one["Id"], one["Labels"]) for one in listed]


def _name(container: Mapping[str, Any]) -> str:
    """Its first name; its id where it has none, as one that is being removed may."""
    names = container.get("Names") or (container["Id"],)
    return str(names[0]).strip("/")


def _volumes(client: DockerClient) -> _Found:
    listed = client.api.volumes(filters={"label": RUN})["Volumes"] or ()
    return [(one["Name"], one["Name"], one["Labels"]) for one in listed]


def _networks(client: DockerClient) -> _Found:
    listed = client.api.networks(filters={"label": RUN})
    return [(one["Name"], one["Id"], one["Labels"]) for one in listed]
