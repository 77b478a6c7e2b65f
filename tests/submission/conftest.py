from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rubric_engine.submission.archive import extract
from rubric_engine.submission.meter import ArchiveLimits

Unpack = Callable[..., tuple[Path, dict[str, str | None]]]
Member = tuple[str, bytes, dict[str, object]]


@pytest.fixture
def make_tar() -> Callable[..., bytes]:
    """Bytes of a tar archive of (name, content, attributes of the TarInfo)."""

    def make(*members: Member) -> bytes:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, content, attributes in members:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                for key, value in attributes.items():
                    setattr(info, key, value)
                tar.addfile(info, io.BytesIO(content))
        return buffer.getvalue()

    return make


@pytest.fixture
def unpack(tmp_path: Path) -> Unpack:
    target = tmp_path / "target"
    target.mkdir()

    def run(data: bytes, limits: ArchiveLimits | None = None) -> tuple[Path, dict[str, str | None]]:
        (tmp_path / "archive").write_bytes(data)
        refused = extract(tmp_path / "archive", target, limits)
        return target, {file.path: file.skipped for file in refused}

    return run


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder of a user whom file modes bind, and the process as that user."""
    place = Path(tempfile.mkdtemp())
    if os.getuid() != 0:
        yield place
    else:
        nobody = 65534
        os.chown(place, nobody, nobody)
        os.setresuid(nobody, nobody, 0)
        try:
            yield place
        finally:
            os.setresuid(0, 0, 0)
    for folder in (place, *place.rglob("*")):
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o700)
    shutil.rmtree(place)
