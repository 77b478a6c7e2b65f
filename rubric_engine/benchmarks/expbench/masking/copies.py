"""Copies of the answers: by content, and by names that tools give to what they make of a file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping

from rubric_engine.benchmarks.expbench.masking.decoding import as_utf8

MIN_BYTES = 48
"""Shorter contents are the same by chance; they only count under the same name."""

_LEFTOVERS = ("{0}~", ".{0}.swp", ".{0}.swo", "{0}.orig", "{0}.bak", "{0}.rej", "{0}.old",
              "{0}.save", "#{0}#")  # fmt: skip
_COMPILED = re.compile(r"(?P<stem>[^/]+?)(\.cpython-[^/.]*|\.opt-\d)*\.(pyc|pyo|so|pyd)$")


class Contents:
    """The contents of the answers, whatever ends their lines.

    Args:
        contents: Contents by path.
    """

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._long: dict[bytes, str] = {}
        self._short: dict[tuple[str, bytes], str] = {}
        for path, content in contents.items():
            form = _form(content)
            if len(form) >= MIN_BYTES:
                self._long.setdefault(_digest(form), path)
            elif form:
                self._short.setdefault((_last(path), _digest(form)), path)

    def copied_in(self, path: str, content: bytes) -> str | None:
        """The answer that a file repeats, or None."""
        form = _form(content)
        key = _digest(form)
        return self._long.get(key) or self._short.get((_last(path), key))


class Leftovers:
    """What tools make of the answers, going by the names.

    Args:
        answers: Paths of the answers.
        files: Paths of all files that are no answers.
    """

    def __init__(self, answers: Iterable[str], files: Collection[str]) -> None:
        self._files = files
        self._named: dict[str, str] = {}
        for answer in answers:
            last = _last(answer)
            self._named.setdefault(last, answer)
            for shape in _LEFTOVERS:
                self._named.setdefault(shape.format(last), answer)
            self._named.setdefault(_saved(last), answer)

    def made_of(self, path: str) -> str | None:
        """The answer that a file was made of, or None."""
        name = _last(path)
        compiled = _COMPILED.fullmatch(name)
        if compiled and _source(path, compiled["stem"]) not in self._files:
            return self._named.get(f"{compiled['stem']}.py")
        answer = self._named.get(name)
        if answer is None or name == _last(answer):
            return None
        in_notebooks = "/.ipynb_checkpoints/" in f"/{path}"
        return answer if in_notebooks or name != _saved(_last(answer)) else None


def _saved(last: str) -> str:
    """How a notebook's server calls the last state that was saved of a file."""
    stem, dot, ending = last.rpartition(".")
    return f"{stem}-checkpoint{dot}{ending}"


def _source(path: str, stem: str) -> str:
    folder = path.rpartition("/")[0]
    if _last(folder) == "__pycache__":
        folder = folder.rpartition("/")[0]
    return f"{folder}/{stem}.py" if folder else f"{stem}.py"


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _form(content: bytes) -> bytes:
    """The content without what editors change: how characters are stored, ends of lines."""
    lines = as_utf8(content).splitlines()
    return b"\n".join(line.rstrip() for line in lines).strip()


def _digest(form: bytes) -> bytes:
    return hashlib.sha256(form).digest()
