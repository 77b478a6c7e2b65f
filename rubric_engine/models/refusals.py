"""Which part of a request an endpoint refuses, by what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rubric_engine.models.negotiation import FORM, ROLES

_FORM = re.compile(
    r"response_?format|json_?\s?schema|json_object|json mode|structured[ _]output|guided|grammar",
    re.IGNORECASE,
)
_ROLES = re.compile(
    r"roles must alternate|alternate between|consecutive|system role (?:is )?not supported"
    r"|system messages? (?:is|are) not supported",
    re.IGNORECASE,
)
# Only words against the name itself make it one to leave out: a wrong value is to be mended by
# whoever gave it, and leaving it out would hide that.
_UNKNOWN = re.compile(
    r"unsupported|not (?:currently )?supported|(?:does|do) not (?:support|accept|take)"
    r"|unrecogni[sz]ed|unknown|unexpected|unavailable|not available|not enabled|not implemented"
    r"|not permitted|not allowed|forbidden|deprecated|extra (?:field|input)|extra_forbidden"
    r"|incompatible|not compatible|cannot be (?:used|set|specified)|cannot find"
    r"|(?:not a valid|invalid) (?:parameter|argument|field)",
    re.IGNORECASE,
)
_UNKNOWN_NAME = re.compile(
    r"(?:unknown|unrecogni[sz]ed|unsupported|unexpected|extra) (?:request )?(?:keyword )?"
    r"(?:field|name|parameter|argument|input|propert)",
    re.IGNORECASE,
)
_WRONG_VALUE = re.compile(
    r"(?:supported|valid|allowed|permitted|possible|accepted|available) (?:values|options|range)"
    r"|(?:must|should|can|may|to) (?:only )?be (?:one of|in|between|at (?:most|least)|less|greater"
    r"|set to)|\bexpected (?:one of|<|>|a\b|an\b|\d)|out of range|(?:less|greater) than|[<>]="
    r"|too (?:large|high|low|small|big)|(?:maximum|minimum) (?:value|of|is|allowed)",
    re.IGNORECASE,
)
_THOUGHT = re.compile(r"\bthink(?:ing)?\b|\breasoning\b", re.IGNORECASE)


def refused_parameter(message: str, named: str, sent: Mapping[str, Any]) -> str | None:
    """Return the name of what was refused, or None where the words name nothing that was sent.

    Args:
        message: The server's words.
        named: The parameter that the error body names, if it names one.
        sent: The parameters of the request; `form` tells how the structure was asked for.
    """
    if _FORM.search(named) or (_FORM.search(message) and sent.get("form") != "text"):
        return FORM if "form" in sent else None
    if _ROLES.search(message):
        return ROLES
    if not _is_unknown(message):
        return None
    found = named_parameter(message, named, sent)
    if found is None and "reasoning_effort" in sent and _THOUGHT.search(message):
        return "reasoning_effort"
    return found


def _is_unknown(message: str) -> bool:
    """Whether the words are against a name, and not against its value."""
    if _UNKNOWN_NAME.search(message):
        return True
    return _UNKNOWN.search(message) is not None and not _WRONG_VALUE.search(message)


def named_parameter(message: str, named: str, sent: Mapping[str, Any]) -> str | None:
    """Return the name of what the words are about, or None where they name nothing optional.

    Args:
        message: The server's words.
        named: The parameter that the error body names, if it names one.
        sent: The parameters of the request.
    """
    optional = [name for name in sent if name not in ("model", "form")]
    return named if named in optional else _first_named(message, optional)


def _first_named(message: str, names: list[str]) -> str | None:
    """The name that stands first: a refusal often ends with what to use in its place."""
    places = {
        name: match.start()
        for name in names
        if (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
    }
    return min(places, key=lambda name: places[name]) if places else None
