"""The body of an error, whatever its shape: what it says, and nothing that it repeats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_MOST_CHARS = 500
_MOST_NESTED = 3  # gateways pass on the error of whom they asked, as text
# Validators repeat what was sent, and so a prompt whose words would be taken for the server's.
_ECHO = re.compile(r"""(['"])input\1\s*:.*""", re.DOTALL)


@dataclass(frozen=True)
class Words:
    """What an error says.

    Attributes:
        message: Its words, those of an upstream server after its own.
        codes: Its codes, types and the names of quotas, in lower case.
        parameter: The parameter that it names.
        wait: How long it asks to wait, as it stands there.
        headers: Headers of an upstream server, names in lower case.
        generation: What the model wrote, where that is what the server complains of.
    """

    message: str = ""
    codes: str = ""
    parameter: str = ""
    wait: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    generation: str = ""


def read_words(body: object, nested: int = 0) -> Words:
    """Read an error body, decoded where it is JSON."""
    if isinstance(body, str) and nested < _MOST_NESTED:
        body = _decoded(body)
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return Words(message=_clip(body))
    error = body.get("error")
    own = error if isinstance(error, dict) else body
    message = next((own[key] for key in ("message", "detail", "error") if own.get(key)), None)
    words = _message_words(message if message is not None else own, nested)
    upstream = _upstream(own.get("metadata"), nested)
    said = " ".join(part for part in (words.message, upstream.message) if part)
    generation = own.get("failed_generation")
    return Words(
        message=_clip(said),
        codes=" ".join([*_codes(own), words.codes, upstream.codes]).lower(),
        parameter=str(own.get("param") or "") or words.parameter or upstream.parameter,
        wait=_retry_delay(own.get("details")) or words.wait,
        headers=upstream.headers,
        generation=generation if isinstance(generation, str) else "",
    )


def _decoded(text: str) -> object:
    """The JSON that a text holds, or the text."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _message_words(message: object, nested: int) -> Words:
    """A message may be an error body of its own, or a list of what a validator found."""
    if isinstance(message, dict) and isinstance(message.get("detail"), list):
        message = message["detail"]
    if isinstance(message, list):
        return Words(message=_clip("; ".join(map(_finding, message[:5]))))
    if isinstance(message, str) and nested < _MOST_NESTED:
        inner = _decoded(message)
        return Words(message=_clip(inner)) if inner is message else read_words(inner, nested + 1)
    return Words(message=_clip(message))


def _finding(value: object) -> str:
    if not isinstance(value, dict):
        return _clip(value)
    place = value.get("loc")
    where = ".".join(map(str, place)) if isinstance(place, list | tuple) else ""
    return f"{where}: {value.get('msg', value.get('message', ''))}"


def _upstream(metadata: object, nested: int) -> Words:
    """What a gateway tells of the server behind it."""
    if not isinstance(metadata, dict):
        return Words()
    raw = metadata.get("raw")
    words = read_words(raw, nested + 1) if raw and nested < _MOST_NESTED else Words()
    headers = metadata.get("headers")
    named = headers.items() if isinstance(headers, dict) else ()
    return Words(
        message=words.message,
        codes=words.codes,
        parameter=words.parameter,
        headers={str(name).lower(): str(value) for name, value in named},
    )


def _codes(body: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(body[key]) for key in ("code", "type", "status") if body.get(key))
    inner = body.get("innererror")
    if isinstance(inner, dict):
        yield from _codes(inner)
    for detail in _details(body.get("details")):
        yield from (str(detail[key]) for key in ("reason", "quotaId") if detail.get(key))
        yield from (str(one.get("quotaId", "")) for one in _details(detail.get("violations")))


def _retry_delay(details: object) -> str:
    delays = (detail.get("retryDelay") for detail in _details(details))
    return next((str(delay) for delay in delays if delay), "")


def _details(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _clip(value: object) -> str:
    text = value if isinstance(value, str) else "" if value in (None, {}, []) else str(value)
    return " ".join(_ECHO.sub("", text[:2000]).split())[:_MOST_CHARS]
