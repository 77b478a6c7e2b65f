"""What every sandbox promises, shown by running small scripts in one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rubric_engine.errors import RubricEngineError
from rubric_engine.isolation import Execution, Limits, Network, Repeatable, RunSpec, Sandbox
from rubric_engine.submission import load_submission
from rubric_engine.threads import run_anywhere

KEPT = "kept.txt"
"""A file of every submission that a promise is shown on; it holds ``kept`` and a line end."""


@dataclass(frozen=True)
class Promise:
    """A script, and what must hold of its execution.

    Attributes:
        says: What is promised.
        script: The content of `reproduce.sh`; None where there is none.
        holds: Asserts it of the execution.
        limits: The limits.
        outputs: Globs of results.
        secrets: Variables for the script.
        planted: Variables of this process, and of another one on this machine, meanwhile.
        network: Its network.
    """

    says: str
    script: str | None
    holds: Callable[[Execution], None]
    limits: Limits = field(default_factory=lambda: Limits(time=60.0))
    outputs: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)
    planted: Mapping[str, str] = field(default_factory=dict)
    network: Network = "none"


def check_sandbox(sandbox: Sandbox, promises: Sequence[Promise] | None = None) -> None:
    """Run a sandbox through what every one promises, and more if it says that it isolates.

    Needs bash and coreutils where the scripts run, and takes some seconds.

    Args:
        sandbox: The sandbox.
        promises: What to check; all that apply to it, if None.

    Raises:
        AssertionError: It breaks promises; all of them are named.
    """
    from rubric_engine.testing.promises import CORE, ISOLATION

    if promises is None:
        promises = (*CORE, *ISOLATION) if sandbox.isolates else CORE
    broken = [why for promise in promises if (why := _broken(sandbox, promise))]
    assert not broken, f"{sandbox.name} breaks {len(broken)} promises:\n" + "\n".join(broken)


def check_execution(sandbox: Sandbox, execution: Execution) -> None:
    """Check what holds of every execution, whatever was run.

    Raises:
        AssertionError: It does not.
    """
    assert execution.sandbox == sandbox.name, "the execution names its sandbox"
    assert execution.isolates == sandbox.isolates, "the execution says whether it was isolated"
    assert execution.attempts >= 1
    created, modified = set(execution.created), set(execution.modified)
    assert not created & modified, "a file is either created or modified"
    assert not (created | modified) & set(execution.deleted), "no deleted file was made"
    assert set(execution.copied) <= created | modified, "what is copied was created or modified"
    if execution.usable:
        assert execution.submission is not None, "there is an executed submission"
    if execution.exit_code is not None:
        assert execution.limits is not None, "the limits are told"
        assert execution.started is not None, "the start is told"
        assert execution.image or not isinstance(sandbox, Repeatable), "the image is told"
    if execution.status == "ok":
        assert execution.exit_code == 0, "ok is exit code 0"
        assert execution.duration_s is not None, "there is a duration"


def run_promise(sandbox: Sandbox, promise: Promise) -> Execution:
    """Run a promise's script on a submission of its own."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "submission"
        root.mkdir()
        (root / KEPT).write_text("kept\n")
        if promise.script is not None:
            (root / "reproduce.sh").write_text(promise.script)
        before = {path.name: path.read_bytes() for path in root.iterdir()}
        spec = RunSpec(
            limits=promise.limits,
            outputs=promise.outputs,
            secrets=promise.secrets,
            network=promise.network,
        )
        with _planted(promise.planted):
            execution = run_anywhere(sandbox.run(load_submission(root), spec))
        after = {path.name: path.read_bytes() for path in root.iterdir()}
        assert before == after, "the submission itself is never changed"
    return execution


@contextmanager
def _planted(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables here and in another process, which the kernel shows to those who may see it."""
    if not variables:
        yield
        return
    before = dict(os.environ)
    os.environ.update(variables)
    waits = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    try:
        with subprocess.Popen(waits, stdin=subprocess.PIPE) as other:  # noqa: S603 (our own words)
            try:
                yield
            finally:
                other.kill()
    finally:
        os.environ.clear()
        os.environ.update(before)


def _broken(sandbox: Sandbox, promise: Promise) -> str | None:
    """Why a promise is broken, in one line; None where it is kept."""
    ended = "it did not run"
    try:
        execution = run_promise(sandbox, promise)
        ended = f"status {execution.status}"
        promise.holds(execution)
        if promise.script is not None:
            check_execution(sandbox, execution)
    except (AssertionError, RubricEngineError) as error:
        why = str(error).partition("\n")[0] or "it does not hold"
        return f"- {promise.says}: {why} ({ended})"
    return None
