"""Slips of people who write labels by hand, said in words with what mends them. Pure."""

from __future__ import annotations

import json
from typing import Any

from rubric_engine.near import near

VERDICTS = ("met", "not_met", "cannot_judge")

_MEANT = {
    "yes": "met", "true": "met", "pass": "met", "1": "met",
    "no": "not_met", "false": "not_met", "fail": "not_met", "0": "not_met", "unmet": "not_met",
    "unknown": "cannot_judge", "unclear": "cannot_judge", "n/a": "cannot_judge",
}  # fmt: skip


def verdict_slip(value: Any) -> str | None:
    """What is wrong with a verdict, and which one is meant; None where nothing is.

    Args:
        value: Any value.
    """
    if value in VERDICTS:
        return None
    plain = "_".join(str(value).casefold().replace("-", " ").replace("_", " ").split())
    meant = plain if plain in VERDICTS else _MEANT.get(plain)
    hint = f"did you mean {meant!r}?" if meant else near(plain, VERDICTS)
    wrong = f"must be 'met', 'not_met' or 'cannot_judge', not {str(value)[:40]!r}"
    return f"{wrong}; {hint}" if hint else wrong


def json_slip(error: json.JSONDecodeError) -> str:
    """What a line that is no JSON has wrong, in words.

    Args:
        error: What `json` says of it.
    """
    text, at = error.doc, error.pos
    here = text[at : at + 1]
    if here == "'" or text[max(at - 1, 0) : at + 1].strip() == "'":
        return 'texts stand in double quotes, "...", not in single ones'
    if error.msg == "Extra data":
        if here == ",":
            return "a comma follows the label; lines end without one"
        return "more follows the label; each label has a line of its own"
    if here in ("}", "]") or error.msg.startswith("Illegal trailing comma"):
        return f"a value or a text is missing before {here or '}'}, or a comma is too many there"
    if not text[at:].strip():
        return "the line ends within the label; each label stands on one whole line"
    if error.msg.startswith("Expecting property name"):
        return 'the name of a field is due here, in double quotes, such as "verdict"'
    if error.msg == "Expecting value":
        return 'a text is due here, in double quotes, such as "met"; or a number, null, true, false'
    if error.msg.startswith("Expecting ','"):
        return (
            "a comma is missing here, or a double quote inside a text stands without \\ before it"
        )
    if error.msg.startswith("Invalid control"):
        return "a text holds a tab or another control character; write \\t for a tab"
    return error.msg
