"""What a document says unseen: in comments, and where LaTeX paints white or leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rubric_engine.injection.colours import colour, is_white
from rubric_engine.injection.finding import Spot
from rubric_engine.injection.speaking import speaks

_UNCLOSED = 2_000  # characters of a comment that nothing closes: in a program it may be a string
_MOST_GROUP = 20_000  # characters in which the end of a group of LaTeX is looked for
_REFERENCE = re.compile(
    r"^[ \t\"']{0,8}\[[^\]\n]{1,60}\]:[ \t]{0,9}(?:#|<>|<#>)[ \t]{1,9}([\"'(][^\n]{1,2000})",
    re.MULTILINE,
)
_GROUP = re.compile(
    r"\\(?:[hv]?phantom\s{0,9}(\{)|color(?:\[\w{1,8}\])?\{([^{}]{1,40})\}"
    r"|textcolor(?:\[\w{1,8}\])?\{([^{}]{1,40})\}\s{0,9}\{|(?:iffalse\b|begin\{comment\}))"
)
_ENDS = re.compile(r"\\fi\b|\\end\{comment\}")
_BRACE = re.compile(r"[{}]")
_WHITE = re.compile(
    r"1(?:\.0*)?(?:\s?,\s?1(?:\.0*)?){2}|0\s?,\s?0\s?,\s?0\s?,\s?0|1(?:\.0*)?|white!\d+"
)


def unshown_texts(text: str) -> Iterator[Spot]:
    """Comments of HTML and Markdown and unseen groups of LaTeX that speak of judging."""
    for start, end in (*_html(text), *_markdown(text), *_latex(text)):
        said = text[start:end]
        for at in dict.fromkeys(speaks(said)):
            place = start + at
            yield Spot(place, place, "hidden_text", f"(hidden) {said[at:].strip()}")


def _html(text: str) -> Iterator[tuple[int, int]]:
    start = text.find("<!--")
    last = text.rfind("-->")
    while start >= 0:
        end = text.find("-->", start + 4) if start + 4 <= last else start + _UNCLOSED
        yield start + 4, end
        start = text.find("<!--", end)


def _markdown(text: str) -> Iterator[tuple[int, int]]:
    """Definitions of a link that leads nowhere, as comments are written."""
    for match in _REFERENCE.finditer(text):
        yield match.span(1)


def _latex(text: str) -> Iterator[tuple[int, int]]:
    past = 0
    for match in _GROUP.finditer(text):
        name = match[2] or match[3]
        if match.start() >= past and (name is None or _is_white(name)):
            past = _group_end(text, match)
            yield match.end(), past


def _is_white(name: str) -> bool:
    written = name.strip().lower()
    found = (colour(written), colour(f"#{written}"))
    named = any(each is not None and is_white(each) for each in found)
    return named or _WHITE.fullmatch(written) is not None


def _group_end(text: str, match: re.Match[str]) -> int:
    """Where the group ends that a command begins, or inside which it stands."""
    most = min(len(text), match.end() + _MOST_GROUP)
    if not any(match.groups()):
        ended = _ENDS.search(text, match.end(), most)
        return ended.start() if ended is not None else most
    depth = 1
    for brace in _BRACE.finditer(text, match.end(), most):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.start()
    return most
