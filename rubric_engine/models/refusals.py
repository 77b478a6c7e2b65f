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
_LIMITS = ("max_completion_tokens", "max_tokens")
# A value that is out of range says nothing against the name; dropping a limit would hide it.
_UNKNOWN = re.compile(
    r"unsupported|not supported|does not support|unrecogni[sz]ed|unknown|unexpected|unavailable"
    r"|not permitted|not allowed|forbidden|deprecated|not a valid (?:parameter|argument)",
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
    optional = [name for name in sent if name not in ("model", "form")]
    found = named if named in optional else _first_named(message, optional)
    unknown = _UNKNOWN.search(message) is not None
    if found in _LIMITS and not unknown:
        return None
    if found is None and unknown and "reasoning_effort" in optional and _THOUGHT.search(message):
        return "reasoning_effort"
    return found


def _first_named(message: str, names: list[str]) -> str | None:
    """The name that stands first: a refusal often ends with what to use in its place."""
    places = {
        name: match.start()
        for name in names
        if (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message))
    }
    return min(places, key=lambda name: places[name]) if places else None
