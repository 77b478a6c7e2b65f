"""One volume on an engine, and the containers that use it one after another."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rubric_engine.isolation import Limits
from rubric_engine.sandbox.docker.faults import engine_errors, engine_fault, is_gone
from rubric_engine.sandbox.docker.options import BOX, container_options

if TYPE_CHECKING:
    from docker import DockerClient

_CHUNK = 1 << 20
_TRIES = 4
_PAUSE_S = 0.25


class Box:
    """Makes and removes what one run needs on an engine.

    Everything has a name that is known before it is asked for, so that it is removed also where
    the engine's answer was lost.

    Args:
        client: Of the engine.
        name: Name of the run, and of all that is made.
        labels: What all that is made carries.
        image: Id of the image.
    """

    def __init__(
        self, client: DockerClient, name: str, labels: Mapping[str, str], image: str
    ) -> None:
        self.client, self.name, self._image = client, name, image
        self._labels = dict(labels)
        self._containers: list[str] = []
        self._network = False

    def __enter__(self) -> Self:
        try:
            with engine_fault("making a volume"):
                self.client.volumes.create(self.name, labels=self._labels)
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()

    def create(
        self,
        command: Sequence[str],
        limits: Limits,
        environment: Mapping[str, str],
        *,
        gpus: Sequence[str] = (),
        online: bool = False,
        bare: bool = False,
    ) -> str:
        """Make a container without starting it; returns its name. A bare one has no volume.

        Raises:
            Fault: The engine failed.
        """
        from docker.types import Mount

        name = f"{self.name}-{len(self._containers)}"
        self._containers.append(name)
        volume = [] if bare else [Mount(BOX, self.name, type="volume", no_copy=True)]
        with engine_fault("making a container"):
            self.client.containers.create(
                self._image,
                list(command),
                name=name,
                labels=self._labels,
                mounts=volume,
                **self._connected(online=online),
                **container_options(limits, environment, gpus),
            )
        return name

    def put(self, container: str, chunks: Iterable[bytes]) -> None:
        """Unpack a tar on the volume.

        Raises:
            Fault: The engine failed.
        """
        with engine_fault("copying the submission into the container"):
            self.client.api.put_archive(container, BOX, chunks)

    def take(self, container: str, path: str) -> Generator[bytes, None, None]:
        """The tar of a path on the volume, to be closed.

        Raises:
            Fault: The engine failed.
        """
        # The client's own call gives no hold of a connection that is not read to its end.
        api: Any = self.client.api
        url = api._url("/containers/{0}/archive", container)
        asked = {"params": {"path": f"{BOX}/{path}"}, "headers": {"Accept-Encoding": "identity"}}
        with (
            engine_fault("copying the results out of the container"),
            closing(api._get(url, stream=True, **asked)) as response,
        ):
            api._raise_for_status(response)
            yield from response.iter_content(_CHUNK)

    def discard(self, container: str) -> None:
        """Remove a container that ended, before another one uses the volume.

        Raises:
            Fault: The engine failed.
        """
        with engine_fault("removing a container"):
            self.client.api.remove_container(container, v=True, force=True)

    def remove(self) -> None:
        """Remove all of it. What an engine refuses to remove is left to the next `reap`."""
        api = self.client.api
        for name in self._containers:
            _insist(api.remove_container, name, v=True, force=True)
        if self._network:
            _insist(api.remove_network, self.name)
        _insist(api.remove_volume, self.name)

    def _connected(self, *, online: bool) -> dict[str, Any]:
        """Arguments for the container's network: its own one, so that no other run is seen."""
        if not online:
            return {"network_mode": "none"}
        if not self._network:
            self._network = True
            self.client.networks.create(
                self.name,
                driver="bridge",
                options={"com.docker.network.bridge.enable_icc": "false"},
                labels=self._labels,
            )
        return {"network": self.name}


def _insist(remove: Any, name: str, **how: bool) -> None:
    for attempt in range(_TRIES):
        try:
            remove(name, **how)
        except engine_errors() as error:
            if is_gone(error):
                return
            time.sleep(_PAUSE_S * attempt)
        else:
            return
