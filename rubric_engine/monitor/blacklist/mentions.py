"""Where a text names what a blacklist names, on the boundaries of names, in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rubric_engine.monitor.blacklist.reference import GITHUB, Reference
from rubric_engine.monitor.blacklist.views import QUOTED, View, decoded, escaped_views, views

Form = Literal["hosted", "bare", "elsewhere", "path"]
"""How a name stands: with its host; alone; with another host; within the path of a file."""

_BEFORE = 300
_URL_RUN = re.compile(r"\n?([^\s\"'<>()\[\]{}`,;|=]*)")
"""What stands before a name, read backwards from it: a search forwards begins at every sign."""

_LEFT = re.compile(r"[\w.-]\n?\Z", re.ASCII)
_RIGHT = re.compile(r"(?:\.git)?(?![\w-]|\.(?!git\b|zip\b|tar\b|tgz\b)\w)", re.ASCII)
_HOST_RIGHT = re.compile(r"(?![\w-]|\.\w)", re.ASCII)
_HIDES = re.compile(
    r"%[0-9a-f]{2}|\\[xu0-7]|&#|&(?:sol|amp|colon|period);|(?<![a-z0-9+/_-])[a-z0-9+/_-]{20}",
    re.IGNORECASE,
)
"""Escapes, and what may be base64: letters stand there that nobody sees."""

_OWNER = re.compile(r"[/:]([\w.-]{1,100})\Z", re.ASCII)
_OTHER_HOST = re.compile(r"[\w-]+\.[a-z]{2,}(?::\d+)?[/:]")
_SAME: dict[str, tuple[str, ...]] = {
    GITHUB: ("github", "/gh/", "gh:", "ungh.", "githack.", "gitingest.", "uithub.", "deepwiki."),
    "huggingface.co": ("huggingface.co", "hf.co", "hf-mirror.com", "hf:/"),
}
_OF_PAPERS = ("arxiv", "ar5iv", "alphaxiv", "huggingface.co/papers", "semanticscholar", "abs/")


@dataclass(frozen=True)
class Mention:
    """One place where a name stands.

    Attributes:
        reference: What is named.
        start: Offset in the text.
        form: How it stands there.
        said: What stands there decoded, where it is encoded.
    """

    reference: Reference
    start: int
    form: Form
    said: str = ""


def mentions(
    text: str, references: Sequence[Reference], *, strings: bool = True
) -> Iterator[Mention]:
    """All places of a text that name one of the references, each place once.

    Args:
        text: Any text; the time is linear in it.
        references: What is looked for.
        strings: Whether strings that are put together and base64 are looked into, too.
    """
    references = possible(text, references)
    if not references:
        return
    best: dict[tuple[Reference, int], Mention] = {}
    names = [one.path or one.host for one in references]

    def holds(said: str) -> bool:
        low = lowered(said)
        return any(name in low for name in names)

    for view in views(text, holds) if strings else escaped_views(text):
        for found in _in_view(view, references):
            key = (found.reference, found.start)
            if key not in best or found.form == "hosted":
                best[key] = found
    yield from best.values()
    for start, said in decoded(text) if strings else ():
        for found in _in_view(View(said), references):
            yield Mention(found.reference, start, found.form, said[:200])


def possible(text: str, references: Sequence[Reference]) -> Sequence[Reference]:
    """Those that a text may name: most texts lack some letter of all, and are passed over by it."""
    if _HIDES.search(text):
        return references
    if not QUOTED.search(text):  # nothing in it can be put together
        low = lowered(text)
        return [one for one in references if (one.path or one.host) in low]
    signs = set(text.lower())
    return [one for one in references if one.letters <= signs]


def namesakes(text: str, references: Sequence[Reference]) -> Iterator[Reference]:
    """The repositories whose name stands in a text under another owner, on the same host.

    Args:
        text: Words of a command, or a string, that something is fetched with.
        references: What is looked for.
    """
    low = lowered(text)
    for reference in references:
        owner, _, name = reference.path.rpartition("/")
        at = low.find("/" + name) if owner and "/" not in owner else -1
        while at >= 0:
            other = _OWNER.search(low[max(0, at - _BEFORE) : at])
            if other and other[1] != owner and _ends(low, at + 1 + len(name), reference):
                end = at - len(other[1])
                if _is_hosted(_lead(low[max(0, end - _BEFORE) : end]), reference):
                    yield reference
                    break
            at = low.find("/" + name, at + 1)


def _in_view(view: View, references: Sequence[Reference]) -> Iterator[Mention]:
    low = lowered(view.text)
    for reference in references:
        needle = reference.path or reference.host
        at = low.find(needle)
        while at >= 0:
            form = _form(low, at, at + len(needle), reference)
            if form is not None:
                yield Mention(reference, view.source(at), form)
            at = low.find(needle, at + len(needle))


def lowered(text: str) -> str:
    """The text in lower case, as long as it was: some capitals have two small letters."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if c.isascii() else c for c in text)


def _form(low: str, start: int, end: int, reference: Reference) -> Form | None:
    """How the name between two offsets stands there; None where it is part of another one."""
    before = low[max(0, start - _BEFORE) : start]
    if reference.kind == "host":
        part = _LEFT.search(before[-2:]) and not before.endswith(".")
        return None if part or not _HOST_RIGHT.match(low, end) else "hosted"
    if _LEFT.search(before[-2:]) or not _ends(low, end, reference):
        return None
    lead = _lead(before)
    if reference.kind == "paper":
        return "hosted" if any(word in before[-60:] for word in _OF_PAPERS) else "bare"
    if _is_hosted(lead, reference):
        return "hosted"
    if _OTHER_HOST.search(lead):
        return "elsewhere"
    if lead.endswith("repos/") or not lead.endswith("/"):
        return "bare"
    return "path"


def _lead(before: str) -> str:
    """What of a URL stands before a name."""
    run = _URL_RUN.match(before[::-1])
    return run[1][::-1] if run else ""


def _is_hosted(lead: str, reference: Reference) -> bool:
    return any(word in lead for word in _SAME.get(reference.host, (reference.host,)))


def _ends(low: str, end: int, reference: Reference) -> bool:
    if reference.kind == "paper":
        return not low[end : end + 1].isdigit()
    if "/" not in reference.path:  # all of an owner's
        return low[end : end + 1] == "/"
    return _RIGHT.match(low, end) is not None
