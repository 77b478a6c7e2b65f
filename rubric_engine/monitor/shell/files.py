"""What scripts leave to those behind them: files, exported variables, settings of git."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from posixpath import normpath

from rubric_engine.monitor.shell.words import MOST_LENGTH, Allowance, Values

_MOST_NAMES = 16
"""Names of files that are spelled out, to tell whether a step may name one."""

_MOST_READ = 20_000_000
"""Characters that are taken from files: a long log may have each of its steps read one."""

_MOST_KEPT = 200
"""Variables, and settings, that are kept."""


class Files:
    """What was written into files so far: whoever runs such a file runs what was written.

    A file is known by its path. A path that ends as another one does is taken for the same file,
    as nobody knows in which folder a command is run; the one that was written last counts.

    Args:
        given: Files that are there from the beginning, by their paths.

    Attributes:
        changes: How often anything in them changed: until it does, a script does what it did.
        exported: The variables that scripts exported, with their values.
        settings: What `git config` set: its keys in small letters, and values.
    """

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self._texts: dict[str, str] = {}
        self._paths: dict[str, dict[str, None]] = {}
        self._allowance = Allowance(_MOST_READ)
        self.exported: dict[str, Values] = {}
        self.settings: dict[str, str] = {}
        self.changes = 0
        for path, text in (given or {}).items():
            self.write(path, text)

    def write(self, path: str, text: str, *, more: bool = False) -> None:
        """Keep a file's text, or put more behind what it holds."""
        name = _name(path)
        if more:
            found = self._find(path)
            name = found or name
            text = (self._texts.get(name, "") + text)[:_MOST_READ]
        if self._texts.get(name) != text:
            self._texts[name] = text
            last = self._paths.setdefault(name.rpartition("/")[2], {})
            last.pop(name, None)
            last[name] = None
            self.changes += 1

    def among(self, words: Sequence[str]) -> str:
        """The texts of all files that are named among words."""
        if not self._texts:
            return ""
        names = dict.fromkeys(filter(None, map(self._find, words)))
        texts = (self._texts[name] for name in names)
        return "\n".join(text for text in texts if self._allowance.take((text,)))

    def has(self, words: Iterable[str]) -> bool:
        """Whether a file is known that is named among words."""
        return bool(self._texts) and any(self._find(word) is not None for word in words)

    def may_have(self, signs: set[str]) -> bool:
        """Whether a file may be named with nothing but these signs, in small letters.

        `make` names its file as little as `python -m x` names that file's end.
        """
        if len(self._texts) > _MOST_NAMES or (self.exported and "$" in signs):
            return True
        stems = (name.lower().partition(".")[0].removesuffix("file") for name in self._paths)
        return any(map(signs.issuperset, stems))

    def take(self, path: str) -> str:
        """The text of a file, once: a script that starts itself is read once."""
        name = self._find(path)
        if name is None:
            return ""
        self.changes += 1
        del self._paths[name.rpartition("/")[2]][name]
        return self._texts.pop(name)

    def export(self, name: str, values: Values) -> None:
        """Keep a variable for later scripts."""
        if self.exported.get(name) != values and len(self.exported) < _MOST_KEPT:
            self.exported[name] = tuple(value[:MOST_LENGTH] for value in values)
            self.changes += 1

    def set_up(self, key: str, value: str) -> None:
        """Keep a setting of git for later commands."""
        if self.settings.get(key) != value and len(self.settings) < _MOST_KEPT:
            self.settings[key] = value[:MOST_LENGTH]
            self.changes += 1

    def _find(self, path: str) -> str | None:
        """The file that a path names."""
        name = _name(path)
        if name in self._texts:
            return name
        others = self._paths.get(name.rpartition("/")[2]) if self._texts else None
        same = (one for one in reversed(others or ()) if _is_tail(one, name))
        return next(same, None)


def _name(path: str) -> str:
    return normpath(path) if "/" in path else path


def _is_tail(one: str, other: str) -> bool:
    """Whether one of two paths ends as the other one is."""
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")
