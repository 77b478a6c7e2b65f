"""The sandbox that isolates: `reproduce.sh` in a container of its own, on any Docker engine."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import SandboxError, StorageError
from rubric_engine.isolation import Conditions, Execution, Log, RunSpec
from rubric_engine.sandbox.docker.attempt import Attempt
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.ground import Ground, look_up
from rubric_engine.sandbox.docker.handed_in import HandedIn
from rubric_engine.sandbox.docker.reaper import reap
from rubric_engine.sandbox.docker.watching import OnProgress
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.recipes import load_recipe
from rubric_engine.sandbox.workspace import Workspace
from rubric_engine.submitted import Submission

if TYPE_CHECKING:
    from docker import DockerClient

_ATTEMPTS = 3
_RETURN_S = 60.0
_PAUSE_S = 0.5


class DockerSandbox:
    """Runs `reproduce.sh` in a container without network, keys or a way out, on a copy.

    Args:
        engine: Address of the engine; None is DOCKER_HOST, else the local socket.
        recipe: Name or path of a recipe: it says which image.
        untrusted: A submission's root; no recipe that lies in it is found by name.
        tell: Called about once a second with how a run goes on, from another thread.

    Attributes:
        isolates: True.
        name: Its name in executions.
    """

    isolates: bool = True
    name: str = "docker"

    def __init__(
        self,
        engine: str | None = None,
        recipe: str = "cpu",
        *,
        untrusted: Path | None = None,
        tell: OnProgress | None = None,
    ) -> None:
        self._engine, self._recipe, self._tell = engine, recipe, tell
        self._untrusted = untrusted

    @property
    def place(self) -> dict[str, str | None]:
        """Its engine and recipe, as `load_sandbox` takes them."""
        return {"engine": self._engine, "recipe": self._recipe}

    async def conditions(self, submission: Submission, spec: RunSpec) -> Conditions:
        """See `isolation.Repeatable.conditions`."""
        ground = await asyncio.to_thread(self._ground, submission, spec)
        return Conditions(ground.image, ground.recipe.model_dump_json(), ground.limits)

    def _ground(self, submission: Submission, spec: RunSpec) -> Ground:
        """What a run stands on; no recipe that the submission brings is found by name."""
        untrusted = self._untrusted or getattr(submission, "root", None)
        recipe = load_recipe(self._recipe, untrusted=untrusted)
        with closing(connect(self._engine)) as client:
            return look_up(client, recipe, spec)

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """Run it; see `isolation.Sandbox.run`.

        What an engine that fails takes down is run again in a fresh sandbox, up to three times in
        all; after that the execution's status begins with `infra`. Cancelling ends the script and
        removes all of it from the engine before this returns.

        Raises:
            SandboxError: No engine or no image answers, GPUs are asked for that it has no runtime
                for, or this machine has no room for the copy.
        """
        stop = threading.Event()
        # A thread of its own: those of the loop are few, and a run holds one for hours.
        pool = ThreadPoolExecutor(1, thread_name_prefix="rubric-engine-sandbox")
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(pool, self._run, submission, spec, stop)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.gather(work, return_exceptions=True)
            raise
        finally:
            pool.shutdown(wait=False)

    def _run(self, submission: Submission, spec: RunSpec, stop: threading.Event) -> Execution:
        ground = self._ground(submission, spec)
        with _room_for_copy(), ThreadPoolExecutor(1, "rubric-engine-hashes") as pool:
            workspace = Workspace(submission, spec.skip)
            if not workspace.has_script:
                return Execution(
                    status="no_script", sandbox=self.name, submission=workspace.index()
                )
            given = HandedIn.of(workspace, submission.name, spec, pool)
            return self._insist(ground, given, spec, stop)

    def _insist(
        self, ground: Ground, given: HandedIn, spec: RunSpec, stop: threading.Event
    ) -> Execution:
        for number in range(1, _ATTEMPTS + 1):
            try:
                with closing(self._connect(stop)) as client:
                    reap(client)
                    attempt = Attempt(
                        client, self._knock, ground, given, spec, stop, self._tell, number == 1
                    )
                    return attempt.run().model_copy(update={"attempts": number})
            except Fault as caught:
                fault = caught
                if stop.is_set() or not fault.again:
                    break
        return _failed(fault, ground, spec, number, cancelled=stop.is_set())

    def _knock(self) -> None:
        connect(self._engine).close()

    def _connect(self, stop: threading.Event) -> DockerClient:
        """Connect to the engine, once it answers; a restart of it takes a while.

        Raises:
            Fault: It stays away.
        """
        end = time.monotonic() + _RETURN_S
        while True:
            try:
                return connect(self._engine)
            except SandboxError as error:
                if time.monotonic() >= end or stop.wait(_PAUSE_S):
                    raise Fault("infra.engine", error.message, again=False) from error


def _failed(
    fault: Fault, ground: Ground, spec: RunSpec, attempts: int, *, cancelled: bool
) -> Execution:
    return Execution(
        status="cancelled" if cancelled else fault.status,
        log=Log(head=fault.message),
        fault=fault.message,
        image=ground.image,
        engine=ground.engine,
        network=spec.network,
        gpus=spec.gpus,
        limits=ground.limits,
        sandbox=DockerSandbox.name,
        isolates=True,
        attempts=attempts,
    )


@contextmanager
def _room_for_copy() -> Iterator[None]:
    try:
        yield
    except (OSError, StorageError) as error:
        why = error.message if isinstance(error, StorageError) else error.strerror
        raise SandboxError(
            f"the docker sandbox cannot work on a copy of the submission: {why}",
            code="E803",
            fix=["free some space, or set TMPDIR to a folder on a disk that has room"],
        ) from error
