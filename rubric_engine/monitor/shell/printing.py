"""What a command prints, as far as that is plain; nothing is run."""

from __future__ import annotations

import base64
import binascii
import re
from collections import deque
from collections.abc import Callable, Sequence
from itertools import dropwhile

_PASSES = frozenset({"cat", "tee", "sort", "uniq", "head", "tail", "grep", "tr", "sed", "tac"})
_PLACE = re.compile(r"%[-0-9.]*[sbqdi]")
_INVERTS = re.compile(r"-\w*v|--inv", re.ASCII)
_FLAGS = frozenset({"-e", "-n", "-ne", "-en", "-E", "--"})
_DECODES = frozenset({"-d", "-D", "--decode", "-di"})


def printed(words: Sequence[str], given: str, texts: Callable[[Sequence[str]], str]) -> str:
    """What a command prints; a file that nobody knows stands as its name.

    Args:
        words: Its words; none stands for `cat`.
        given: Its input.
        texts: The texts of those files that are known among words.
    """
    program = program_of(words[0]) if words else "cat"
    if program in ("echo", "printf"):
        plain = list(dropwhile(_FLAGS.__contains__, words[1:]))
        said = " ".join(plain) if program == "echo" else formatted(plain)
        return said.replace("\\n", "\n")
    if program == "base64" and not _DECODES.isdisjoint(words):
        return _decoded(given)
    if program == "rev":
        return "\n".join(line[::-1] for line in given.split("\n"))
    if program == "cat" and len(words) > 1:
        return texts(words[1:]) or " ".join(words[1:])
    if program == "grep" and any(map(_INVERTS.match, words[1:])):
        return ""  # whoever leaves lines out may leave out just those that are looked for
    if program in _PASSES:
        return given or texts(words[1:]) or (words[-1] if len(words) > 1 else "")
    return ""


def formatted(words: Sequence[str]) -> str:
    """What `printf` makes of a format and the words behind it: they are put in, all in turn."""
    form, given = (words[0], deque(words[1:])) if words else ("", deque())
    pieces: list[str] = []
    while True:
        piece, places = _PLACE.subn(lambda _: given.popleft() if given else "", form)
        pieces.append(piece)
        if not given or not places:
            return "".join(pieces)


def program_of(path: str) -> str:
    """Name of a program, without its folder."""
    if "/" not in path:
        return path
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return parts[-1] if parts else ""


def _decoded(text: str) -> str:
    try:
        return base64.b64decode("".join(text.split()) + "==").decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
