"""What a shell makes of braces and of `${X...}`, as far as it is plain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_BRACES = re.compile(r"\{([^{},]*(?:,[^{},]*)+)\}")
_CUT = re.compile(r":[ \t]*(-?\d+)(?::(-?\d+))?")
_MOST = 16
_MOST_LENGTH = 4096


def with_braces(word: str) -> tuple[str, ...]:
    """The words that `a{b,c}` stands for.

    >>> with_braces("x/{a,b}.py")
    ('x/a.py', 'x/b.py')
    """
    words = [word]
    for _ in range(4 if len(word) <= _MOST_LENGTH else 0):
        if not any(map(_BRACES.search, words)):
            break
        words = list(islice((one for each in words for one in _opened(each)), _MOST))
    return tuple(words)


def _opened(word: str) -> Iterator[str]:
    found = _BRACES.search(word)
    if found is None:
        yield word
    else:
        inner = found[1].split(",", _MOST)[:_MOST]
        yield from (word[: found.start()] + one + word[found.end() :] for one in inner)


def changed(value: str, how: str) -> str:
    """The value of a variable as `${X...}` changes it.

    Args:
        value: The value.
        how: What stands behind the name.

    >>> changed("owner_name", "/_//")
    'owner/name'
    >>> changed("a/b.git", "%.git"), changed("xxab", ":2"), changed("a/b", "##*/")
    ('a/b', 'ab', 'b')
    """
    cut = _CUT.fullmatch(how)
    if cut:
        begin, length = int(cut[1]), cut[2]
        rest = value[begin:]
        return rest if length is None else rest[: int(length)]
    if how.startswith("/"):
        every = how.startswith("//")
        old, _, new = how.lstrip("/").partition("/")
        changes = _MOST if every else 1
        return value.replace(old, new, changes)[:_MOST_LENGTH] if old else value
    if how.startswith("#"):
        return _without_head(value, how.lstrip("#"), longest=how.startswith("##"))
    if how.startswith("%"):
        return _without_tail(value, how.lstrip("%"), longest=how.startswith("%%"))
    return value


def _without_head(value: str, pattern: str, *, longest: bool) -> str:
    if not pattern.startswith("*"):
        return value.removeprefix(pattern)
    sign = pattern[1:]
    if not sign or sign not in value:
        return value
    return value.rpartition(sign)[2] if longest else value.partition(sign)[2]


def _without_tail(value: str, pattern: str, *, longest: bool) -> str:
    if not pattern.endswith("*"):
        return value.removesuffix(pattern)
    sign = pattern[:-1]
    if not sign or sign not in value:
        return value
    return value.partition(sign)[0] if longest else value.rpartition(sign)[0]
