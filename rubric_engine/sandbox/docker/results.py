"""Taking out of a box what a run left in it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from rubric_engine.errors import SandboxError
from rubric_engine.isolation import Limits, Omitted
from rubric_engine.sandbox.contents import Contents, contents_of
from rubric_engine.sandbox.docker.box import Box
from rubric_engine.sandbox.docker.faults import Fault, is_gone
from rubric_engine.sandbox.docker.options import HOME, SUBMISSION, VENV
from rubric_engine.sandbox.docker.stopping import unless_stopped
from rubric_engine.sandbox.unpack import Caps, unpack
from rubric_engine.submission.folder import FolderSubmission
from rubric_engine.submission.scratch import Scratch

_BESIDE = (HOME, VENV)
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
    with _flowing(box, container, SUBMISSION, stop) as chunks:
        left_out = unpack(chunks, folder, caps, strip=SUBMISSION)
    submission = FolderSubmission.of(folder, name=name, skip=skip, scratch=scratch)
    return Taken(submission, left_out.entries(), left_out.whole)


def known_beside(box: Box, container: str, limits: Limits, stop: threading.Event) -> Contents:
    """Contents that stand on the volume beside the submission, where an installation left them.

    Each of the folders is looked at as far as the limits on what is taken out go.

    Raises:
        Fault: The engine failed, or `stop` was set from another thread.
    """
    found = [_contents(box, container, limits, stop, name) for name in _BESIDE]
    hashes = frozenset[str]().union(*(one.hashes for one in found))
    return Contents(hashes, all(one.whole for one in found))


def _contents(
    box: Box, container: str, limits: Limits, stop: threading.Event, name: str
) -> Contents:
    try:
        with _flowing(box, container, name, stop) as chunks:
            return contents_of(chunks, limits.out_bytes, limits.out_files)
    except Fault as fault:
        if fault.__cause__ is None or not is_gone(fault.__cause__):
            raise
        return Contents(frozenset(), whole=True)  # there is no such folder


@contextmanager
def _flowing(
    box: Box, container: str, name: str, stop: threading.Event
) -> Iterator[Iterator[bytes]]:
    """The archive of a folder on the volume; damage to it is the engine's failure."""
    try:
        with closing(box.take(container, name)) as chunks:
            yield unless_stopped(chunks, stop)
    except SandboxError as error:
        if error.code not in _DAMAGED:
            raise
        raise Fault("infra.engine", error.message) from error
