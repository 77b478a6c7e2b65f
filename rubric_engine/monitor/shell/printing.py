"""What a command prints, as far as that is plain; nothing is run."""

from __future__ import annotations

import base64
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import dropwhile

_PASSES = frozenset({"cat", "grep", "head", "sed", "sort", "tac", "tail", "tee", "uniq"})
_FLAGS = frozenset({"-e", "-n", "-ne", "-en", "-E", "--"})
_DECODES = frozenset({"-d", "-D", "--decode", "-di"})
_PLACE = re.compile(r"%[-+ 0-9.]*[sbqdic]|%%")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|([nrt\\]))")
_RANGE = re.compile(r"([\x21-\x7f])-([\x21-\x7f])")
_PUT = re.compile(r"s([/|#,])([\w ./:@-]+)\1([\w ./:@-]*)\1g?")
_INVERTS = re.compile(r"-\w*v|--inv", re.ASCII)
_COMMENT = re.compile(r"^[ \t]*#.*|[ \t]#.*", re.MULTILINE)
_MOST = 20_000


def printed(words: Sequence[str], given: str, texts: Callable[[Sequence[str]], str]) -> str:
    """What a command prints; a file that nobody knows stands as its name.

    Args:
        words: Its words; none stands for `cat`.
        given: Its input.
        texts: The texts of those files that are known among words.
    """
    program = program_of(words[0]) if words else "cat"
    if program == "echo":
        return " ".join(dropwhile(_FLAGS.__contains__, words[1:])).replace("\\n", "\n")
    if program == "printf":
        return formatted(list(dropwhile(_FLAGS.__contains__, words[1:])))
    if program in _DECODERS:
        given = given or texts(words[1:])
        return _DECODERS[program](given) if _decodes(words) else ""
    if program == "rev":
        return "\n".join(line[::-1] for line in given.split("\n"))
    if program == "tr":
        return _translated([word for word in words[1:] if not word.startswith("-")], given)
    if program == "cat" and len(words) > 1:
        return texts(words[1:]) or " ".join(words[1:])
    if program == "grep" and any(map(_INVERTS.match, words[1:])):
        return ""  # whoever leaves lines out may leave out just those that are looked for
    if program in _PASSES:
        passed = given or texts(words[1:]) or (words[-1] if len(words) > 1 else "")
        return _replaced(words, passed) if program == "sed" else passed
    return ""


def formatted(words: Sequence[str]) -> str:
    """What `printf` makes of a format and of the words behind it, which it puts in in turn."""
    form, rest = _unescaped(words[0]) if words else "", deque(words[1:])
    pieces: list[str] = []
    length, left = 0, len(rest) + 1
    while length < _MOST and left > len(rest):  # a format that takes no word is put once
        left = len(rest)
        pieces.append(_PLACE.sub(lambda at: _next(at[0], rest), form))
        length += len(pieces[-1])
        if not rest:
            break
    return _unescaped("".join(pieces)) if "%b" in form else "".join(pieces)


def _next(place: str, words: deque[str]) -> str:
    if place == "%%":
        return "%"
    return words.popleft() if words else ""


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    if escape[3]:
        return {"n": "\n", "r": "\r", "t": "\t"}.get(escape[3], escape[3])
    return chr(int(escape[1], 16) if escape[1] else int(escape[2], 8))


def _translated(sets: list[str], given: str) -> str:
    """What `tr` makes of a text, where it puts letters for letters."""
    if len(sets) != 2:
        return given
    old, new = (_RANGE.sub(_letters, one[:200]) for one in sets)
    last = new[-1:] * (len(old) - len(new))
    return given.translate(str.maketrans(old, (new + last)[: len(old)])) if new else given


def _letters(span: re.Match[str]) -> str:
    return "".join(map(chr, range(ord(span[1]), ord(span[2]) + 1)))


def _replaced(words: Sequence[str], text: str) -> str:
    """What `sed` makes of a text, where it puts plain words for plain words."""
    for word in words[1:20]:
        put = _PUT.fullmatch(word)
        if put:
            text = text.replace(put[2], put[3], min(1000, _MOST // max(1, len(put[3]))))
    return text


def program_of(path: str) -> str:
    """Name of a program, without its folder."""
    if "/" not in path:
        return path
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return parts[-1] if parts else ""


def without_comments(text: str) -> str:
    """A list without the lines, and the ends of lines, that say something about it."""
    return _COMMENT.sub("", text) if "#" in text else text


def _decodes(words: Sequence[str]) -> bool:
    return not _DECODES.isdisjoint(words) or (words[0] == "xxd" and "r" in "".join(words[1:]))


def _decoder(decode: Callable[[str], bytes]) -> Callable[[str], str]:
    def said(text: str) -> str:
        try:
            return decode("".join(text.split())).decode("utf-8", "replace")
        except ValueError:
            return ""

    return said


_DECODERS: Mapping[str, Callable[[str], str]] = {
    "base32": _decoder(base64.b32decode),
    "base64": _decoder(lambda text: base64.b64decode(text + "==")),
    "xxd": _decoder(bytes.fromhex),
}
"""Programs that decode what they are given, where they are asked to."""
