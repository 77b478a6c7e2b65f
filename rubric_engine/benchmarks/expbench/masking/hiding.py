"""Where the files that a question hides are in a repository. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

_WORKSPACE = "/workspace/"
_TEMPORARY = "/tmp/"  # noqa: S108 (how the data set spells a path; nothing is opened there)
_README = re.compile(
    r"readme(\..+|[^a-z0-9./][^/]*\.(md|markdown|mdx|rst|txt|org|a(scii)?doc|html?|ipynb|pdf|tex))?",
    re.IGNORECASE,
)
_LINES = re.compile(r":\d+(-\d+)?$")
_NEAR = 3
_MOST_NAMES = 5_000
_LONGEST_NAME = 300
_MOST_LINKS = 40


@dataclass(frozen=True)
class Sought:
    """What is to be hidden, and what there is of it.

    Attributes:
        found: Paths of files, each with the name by which it was sought.
        missing: Names that lead to nothing, each with paths that may be meant.
    """

    found: Mapping[str, str]
    missing: Mapping[str, tuple[str, ...]]


def readmes(files: Collection[str], links: Mapping[str, str]) -> list[str]:
    """The READMEs at the root, and files that links of that name lead to."""
    named = (path for path in (*files, *links) if _README.fullmatch(path))
    real = {resolved(path, links) for path in named}
    return sorted(path for path in real if path in files and path is not None)


def seek(names: Sequence[str], files: Collection[str], links: Mapping[str, str]) -> Sought:
    """Find files by their names.

    Args:
        names: Names as the data set spells them; that of a folder stands for all files in it.
        files: Paths of all files.
        links: Targets of all links by their paths; those inside the repository are resolved.
    """
    found: dict[str, str] = {}
    missing: dict[str, tuple[str, ...]] = {}
    for name in names:
        hits = next(filter(None, (_at(path, files, links) for path in spellings(name))), [])
        found.update(dict.fromkeys(hits, name))
        if not hits:
            missing[name] = tuple(_near(name, files))
    return Sought(found, missing)


def resolved(path: str, links: Mapping[str, str]) -> str | None:
    """A path with the links on it resolved; None where it leads out or in a circle."""
    todo, done = path.split("/")[::-1], list[str]()
    for _ in range(_MOST_LINKS + path.count("/")):
        if not todo:
            return "/".join(done)
        part = todo.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if not done:
                return None
            done.pop()
            continue
        target = links.get("/".join([*done, part]))
        if target is None:
            done.append(part)
        elif target.startswith("/"):
            return None
        else:
            todo += target.split("/")[::-1]
    return None if todo else "/".join(done)


def spellings(name: str) -> Iterator[str]:
    """Paths in the repository that a name may stand for, the likeliest first."""
    plain = _LINES.sub("", name.strip())
    yield plain.removeprefix(_WORKSPACE).removeprefix("workspace/").lstrip("/")
    if plain.startswith(_TEMPORARY):
        parts = plain.strip("/").split("/")
        # The last name alone would be a guess.
        yield from ("/".join(parts[start:]) for start in range(1, len(parts) - 1))


def _at(path: str, files: Collection[str], links: Mapping[str, str]) -> list[str]:
    real = resolved(path, links)
    if not real:
        return []
    return [real] if real in files else [file for file in files if file.startswith(f"{real}/")]


def _near(name: str, files: Collection[str]) -> list[str]:
    path = _LINES.sub("", name.strip()).removeprefix(_WORKSPACE).lstrip("/")
    last = path.rpartition("/")[2]
    same = [file for file in files if file.rpartition("/")[2] == last]
    if len(same) == 1:
        return same
    among = [file for file in same or files if len(file) <= _LONGEST_NAME][:_MOST_NAMES]
    return difflib.get_close_matches(path, among, n=_NEAR, cutoff=0.0 if same else 0.6)
