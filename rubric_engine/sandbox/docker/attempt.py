"""One attempt at a run, from a fresh volume to what was taken out of it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Device, Execution, RunSpec
from rubric_engine.ledger.process import new_owner, retire
from rubric_engine.sandbox.docker import phases
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.devices import look_at_devices, with_after
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.ground import Ground
from rubric_engine.sandbox.docker.handed_in import HandedIn
from rubric_engine.sandbox.docker.labels import labels_of
from rubric_engine.sandbox.docker.outcome import MUCH_FETCHED, check_image, remarks
from rubric_engine.sandbox.docker.recording import Before, Seen, execution_of, not_installed
from rubric_engine.sandbox.docker.results import Taken, known_beside, take_out
from rubric_engine.sandbox.docker.room import require_room
from rubric_engine.sandbox.docker.stopping import unless_stopped
from rubric_engine.sandbox.docker.usage import Usage
from rubric_engine.sandbox.docker.watching import OnProgress, Watch
from rubric_engine.sandbox.run_log import RunLog

if TYPE_CHECKING:
    from docker import DockerClient

_PHASES, _SPARE_S = 3, 3600.0


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
        first: Whether no attempt went before it.
    """

    client: DockerClient
    knock: Callable[[], None]
    ground: Ground
    given: HandedIn
    spec: RunSpec
    stop: threading.Event
    tell: OnProgress | None
    first: bool
    _log: RunLog = field(init=False)
    _devices: tuple[Device, ...] = field(init=False, default=())
    _notes: tuple[str, ...] = field(init=False, default=())
    _venv: bool = field(init=False, default=False)

    def run(self) -> Execution:
        """Make it; whatever happens, nothing is left on the engine that this can remove.

        Raises:
            Fault: The engine failed.
            StorageError: The disk of this machine refuses.
        """
        self._log = RunLog(self.spec.limits, self.spec.secrets.values())
        owner = new_owner()
        name = f"rubric-engine-{secrets.token_hex(6)}"
        labels = labels_of(name, owner, _PHASES * self.spec.limits.time + _SPARE_S)
        try:
            with (
                closing(self._log),
                Box(self.client, name, labels, self.ground.image) as box,
            ):
                return self._in(box)
        finally:
            retire(owner)

    def _in(self, box: Box) -> Execution:
        step = phases.install_step(self.spec, self.ground.recipe, self.given.workspace.folder)
        if step is None:
            container = self._make_for_script(box)
            self._put(box, container)
            return self._reproduce(box, container, None)
        installed = self._install(box, step)
        if isinstance(installed, Execution):
            return installed
        return self._reproduce(box, self._make_for_script(box), installed)

    def _reproduce(self, box: Box, container: str, before: Before | None) -> Execution:
        """Run the script; what stood there before is what was handed in, if None."""
        self._devices = self._look(box)
        ended, usage = self._watch(box, container)
        self._devices = self._look_again(box, ended)
        before = before or Before(*self.given.told.result())
        execution = self._execution(ended, usage, self._take(box, container), before)
        require_room(box, execution, self.ground.limits, self.stop)
        return execution

    def _install(self, box: Box, step: phases.Step) -> Before | Execution:
        """Install; returns what the script will find, or an execution that ends here."""
        self._make_venv(box)
        container = self._make(box, step.command, online=True)
        ended, usage = self._watch(box, container)
        taken, before = self._take(box, container), Before(*self.given.told.result())
        if ended.status != "ok":
            execution = self._execution(ended, usage, taken, before)
            return execution if execution.status == "cancelled" else not_installed(execution, step)
        beside = self._fetched(box, container)
        box.discard(container)
        files = taken.submission.files
        hashes = {file.sha256 for file in files.entries if file.sha256 is not None}
        return Before(files, before.contents | hashes | beside)

    def _make_venv(self, box: Box) -> None:
        """Make what is installed into, and put the submission beside it.

        Raises:
            Fault: The image's Python cannot make one.
        """
        bare = self.spec.model_copy(update={"secrets": {}})
        given = phases.variables(bare, self.ground.variables, venv=False)
        container = box.create(phases.venv_command(self.spec), self.ground.limits, given)
        self._put(box, container)
        ended, _ = self._watch(box, container)
        self._venv = ended.exit_code == 0 and ended.stopped is None
        if ended.exit_code == phases.NO_PYTHON:
            self._notes = (f"recipe {self.ground.recipe.name!r} has no Python to install into",)
        elif not self._venv and ended.stopped != "cancelled":
            raise self._no_venv(ended)
        box.discard(container)

    def _no_venv(self, ended: Ended) -> Fault:
        printed = self._log.finish().log.text.strip()
        why = "".join(printed.splitlines()[-1:]) or ended.status
        name = self.ground.recipe.name
        message = f"the image of recipe {name!r} makes no virtual environment: {why}"
        return Fault("infra.image", message, again=False)

    def _make_for_script(self, box: Box) -> str:
        return self._make(box, phases.script_command(self.spec), online=self.spec.network == "open")

    def _fetched(self, box: Box, container: str) -> frozenset[str]:
        """Hashes of what the installation left beside the submission."""
        beside = known_beside(box, container, self.spec.limits, self.stop)
        if not beside.whole:
            self._notes += (MUCH_FETCHED,)
        return beside.hashes

    def _make(self, box: Box, command: list[str], *, online: bool) -> str:
        given = phases.variables(self.spec, self.ground.variables, venv=self._venv)
        gpus = self.ground.devices
        return box.create(command, self.ground.limits, given, gpus=gpus, online=online)

    def _put(self, box: Box, container: str) -> None:
        box.put(container, unless_stopped(self.given.packed(), self.stop))

    def _look(self, box: Box) -> tuple[Device, ...]:
        gpus = self.ground.devices
        return look_at_devices(box, self.ground.limits, gpus, self.stop) if gpus else ()

    def _look_again(self, box: Box, ended: Ended) -> tuple[Device, ...]:
        """Look at the devices once it has ended; a lost one cannot undo what came out well."""
        if ended.stopped == "cancelled":
            return self._devices
        try:
            return with_after(self._devices, self._look(box))
        except Fault as fault:
            if fault.status != "infra.gpu" or ended.status != "ok":
                raise
            return self._devices

    def _watch(self, box: Box, container: str) -> tuple[Ended, Usage]:
        watch = Watch(box, container, self.spec.limits, self._log, self.stop, self.tell)
        ended = watch.run()
        if ended.stopped is None:
            self._check_engine()
            check_image(box, ended, self.ground, self.stop)
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
        name, skip = self.given.name, self.spec.skip
        return take_out(box, container, self.spec.limits, self.stop, name=name, skip=skip)

    def _execution(self, ended: Ended, usage: Usage, taken: Taken, before: Before) -> Execution:
        seen = Seen(ended, usage, taken, self._log.finish())
        found = execution_of(seen, before, self.given, self.spec, self.ground, first=self.first)
        notes = (*self._notes, *remarks(taken, self._log))
        return found.model_copy(update={"devices": self._devices, "notes": notes})
