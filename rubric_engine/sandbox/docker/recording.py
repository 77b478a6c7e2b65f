"""What is written down of an attempt: the execution, from what was seen of it."""

from __future__ import annotations

from typing import NamedTuple

from rubric_engine.endings import ending
from rubric_engine.files import FileIndex
from rubric_engine.isolation import SCRIPT, Execution, RunSpec
from rubric_engine.sandbox.changes import compare
from rubric_engine.sandbox.docker import phases
from rubric_engine.sandbox.docker.ending import Ended
from rubric_engine.sandbox.docker.ground import Ground
from rubric_engine.sandbox.docker.handed_in import HandedIn
from rubric_engine.sandbox.docker.outcome import status_of
from rubric_engine.sandbox.docker.results import Taken
from rubric_engine.sandbox.docker.usage import Usage
from rubric_engine.sandbox.run_log import Kept
from rubric_engine.sandbox.times import odd_times, rewritten, times_of


class Before(NamedTuple):
    """What stood there before the script.

    Attributes:
        files: The files.
        contents: Hashes of all that was there to be copied.
    """

    files: FileIndex
    contents: frozenset[str]


class Seen(NamedTuple):
    """What was seen of an attempt.

    Attributes:
        ended: How its last container ended.
        usage: What that took.
        taken: What was taken out of it.
        printed: Its log.
    """

    ended: Ended
    usage: Usage
    taken: Taken
    printed: Kept


def execution_of(
    seen: Seen, before: Before, given: HandedIn, spec: RunSpec, ground: Ground, *, first: bool
) -> Execution:
    """The execution; without devices and notes.

    Args:
        seen: What was seen of the attempt.
        before: What stood there before.
        given: The submission.
        spec: How it was to be run.
        ground: What is known of the engine and the image.
        first: Whether no attempt went before it.
    """
    ended, usage, taken, printed = seen
    after = taken.submission.files
    changes = compare(before.files, after, before.contents, taken.omitted, whole=taken.whole)
    root = taken.submission.root
    times = times_of(given.workspace.folder, before.files.readable)
    return Execution(
        status=status_of(ended, printed.log, gpus=bool(spec.gpus), first=first),
        exit_code=ended.exit_code,
        signal=ended.signal,
        oom_seen=ended.oom,
        duration_s=ended.duration_s,
        created=changes.created,
        modified=changes.modified,
        deleted=changes.deleted,
        copied=changes.copied,
        odd_times=odd_times(root, changes.produced, ended.started, ended.duration_s),
        rewritten=rewritten(times, root, changes.same),
        removed_before=given.removed,
        log=printed.log,
        log_file=printed.file,
        omitted=taken.omitted,
        image=ground.image,
        engine=ground.engine,
        network=spec.network,
        gpus=spec.gpus,
        limits=ground.limits,
        started=ended.started,
        peak_memory=usage.peak_memory,
        cpu_s=usage.cpu_s,
        sandbox="docker",
        isolates=True,
        submission=taken.submission,
    )


def not_installed(execution: Execution, step: phases.Step) -> Execution:
    """The execution of a run that ended before its script began."""
    fault = f"{ending(execution, step.name)}; {SCRIPT} was not run"
    return execution.model_copy(update={"status": "infra.install", "fault": fault})
