"""Running `reproduce.sh`, or taking an earlier run of the same."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rubric_engine.errors import StorageError, SubmissionError
from rubric_engine.executed.store import Store, key_of, may_be_reused
from rubric_engine.isolation import Conditions, Execution, Repeatable, RunSpec, Sandbox
from rubric_engine.submission import load_snapshot, save_snapshot
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.snapshot import SnapshotSubmission
from rubric_engine.submitted import Submission

STORE = "executed"
"""Name of the store's folder, beside the runs."""


class Run(NamedTuple):
    """An execution, and whether it is an earlier one."""

    execution: Execution
    reused: bool


async def run_or_reuse(
    box: Sandbox, submission: Submission, spec: RunSpec, store: Path | None, *, rerun: bool = False
) -> Run:
    """Run it, or take an earlier run of the same files under the same conditions.

    Args:
        box: Where.
        submission: What; only a kept one is looked up.
        spec: How.
        store: Folder of earlier runs; None looks for none and keeps none.
        rerun: Run it in any case.

    Raises:
        SandboxError: The sandbox could not do its work.
    """
    lookup = await _lookup(box, submission, spec) if store is not None else None
    if store is None or lookup is None:
        return Run(await box.run(submission, spec), reused=False)
    key, conditions = lookup
    kept = Store(store)
    found = None if rerun else await asyncio.to_thread(kept.find, key)
    if found is not None:
        return Run(found, reused=True)
    execution = await box.run(submission, spec)
    if may_be_reused(execution, conditions) and execution.submission is not None:
        with suppress(StorageError, SubmissionError):  # what was run still counts
            await asyncio.to_thread(kept.keep, key, execution)
    return Run(execution, reused=False)


async def earlier_run(
    box: Sandbox, submission: Submission, spec: RunSpec, store: Path
) -> Execution | None:
    """The earlier run that `run_or_reuse` would take; None where it would run.

    Args:
        box: Where.
        submission: What; one that is not kept is copied aside to be told by its content.
        spec: How.
        store: Folder of earlier runs.

    Raises:
        SandboxError: The sandbox cannot tell what its runs stand on.
    """
    kept = Store(store)
    if kept.is_empty or not isinstance(box, Repeatable):
        return None
    aside = Scratch()
    try:
        if not isinstance(submission, SnapshotSubmission):
            await asyncio.to_thread(save_snapshot, submission, aside.path, "handed_in")
            submission = load_snapshot(aside.path, "handed_in")
        lookup = await _lookup(box, submission, spec)
        return None if lookup is None else await asyncio.to_thread(kept.find, lookup.key)
    finally:
        aside.remove()


class _Lookup(NamedTuple):
    """A run as the store knows it, and what it stands on."""

    key: str
    conditions: Conditions


async def _lookup(box: Sandbox, submission: Submission, spec: RunSpec) -> _Lookup | None:
    """How the store knows a run; None where it is neither kept nor looked up."""
    if isinstance(submission, SnapshotSubmission) and isinstance(box, Repeatable):
        conditions = await box.conditions(submission, spec)
        key = key_of(submission, spec, conditions)
        return None if key is None else _Lookup(key, conditions)
    return None
