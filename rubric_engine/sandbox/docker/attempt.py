"""One attempt at a run, from a fresh volume to what was taken out of it."""

from __future__ import annotations

import secrets
import tarfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.bounded_log import BoundedLog
from rubric_engine.errors import SandboxError
from rubric_engine.files import FileIndex
from rubric_engine.isolation import Execution, ExecutionStatus, RunSpec
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.changes import compare
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.ground import Ground
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.options import HOME, SUBMISSION, USER
from rubric_engine.sandbox.docker.phases import install_command, script_command, variables
from rubric_engine.sandbox.docker.results import Taken, take_out
from rubric_engine.sandbox.docker.usage import Usage
from rubric_engine.sandbox.docker.watching import OnProgress, Watch
from rubric_engine.sandbox.pack import pack
from rubric_engine.sandbox.workspace import Workspace
from rubric_engine.submitted import Submission

if TYPE_CHECKING:
    from docker import DockerClient

_SPARE_S = 3600.0
_NO_COMMAND = 127
_IMAGE_LACKS = ("[FATAL tini", "timeout: failed to run command")
_GPU_LOST = "failed to initialize nvml"


@dataclass(frozen=True)
class HandedIn:
    """A submission, ready to be run, on the host.

    Attributes:
        workspace: The copy.
        removed: Outputs that were removed from it.
        before: Its index.
        contents: Hashes of all that stood in it.
    """

    workspace: Workspace
    removed: tuple[str, ...]
    before: Submission
    contents: frozenset[str]

    @classmethod
    def of(cls, workspace: Workspace, spec: RunSpec) -> HandedIn:
        """Prepare a copy."""
        removed = workspace.prepare(spec.outputs)
        before = workspace.index()
        return cls(workspace, removed, before, workspace.contents(before.files))


@dataclass
class Attempt:
    """One attempt at a run on an engine.

    Attributes:
        client: Of the engine.
        knock: Makes a connection to the engine, or raises a SandboxError.
        ground: What is known of the engine and the image.
        given: The submission.
        spec: How to run it.
        stop: Set from another thread, ends it.
        tell: Told how it goes on, if anybody wants to know.
    """

    client: DockerClient
    knock: Callable[[], None]
    ground: Ground
    given: HandedIn
    spec: RunSpec
    stop: threading.Event
    tell: OnProgress | None
    _log: BoundedLog = field(init=False)

    def run(self) -> Execution:
        """Make it; whatever happens, nothing is left on the engine that this can remove.

        Raises:
            Fault: The engine failed.
            StorageError: The disk of this machine refuses.
        """
        self._log = BoundedLog(self.spec.limits.log_bytes)
        owner = new_owner()
        name = f"rubric-engine-{secrets.token_hex(6)}"
        labels = labels_of(name, owner, 2 * self.spec.limits.time + _SPARE_S)
        try:
            with Box(self.client, name, labels, self.ground.image) as box:
                return self._in(box)
        finally:
            retire(owner)

    def _in(self, box: Box) -> Execution:
        before, contents = self.given.before.files, self.given.contents
        install = install_command(self.spec, self.ground.recipe, self.given.workspace.folder)
        if install is not None:
            container = self._make(box, install, online=True)
            box.put(container, _packed(self.given.workspace.folder))
            ended, usage = self._watch(box, container)
            if ended.status != "ok":
                return self._execution(ended, usage, self._take(box, container), before, contents)
            before = self._take(box, container).submission.files
            contents |= {file.sha256 for file in before.entries if file.sha256 is not None}
            box.discard(container)
        container = self._make(box, script_command(self.spec), online=self.spec.network == "open")
        if install is None:
            box.put(container, _packed(self.given.workspace.folder))
        ended, usage = self._watch(box, container)
        return self._execution(ended, usage, self._take(box, container), before, contents)

    def _make(self, box: Box, command: list[str], *, online: bool) -> str:
        given = variables(self.spec, self.ground.variables)
        gpus = self.spec.gpus
        return box.create(command, self.ground.limits, given, gpus=gpus, online=online)

    def _watch(self, box: Box, container: str) -> tuple[Ended, Usage]:
        watch = Watch(box, container, self.spec.limits, self._log, self.stop, self.tell)
        ended = watch.run()
        if ended.stopped is None:
            self._check_engine()
        return ended, watch.usage

    def _check_engine(self) -> None:
        """See that no engine that shuts down has ended the script.

        One that does still answers on connections that it has, but takes no more.
        """
        try:
            self.knock()
        except SandboxError as error:
            message = f"the engine went away as the script ended: {error.message}"
            raise Fault("infra.engine", message) from error

    def _take(self, box: Box, container: str) -> Taken:
        name, skip = self.given.before.name, self.spec.skip
        return take_out(box, container, self.spec.limits, name=name, skip=skip)

    def _execution(
        self,
        ended: Ended,
        usage: Usage,
        taken: Taken,
        before: FileIndex,
        contents: frozenset[str],
    ) -> Execution:
        log = self._log.log()
        changes = compare(before, taken.submission.files, contents)
        return Execution(
            status=self._status(ended, log.head),
            exit_code=ended.exit_code,
            signal=ended.signal,
            oom_seen=ended.oom,
            duration_s=ended.duration_s,
            created=changes.created,
            modified=changes.modified,
            deleted=taken.known_gone(changes.deleted),
            copied=changes.copied,
            removed_before=self.given.removed,
            log=log,
            omitted=taken.omitted,
            image=self.ground.image,
            engine=self.ground.engine,
            network=self.spec.network,
            gpus=self.spec.gpus,
            limits=self.ground.limits,
            started=ended.started,
            peak_memory=usage.peak_memory,
            cpu_s=usage.cpu_s,
            sandbox="docker",
            isolates=True,
            submission=taken.submission,
        )

    def _status(self, ended: Ended, printed: str) -> ExecutionStatus:
        """The ending, or the fault of the image or the devices that shows in what was printed."""
        if ended.exit_code == _NO_COMMAND and printed.startswith(_IMAGE_LACKS):
            raise Fault(
                "infra.image",
                f"the image of recipe {self.ground.recipe.name!r} lacks bash or timeout",
                again=False,
            )
        if self.spec.gpus and ended.status == "failed" and _GPU_LOST in printed.lower():
            raise Fault("infra.gpu", "a device was lost: NVML cannot be initialised")
        return ended.status


def _packed(folder: Path) -> Iterator[bytes]:
    """A tar of what stands on the volume at the start: the submission, and an empty home."""
    home = tarfile.TarInfo(HOME)
    home.type, home.mode, home.uid, home.gid = tarfile.DIRTYPE, 0o700, USER, USER
    yield home.tobuf()
    yield from pack(folder, SUBMISSION, USER, USER)
