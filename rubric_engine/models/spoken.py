"""What of an answer is said and what is only thought: its objects, and the words beside them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

_MOST_STARTS = 50  # opening braces that are looked at

_NAMES = r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|seed:think"
_OPEN = rf"<(?:{_NAMES})>|\[THINK\]|◁think▷"
# Some chat templates write the opening tag into the prompt, so that only the closing one is seen.
_CLOSE = (
    rf"</(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|channel\|>final(?:\s*<\|[^|]*\|>\w*)*<\|message\|>"
)
_CLOSING = re.compile(_CLOSE, re.IGNORECASE)
_MARK = re.compile(rf"(?P<brace>\{{)|(?P<close>{_CLOSE})|(?P<open>{_OPEN})", re.IGNORECASE)
_KEY = re.compile(r"""\{\s*(?:"[^"\n]{0,80}"|'?(?P<plain>\w{1,80})'?)\s*:""")

Decode = Callable[[str, int], tuple[dict[str, Any] | None, int]]
"""The object that starts at a place, or None, and where to go on."""


@dataclass
class Spoken:
    """What an answer says, its thoughts left out.

    Attributes:
        objects: Its JSON objects that lie in no other, in order.
        rest: Its words beside them.
        broken: Whether it holds the beginning of an object that cannot be read: what stands
            behind it may be part of it, such as a quote of what is being judged.
        endless: Whether it holds too many braces to be read.
    """

    objects: list[dict[str, Any]] = field(default_factory=list)
    rest: str = ""
    broken: bool = False
    endless: bool = False


def spoken(text: str, names: frozenset[str], decode: Decode) -> Spoken:
    """Read a text from left to right. A tag inside the string of an object is no tag.

    Args:
        text: The whole answer.
        names: Keys by which an object is known that is written without quotes.
        decode: Reads the object at a brace.
    """
    found = Spoken()
    position = starts = 0
    while mark := _MARK.search(text, position):
        found.rest += text[position : mark.start()]
        position = mark.end()
        if mark["close"]:  # all before it was thought
            found = Spoken()
        elif mark["open"]:
            closing = _CLOSING.search(text, position)
            position = closing.end() if closing else len(text)
        else:
            starts += 1
            if starts > _MOST_STARTS:
                found.endless = True
                return found
            value, position = decode(text, mark.start())
            if value is not None:
                found.objects.append(value)
            else:
                found.rest += "{"
                key = _KEY.match(text, mark.start())
                found.broken |= key is not None and (key["plain"] or "") in {"", *names}
                if found.broken and not _CLOSING.search(text, position):
                    return found
    found.rest += text[position:]
    return found
