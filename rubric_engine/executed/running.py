"""Running `reproduce.sh`, or taking an earlier run of the same."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rubric_engine.errors import StorageError, SubmissionError
from rubric_engine.executed.store import Store, key_of, may_be_reused
from rubric_engine.isolation import Execution, Repeatable, RunSpec, Sandbox
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
    key = None
    whole = submission if isinstance(submission, SnapshotSubmission) else None
    if store is not None and whole is not None and isinstance(box, Repeatable):
        conditions = await box.conditions(submission, spec)
        key = key_of(whole, spec, conditions)
    if store is None or key is None:
        return Run(await box.run(submission, spec), reused=False)
    kept = Store(store)
    found = None if rerun else await asyncio.to_thread(kept.find, key)
    if found is not None:
        return Run(found, reused=True)
    execution = await box.run(submission, spec)
    if may_be_reused(execution, conditions) and execution.submission is not None:
        with suppress(StorageError, SubmissionError):  # what was run still counts
            await asyncio.to_thread(kept.keep, key, execution)
    return Run(execution, reused=False)
