"""Read the text of a file that a person wrote, and say what is wrong with it as a file."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.errors import InputError, Place, Problem, RubricError
from rubric_engine.near import near

MAX_BYTES = 200_000_000
"""Largest file read: 80 times the largest rubric of PaperBench."""

_LFS = "version https://git-lfs.github.com/spec/"
_WIDE = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


@dataclass(frozen=True)
class Blame:
    """How an error about a file is raised.

    Attributes:
        error: Class of the error.
        code: Code of every error; None where each fault has a code of its own (a rubric).
        what: What the file should be, in one word.
    """

    error: type[InputError] = RubricError
    code: str | None = None
    what: str = "rubric"

    def raised(
        self,
        code: str,
        message: str,
        *,
        place: Place | None = None,
        looked: Sequence[str] = (),
        fix: Sequence[str] = (),
    ) -> InputError:
        """The error to raise, with itself as its only problem."""
        code = self.code or code
        problem = Problem(code, message, place, hint=fix[0] if fix else None)
        return self.error(
            message, code=code, place=place, looked=looked, fix=fix, problems=[problem]
        )


def read_source(path: Path, blame: Blame, *, torn: bool = False) -> str:
    """Text of a UTF-8 file, without its byte order mark.

    Args:
        path: A regular file of at most `MAX_BYTES`.
        blame: How to raise.
        torn: Whether it may end within a character, as a crash leaves a file that is added to;
            U+FFFD stands for such an end.

    Raises:
        InputError: As `blame` says: E201 not found or unreadable, E215 not UTF-8 text, E217 too
            large, E218 a Git LFS pointer.
    """
    try:
        content = _content(path, blame)
        return _decoded(_whole(content) if torn else content, str(path), blame)
    except FileNotFoundError:
        raise _not_found(path, blame) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        why = getattr(error, "strerror", None) or str(error)
        raise blame.raised("E201", f"cannot read {blame.what} {str(path)!r}: {why}") from error


def _content(path: Path, blame: Blame) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if path.is_dir() else "no regular file"
        raise blame.raised("E201", f"{blame.what} {str(path)!r} is {kind}")
    if status.st_size > MAX_BYTES:
        raise blame.raised(
            "E217",
            f"{blame.what} {str(path)!r} is larger than {MAX_BYTES // 10**6} MB",
            fix=["check that this is the file you mean"],
        )
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def _whole(content: bytes) -> bytes:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end == len(content) and error.reason == "unexpected end of data":
            return content[: error.start] + "\N{REPLACEMENT CHARACTER}".encode()
    return content


def _decoded(content: bytes, name: str, blame: Blame) -> str:
    wide = next((kind for mark, kind in _WIDE.items() if content.startswith(mark)), None)
    if wide:
        raise blame.raised("E215", f"{name!r} is {wide}", fix=["save the file as UTF-8"])
    content = content.removeprefix(b"\xef\xbb\xbf")
    nul = content.find(0)
    if nul >= 0:
        raise blame.raised(
            "E215",
            f"{name!r} is binary or UTF-16: byte {nul} is NUL",
            fix=["save the file as UTF-8 text"],
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(name, content.count(b"\n", 0, error.start) + 1)
        byte = content[error.start]
        message = f"not UTF-8 text: byte 0x{byte:02x} at offset {error.start}"
        raise blame.raised("E215", message, place=place, fix=["save the file as UTF-8"]) from None
    if text.startswith(_LFS):
        raise blame.raised(
            "E218",
            f"{name!r} is a Git LFS pointer, not the {blame.what} itself",
            fix=["git lfs pull"],
        )
    return text


def _not_found(path: Path, blame: Blame) -> InputError:
    meant = _near_path(path)
    return blame.raised(
        "E201",
        f"{blame.what} not found: {path}" + (f"; did you mean {meant}?" if meant else ""),
        looked=[f"current folder: {Path.cwd()}"],
        fix=["check the path"],
    )


def _near_path(path: Path) -> Path | None:
    """The path with its first missing part replaced by its near miss, if that then exists."""
    there = next((parent for parent in path.parents if parent.is_dir()), None)
    if there is None:
        return None
    missing, *rest = path.parts[len(there.parts) :]
    try:
        names = sorted(entry.name for entry in there.iterdir())
    except OSError:
        return None
    hint = near(missing, names)
    guess = next((name for name in names if hint and repr(name) in hint), None)
    found = there.joinpath(guess, *rest) if guess else None
    return found if found and found.exists() else None
