"""What was said to a record that went under its writer: saved beside, where nothing replaces it."""

from __future__ import annotations

import glob
import os
import shlex
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from rubric_engine.rundir import storing


def save(record: Path, content: bytes) -> Path:
    """Save all that was said in a file of its own, on the disk when this comes back.

    A file that begins this content already is added to; any other is left as it is, and the next
    free name taken.

    Args:
        record: Where the record stood.
        content: All of its lines.

    Returns:
        The file.

    Raises:
        StorageError: It cannot be written.
    """
    home = next(folder for folder in record.absolute().parents if folder.is_dir())
    for number in count(1):
        file = home / f"{_name(record, home)}{'' if number == 1 else f'-{number}'}"
        with storing(file):
            if _took(file, content):
                _settle(home)
                return file
    raise AssertionError("names do not end")


def lost(record: Path) -> list[Path]:
    """Files in which something was saved that the record does not hold, the oldest first.

    Args:
        record: Where the record belongs.
    """
    held = set(_bytes_of(record).splitlines())
    found = [file for file in _beside(record) if set(_bytes_of(file).splitlines()) - held]
    return sorted(found, key=lambda file: (len(file.name), file.name))


def taking_back(record: Path, file: Path) -> str:
    """The command that puts what was saved where it belongs.

    Args:
        record: Where it belongs.
        file: Where it was saved.
    """
    folder, saved, place = (shlex.quote(str(path)) for path in (record.parent, file, record))
    return f"mkdir -p {folder} && cat {saved} >> {place}"


def add(descriptor: int, text: bytes) -> None:
    """Add text to an open file, all of it or nothing; it is on the disk when this comes back.

    Args:
        descriptor: The file.
        text: What is added.

    Raises:
        OSError: It cannot be written.
    """
    size = os.fstat(descriptor).st_size
    try:
        left = memoryview(text)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:  # as on a full disk, where some of it may stand there
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _name(record: Path, home: Path) -> str:
    """Without its folder a record's name alone could mean that of another labelling."""
    return "-".join(record.absolute().relative_to(home).parts) + ".saved"


def _took(file: Path, content: bytes) -> bool:
    """Whether a file holds all of it now; not where it holds anything else."""
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        held = _bytes_of(file) if _is_ours(file) else None
        if held is None or not content.startswith(held):
            return False
        content = content[len(held) :]
        descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW)
    try:
        add(descriptor, content)
    finally:
        os.close(descriptor)
    return True


def _settle(folder: Path) -> None:
    """Bring a new name to the disk: else a power cut may take the file with it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _beside(record: Path) -> Iterator[Path]:
    for home in record.absolute().parents:
        for file in home.glob(f"{glob.escape(_name(record, home))}*"):
            if _is_ours(file):
                yield file


def _is_ours(file: Path) -> bool:
    """Whether it is a file of this user: in a folder of all, others may lay one down."""
    try:
        facts = file.lstat()
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
