"""What scripts leave to those behind them: files, exported variables, settings of git."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from posixpath import normpath

from rubric_engine.monitor.shell.words import MOST_ALLOWED, MOST_LENGTH, Allowance, Values

_MOST_NAMES = 16
"""Names of files that are spelled out, to tell whether a step may name one."""

_MOST_ADDED = 100_000
"""Characters that a file holds to which more and more is added."""

_MOST_SAME = 20
"""Files of one name in several folders that are told apart by the ends of their paths."""

_MOST_READ = 20_000_000
"""Characters that are taken from files: a long log may have each of its steps read one."""

MOST_KEPT = 200
"""Variables, and settings, that are kept."""


class Texts:
    """Texts of files, found by their paths.

    A path that ends as another one does is taken for the same file, as nobody knows in which
    folder a command is run; the one that came last counts.
    """

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.paths: dict[str, dict[str, None]] = {}

    def put(self, name: str, text: str) -> None:
        """Take in a file."""
        self.texts[name] = text
        same = self.paths.setdefault(name.rpartition("/")[2], {})
        same.pop(name, None)
        same[name] = None

    def drop(self, name: str) -> str:
        """Take out a file."""
        del self.paths[name.rpartition("/")[2]][name]
        return self.texts.pop(name)

    def find(self, path: str) -> str | None:
        """The file that a path names."""
        name = _name(path)
        if name in self.texts:
            return name
        others = self.paths.get(name.rpartition("/")[2]) if self.texts else None
        last = islice(reversed(others or ()), _MOST_SAME)
        return next((one for one in last if _is_tail(one, name)), None)


class Given:
    """The files of a submission, for commands that read or run them; nothing changes them.

    Args:
        read: Files that are looked at nowhere else, by their paths: lists, scripts of odd names.
        scripts: Shell scripts that are looked at by themselves; whoever sources one is given its
            variables.

    Attributes:
        reading: How much of files may still be read, by all commands together.
        allowance: How much may still be made of scripts, of all of them together.
    """

    def __init__(
        self, read: Mapping[str, str] | None = None, scripts: Mapping[str, str] | None = None
    ) -> None:
        self.read, self.scripts = Texts(), Texts()
        self.reading, self.allowance = Allowance(_MOST_READ), Allowance(MOST_ALLOWED)
        for texts, files in ((self.read, read), (self.scripts, scripts)):
            for path, text in (files or {}).items():
                texts.put(_name(path), text)


class Files:
    """What was written into files so far: whoever runs such a file runs what was written.

    Args:
        given: Files that are there from the beginning.
        allowance: What others may make of scripts as well; else that of `given`, or a small one.

    Attributes:
        allowance: How much may still be made of the scripts that are read.
        changes: How often anything in them changed: until it does, a script does what it did.
        exported: The variables that scripts exported, with their values.
        settings: What `git config` set: its keys in small letters, and values.
    """

    def __init__(self, given: Given | None = None, allowance: Allowance | None = None) -> None:
        self.allowance = allowance or (given.allowance if given else Allowance())
        self._written = Texts()
        self._given = given or Given()
        self._taken: set[str] = set()
        self.exported: dict[str, Values] = {}
        self.settings: dict[str, str] = {}
        self.changes = len(self._given.read.texts)

    def write(self, path: str, text: str, *, more: bool = False) -> None:
        """Keep a file's text, or put more behind what it holds."""
        name = _name(path)
        if more:
            name = self._written.find(path) or name
            text = (self._written.texts.get(name) or self.among((path,))) + text[:_MOST_ADDED]
            text = text[:_MOST_ADDED]
        if self._written.texts.get(name) != text:
            self._written.put(name, text)
            self.changes += 1

    def written(self, words: Sequence[str]) -> str:
        """The texts of all files that were written and are named among words."""
        return self._texts(words, (self._written,))

    def among(self, words: Sequence[str]) -> str:
        """The texts of all files that are known and are named among words."""
        return self._texts(words, (self._written, self._given.read))

    def has(self, words: Iterable[str]) -> bool:
        """Whether a file is known that is named among words."""
        if not (self._written.texts or self._given.read.texts):
            return False
        return any(
            texts.find(word) is not None
            for word in words
            for texts in (self._written, self._given.read)
        )

    def may_have(self, signs: set[str]) -> bool:
        """Whether a file may be named with nothing but these signs, in small letters.

        `make` names its file as little as `python -m x` names that file's end.
        """
        places = (self._written.paths, self._given.read.paths)
        if sum(map(len, places)) > _MOST_NAMES or (self.exported and "$" in signs):
            return True
        names = chain.from_iterable(places)
        stems = (name.lower().partition(".")[0].removesuffix("file") for name in names)
        return any(map(signs.issuperset, stems))

    def take(self, path: str) -> str:
        """The text of a file, once: a script that starts itself is read once."""
        name = self._written.find(path)
        if name is not None:
            self.changes += 1
            return self._written.drop(name)
        return self._once(self._given.read, path)

    def sourced(self, path: str) -> tuple[str, bool]:
        """The text of a script that is sourced, once, and whether it is looked at by itself."""
        text = self.take(path)
        return (text, False) if text else (self._once(self._given.scripts, path), True)

    def _once(self, texts: Texts, path: str) -> str:
        name = texts.find(path)
        if name is None or name in self._taken:
            return ""
        self._taken.add(name)
        self.changes += 1
        return texts.texts[name]

    def _texts(self, words: Sequence[str], places: Sequence[Texts]) -> str:
        found: dict[str, str] = {}
        for texts in places:
            if texts.texts:
                names = filter(None, map(texts.find, words))
                found.update((name, texts.texts[name]) for name in names if name not in found)
        return "\n".join(text for text in found.values() if self._given.reading.take((text,)))

    def export(self, name: str, values: Values) -> None:
        """Keep a variable for later scripts."""
        if self.exported.get(name) != values and len(self.exported) < MOST_KEPT:
            self.exported[name] = tuple(value[:MOST_LENGTH] for value in values)
            self.changes += 1

    def set_up(self, key: str, value: str) -> None:
        """Keep a setting of git for later commands."""
        if self.settings.get(key) != value and len(self.settings) < MOST_KEPT:
            self.settings[key] = value[:MOST_LENGTH]
            self.changes += 1


def _name(path: str) -> str:
    return normpath(path) if "/" in path else path


def _is_tail(one: str, other: str) -> bool:
    """Whether one of two paths ends as the other one is."""
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")
