"""Taking out of a box what a run left in it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Limits, Omitted
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.options import SUBMISSION
from rubric_engine.sandbox.docker.stopping import unless_stopped
from rubric_engine.sandbox.unpack import Caps, unpack
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch

_DAMAGED = ("E830", "E831")


@dataclass(frozen=True)
class Taken:
    """What was taken out, and what was not.

    Attributes:
        submission: What was.
        omitted: What was not.
        whole: Whether `omitted` lists all of that.
    """

    submission: FolderSubmission
    omitted: tuple[Omitted, ...]
    whole: bool


def take_out(
    box: Box,
    container: str,
    limits: Limits,
    stop: threading.Event,
    *,
    name: str,
    skip: Sequence[str] | None,
) -> Taken:
    """Unpack the submission's folder of a dead container into a temporary folder, and index it.

    Raises:
        Fault: The engine failed, or `stop` was set from another thread.
        StorageError: The disk refuses.
    """
    scratch = Scratch()
    folder = scratch.path / SUBMISSION
    folder.mkdir(mode=0o700)
    caps = Caps(bytes=limits.out_bytes, files=limits.out_files, file_bytes=limits.out_bytes)
    try:
        with closing(box.take(container, SUBMISSION)) as chunks:
            left_out = unpack(unless_stopped(chunks, stop), folder, caps, strip=SUBMISSION)
    except SandboxError as error:
        if error.code not in _DAMAGED:
            raise
        raise Fault("infra.engine", error.message) from error
    submission = FolderSubmission.of(folder, name=name, skip=skip, scratch=scratch)
    return Taken(submission, left_out.entries(), left_out.whole)
