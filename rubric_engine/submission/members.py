"""What may be taken out of a tar archive that nobody vouches for: one member at a time. Pure."""

from __future__ import annotations

import os
import tarfile

from rubric_engine.files import Kind
from rubric_engine.submission.limits import DEEPEST

NONSENSE = (tarfile.TarError, ValueError, ArithmeticError, LookupError, RecursionError)
"""What tarfile raises on headers that are nonsense; nothing of ours is among these."""

CLASHES = "its name clashes with another member's"

_LONGEST_NAME = 255


def parts_of(name: str) -> list[str]:
    """The names that a path is made of."""
    return [part for part in name.split("/") if part not in ("", ".")]


def refusal(member: tarfile.TarInfo) -> str | None:
    """Why a member must not be unpacked, or None."""
    if member.issym():
        return f"link to {member.linkname!r} (never followed)"
    if member.islnk():
        bad = _bad_name(member.name, is_folder=False)
        return bad or (hard_link(member) if _bad_name(member.linkname, is_folder=False) else None)
    if not (member.isreg() or member.isdir()):
        return "neither a file nor a folder (not unpacked)"
    return _bad_name(member.name, is_folder=member.isdir())


def hard_link(member: tarfile.TarInfo) -> str:
    """Why a hard link is left out."""
    return f"hard link to {member.linkname!r} (not unpacked)"


def kind_of(member: tarfile.TarInfo) -> Kind:
    """What a member is."""
    if member.issym() or member.islnk():
        return "link"
    if member.isdir():
        return "folder"
    return "binary" if member.isreg() else "special"


def _bad_name(name: str, *, is_folder: bool) -> str | None:
    parts = parts_of(name)
    if name.startswith("/") or ".." in parts:
        return "its name leads out of the archive"
    if "\0" in name or not (parts or is_folder):
        return "its name is not valid"
    try:
        longest = max((len(os.fsencode(part)) for part in parts), default=0)
    except UnicodeEncodeError:
        return "its name is not valid"
    if longest > _LONGEST_NAME or len(parts) > DEEPEST:
        return "its name is too long"
    return None
