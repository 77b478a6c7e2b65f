"""Taking out of a box what a run left in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Limits, Omitted
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault
from rubric_engine.sandbox.docker.options import SUBMISSION
from rubric_engine.sandbox.unpack import Caps, unpack
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch

_DAMAGED = ("E830", "E831")


@dataclass(frozen=True)
class Taken:
    """What was taken out, and what was not."""

    submission: FolderSubmission
    omitted: tuple[Omitted, ...]

    def known_gone(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Those of some paths, none of which was taken out, that the run must have removed."""
        left_out = {entry.path for entry in self.omitted}
        if "**" in left_out:  # nobody knows what else was there
            return ()
        return tuple(path for path in paths if path not in left_out)


def take_out(
    box: Box, container: str, limits: Limits, *, name: str, skip: Sequence[str] | None
) -> Taken:
    """Unpack the submission's folder of a dead container into a temporary folder, and index it.

    Raises:
        Fault: The engine failed.
        StorageError: The disk refuses.
    """
    scratch = Scratch()
    folder = scratch.path / SUBMISSION
    folder.mkdir(mode=0o700)
    caps = Caps(bytes=limits.out_bytes, files=limits.out_files, file_bytes=limits.out_bytes)
    try:
        with closing(box.take(container, SUBMISSION)) as chunks:
            omitted = unpack(chunks, folder, caps, strip=SUBMISSION)
    except SandboxError as error:
        if error.code not in _DAMAGED:
            raise
        raise Fault("infra.engine", error.message) from error
    return Taken(FolderSubmission.of(folder, name=name, skip=skip, scratch=scratch), omitted)
