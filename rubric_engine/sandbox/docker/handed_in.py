"""A submission on its way into a container."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from rubric_engine.files import FileIndex
from rubric_engine.isolation import RunSpec
from rubric_engine.sandbox.docker.options import HOME, SUBMISSION, USER, VENV
from rubric_engine.sandbox.pack import pack
from rubric_engine.sandbox.workspace import Workspace


@dataclass(frozen=True)
class HandedIn:
    """A submission, ready to be run, on the host.

    Attributes:
        workspace: The copy.
        name: Of the submission.
        removed: Outputs that were removed from it.
        told: Its index, and hashes of all that stood in it, once they are known.
    """

    workspace: Workspace
    name: str
    removed: tuple[str, ...]
    told: Future[tuple[FileIndex, frozenset[str]]]

    @classmethod
    def of(cls, workspace: Workspace, name: str, spec: RunSpec, pool: Executor) -> HandedIn:
        """Prepare a copy; it is read in a thread of the pool, while a container is made."""
        removed = workspace.prepare(spec.outputs)
        return cls(workspace, name, removed, pool.submit(_read, workspace))

    def packed(self) -> Iterator[bytes]:
        """A tar of what stands on the volume at the start.

        Besides the submission, these are empty folders that the script may fill: no other can be
        made on the volume, which belongs to root.
        """
        for name in (HOME, VENV):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode, folder.uid, folder.gid = tarfile.DIRTYPE, 0o700, USER, USER
            yield folder.tobuf()
        yield from pack(self.workspace.folder, SUBMISSION, USER, USER)


def _read(workspace: Workspace) -> tuple[FileIndex, frozenset[str]]:
    files = workspace.index().files
    return files, workspace.contents(files)
