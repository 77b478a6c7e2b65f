"""Whether a patch may be applied, told from its text alone. Pure.

A patch is untrusted. Refused is one that reaches out of the tree or into `.git`, makes links or
submodules, or holds binary contents. What is between the headers is never looked at, so that
contents that look like headers are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_NAMED = re.compile(r"(---|\+\+\+|(?:rename|copy) (?:from|to|old|new)) (.*)")
_MODE = re.compile(r"(?:new file mode|deleted file mode|old mode|new mode) (\d+)|index \S+ (\d+)")
_GIT = re.compile(r'diff --git (?:"a/(?P<quoted>.*)" "b/.*"|a/(?P<plain>.*) b/(?P=plain))')
_ESCAPE = re.compile(r'\\([0-7]{3}|[abfnrtv"\\])')
_PLAIN = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_LINK, _MODULE = "12", "16"
_NOTHING = "/dev/null"
_INSIDE = ("-", "+", " ", "\\", "")
_HEADS = ("diff --git ", "--- ", "+++ ", "rename ", "copy ", "index ", "@@ ")
_LONGEST = 10_000
"""Characters of a header: no path is as long, and what looks for one takes the square of that."""


def why_refused(text: str) -> str | None:
    """Why a patch must not be applied; None where it may.

    Args:
        text: A unified diff, as git writes it; its headers are read.
    """
    for line in _headers(text.split("\n")):
        path, trouble = _told(line)
        if path is not None:
            trouble = trouble or _trouble(path)
        if trouble is not None:
            return trouble
    return None


def _headers(lines: Iterable[str]) -> Iterator[str]:
    """The lines that are not inside a hunk, which only follows the names of a file, or a hunk."""
    old = new = 0
    may_follow = False
    for line in lines:
        if (old > 0 or new > 0) and line[:1] in _INSIDE:
            old -= line[:1] in ("-", " ", "")
            new -= line[:1] in ("+", " ", "")
        elif may_follow and (found := _HUNK.match(line)):
            old, new = (int(count) if count is not None else 1 for count in found.groups())
        else:
            old = new = 0
            may_follow = line.startswith("+++ ") or (may_follow and line.startswith("\\"))
            yield line.removesuffix("\r")


def _told(line: str) -> tuple[str | None, str | None]:
    """A path that a header names, and why the header alone is refused."""
    if line.startswith(("GIT binary patch", "Binary files ")):
        return None, "it holds binary contents"
    if len(line) > _LONGEST and line.startswith(_HEADS):
        return None, f"a header has {len(line):,} characters"
    if found := _MODE.fullmatch(line):
        mode = found[1] or found[2]
        if mode.startswith((_LINK, _MODULE)):
            return None, "it makes a link" if mode.startswith(_LINK) else "it makes a submodule"
    elif found := _NAMED.fullmatch(line):
        return _path(found[2], prefixed=found[1] in ("---", "+++")), None
    elif found := _GIT.fullmatch(line):
        named = found["plain"]
        return (named if named is not None else _unquoted(found["quoted"])), None
    return None, None


def _path(written: str, *, prefixed: bool) -> str | None:
    name = written.partition("\t")[0] if not written.startswith('"') else written
    quoted = len(name) > 1 and name.startswith('"') and name.rstrip().endswith('"')
    name = _unquoted(name.rstrip()[1:-1]) if quoted else name
    if name == _NOTHING:
        return None
    if prefixed and not name.startswith("/"):
        return name.partition("/")[2] or name
    return name


def _unquoted(text: str) -> str:
    """A name without the escapes that git writes in quotes: bytes in octal, among others."""

    def byte(found: re.Match[str]) -> str:
        said = found[1]
        return chr(_PLAIN[said] if said in _PLAIN else int(said, 8) % 256)

    latin = _ESCAPE.sub(byte, text)
    try:
        return latin.encode("latin-1").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return latin


def _trouble(path: str) -> str | None:
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "\0" in path:
        return f"it leaves the tree: {path!r:.120}"
    if any(part.rstrip(" .").lower() in (".git", "git~1") for part in parts):
        return f"it reaches into .git: {path!r:.120}"
    return None
