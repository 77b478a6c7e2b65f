"""The sandbox that is none: `reproduce.sh` on a copy, as this user, on this machine."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import threading
from contextlib import closing
from datetime import UTC, datetime
from typing import ClassVar

from rubric_engine.errors import SandboxError, StorageError
from rubric_engine.files import FileIndex
from rubric_engine.isolation import SCRIPT, SETUP, Execution, ExecutionStatus, RunSpec
from rubric_engine.sandbox.changes import compare
from rubric_engine.sandbox.ending import signal_of, status_of
from rubric_engine.sandbox.environment import granted, scrubbed
from rubric_engine.sandbox.process import Ending, run_script
from rubric_engine.sandbox.run_log import RunLog
from rubric_engine.sandbox.shielding import shielded
from rubric_engine.sandbox.times import odd_times, rewritten, times_of
from rubric_engine.sandbox.workspace import Workspace
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submitted import Submission


class LocalSandbox:
    """Runs `reproduce.sh` in its own process group on a private copy of the submission.

    Attributes:
        isolates: False: the script can do whatever this user can.
        name: Its name in executions.
        warning: What a person must be told before it is used.
    """

    isolates: bool = False
    name: str = "local"
    warning: ClassVar[str] = (
        "the local sandbox does not isolate: reproduce.sh runs as you, with your files, your"
        " network and this Python environment; it can read what you can, the variables (such as"
        " keys) of your other programs included"
    )

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """Run it; see `isolation.Sandbox.run`.

        Cancelling kills the script and all that it started before this returns.

        Raises:
            SandboxError: There is no bash, no room for the copy, or the script cannot be started
                or killed.
        """
        stop = threading.Event()
        work = asyncio.ensure_future(asyncio.to_thread(self._run, submission, spec, stop))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.gather(work, return_exceptions=True)
            raise

    def _run(self, submission: Submission, spec: RunSpec, stop: threading.Event) -> Execution:
        bash = _bash()
        try:
            return self._reproduce(bash, submission, spec, stop)
        except (OSError, StorageError) as error:
            why = error.message if isinstance(error, StorageError) else error.strerror
            raise SandboxError(
                f"the local sandbox cannot work on a copy of the submission: {why}",
                code="E803",
                fix=["free some space, or set TMPDIR to a folder on a disk that has room"],
            ) from error

    def _reproduce(
        self, bash: str, submission: Submission, spec: RunSpec, stop: threading.Event
    ) -> Execution:
        workspace = Workspace(submission, spec.skip)
        if not workspace.has_script:
            return Execution(status="no_script", sandbox=self.name, submission=workspace.index())
        removed = workspace.prepare(spec.outputs)
        before = workspace.index()
        handed_in = workspace.contents(before.files)
        times = times_of(workspace.folder, before.files.readable)
        started = datetime.now(UTC)
        log = RunLog(spec.limits, spec.secrets.values())
        with closing(log):
            ending = _run_script(bash, workspace, spec, log, stop)
            printed = log.finish()
        after = workspace.index()
        changes = compare(before.files, after.files, handed_in)
        return Execution(
            status="cancelled" if stop.is_set() else _status(ending),
            exit_code=ending.exit_code,
            signal=signal_of(ending.exit_code),
            duration_s=ending.duration_s,
            created=changes.created,
            modified=changes.modified,
            deleted=changes.deleted,
            copied=changes.copied,
            odd_times=odd_times(workspace.folder, changes.produced, started, ending.duration_s),
            rewritten=rewritten(times, workspace.folder, changes.same),
            removed_before=removed,
            log=printed.log,
            log_file=printed.file,
            notes=_notes(before.files, spec),
            limits=spec.limits,
            started=started,
            peak_memory=ending.peak_memory,
            cpu_s=ending.cpu_s,
            sandbox=self.name,
            submission=after,
        )


def _run_script(
    bash: str, workspace: Workspace, spec: RunSpec, log: RunLog, stop: threading.Event
) -> Ending:
    private = Scratch()
    try:
        ours = scrubbed(private.path, secrets.token_hex(16))
        environment = granted(spec.secrets) | ours
        with shielded():
            return run_script(
                [bash, SCRIPT],
                folder=workspace.folder,
                environment=environment,
                limits=spec.limits,
                log=log,
                stop=stop,
            )
    finally:
        private.remove()


def _status(ending: Ending) -> ExecutionStatus:
    return status_of(ending.exit_code) if ending.in_time else "timeout"


def _notes(files: FileIndex, spec: RunSpec) -> tuple[str, ...]:
    """That nothing was installed: what setup.sh installs would go into the user's own Python."""
    if spec.network != "install" or SETUP not in files:
        return ()
    return (f"{SETUP} was not run: the local sandbox installs nothing",)


def _bash() -> str:
    bash = shutil.which("bash")
    if bash is None:
        raise SandboxError(
            "bash was not found on the PATH, and reproduce.sh needs it",
            code="E802",
            fix=["install bash (for example: apt-get install bash)"],
        )
    return bash
