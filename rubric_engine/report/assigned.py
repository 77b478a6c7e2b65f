"""How a name and its value stand beside each other, as patterns of google-re2.

In code of many languages, in YAML, XML, JSON, shells and files of settings.
"""

from __future__ import annotations

_QUOTE = r"(?:\\?[\"'`]|&quot;|&#3[49];)"
_GAP = r"[ \t]*(?:\\?\r?\n[ \t]*)?"  # at most one line ends there

_SIGN = r"(?::=|=>|->|\?=|\|\|=|\+=|==|!=|:-|[:=>])"

_TYPE = r":[ \t]*[A-Za-z&][A-Za-z0-9_.&'\[\]|, ]{0,40}=[ \t]*"
"""In place of a sign, as in `api_key: str | None = "…"` and `let token: &'static str = "…"`."""

_CLOSED = rf"(?:{_QUOTE}|\\|\]){{0,4}}"
"""What ends a name before a sign."""

_NEXT = (
    rf"{_QUOTE}\s?(?:"
    rf",{_GAP}(?:[a-z_]+[ \t]*=[ \t]*[A-Za-z0-9_.]+,{_GAP}){{0,4}}default[ \t]*=[ \t]*"
    r"|,[ \t]{0,3}|\)[ \t]+or[ \t]+|\)[ \t]*(?:\|\||\?\?)[ \t]*)"
)
"""The value is another argument of what the name is given to, or holds where there is none."""

_OPENED = (
    r"(?:[|>][+-]?\s{1,20})?"  # a block of YAML
    rf"(?:(?:(?:str|String|Some)?\(|\[|-[ \t]){_GAP}){{0,2}}"
    r"(?:[\"']?\$\{[A-Za-z0-9_]+:?-)?"  # what a shell takes otherwise
)

PARTED = rf"(?:{_CLOSED}{_GAP}(?:{_TYPE}|(?:value[ \t]*)?{_SIGN}{_GAP}){_OPENED}|{_NEXT})"
"""What stands between a name and its value."""

QUOTED = r"\\?[bfru]?(?:\"\"|'')?(?:\"([^\"\n]{6,})|'([^'\n]{6,})|`([^`\n]{6,}))"
"""A value in quotes; one of the groups holds it."""

_BARE = r"([^\s\"'`,;(){}\[\]<>&\\]{6,})"

VALUE = rf"(?:{QUOTED}|{_QUOTE}?{_BARE})"
"""A value; one of the groups holds it."""
