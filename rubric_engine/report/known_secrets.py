"""Keys and tokens that are known by their look, found by google-re2 in time linear in the text.

What hides a value that is known (the key of a model, the variables of a script) is elsewhere, at
the place that knows it; here nobody knows which secrets a submission or an answer holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter

_FORMS: tuple[str, ...] = (
    r"\bsk-[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic, OpenRouter and others
    r"\bAIza[A-Za-z0-9_-]{35}",  # Google
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bgh[opsur]_[A-Za-z0-9]{30,}",  # GitHub
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\bgl(?:pat|dt|rt|ptt|ft|soat|cbt)-[A-Za-z0-9_.-]{20,}",  # GitLab
    r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}",  # Hugging Face
    r"\bxox[a-z]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bxapp-[A-Za-z0-9-]{10,}",
    r"\bhooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",  # AWS
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",  # JWT
)

_KEY_BEGINS = "-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
# Between the marks no two dashes follow each other, so the search for an end stops at what begins
# next, and a text of beginnings without an end takes no longer than any other.
_PRIVATE_KEY = (
    rf"{_KEY_BEGINS}(?:-?[^-])*-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
    rf"|{_KEY_BEGINS}(?:(?:[\s'\",+]|\\[nr])*[A-Za-z0-9+/=]{{16,}})*"
)

_IN_ADDRESS = r"://[^\s/:@'\"<>]*:[^\s/@'\"<>]{3,}@"

_NAMED = (
    r"(?i:(?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|credential)"
    r"[A-Za-z0-9_-]*)[\"']?\s{0,3}[:=]\s{0,3}[\"']?[^\s\"',;(){}\[\]<>]{8,}"
)

PATTERN = "|".join([*_FORMS, _PRIVATE_KEY, _IN_ADDRESS, _NAMED])
"""Finds every place that may hold a secret; `secret_in` says what of it is one."""

LEAST = 8
"""Characters of the shortest text that can hold one."""

_VALUE = re.compile(r"[\"']?\s*[:=]\s*[\"']?(?P<value>\S+)\Z")
_PLACE = re.compile(r"\A://[^:]*:(?P<value>.*)@\Z", re.DOTALL)
_NAME_BEGINS = re.compile(r"pass|pwd|secret|token|api|access|credential", re.IGNORECASE)

_BITS = 3.0
"""Least entropy of a value a character, in bits, by its own characters (Shannon)."""


def secret_in(found: str) -> tuple[int, int] | None:
    """Where in a text that `PATTERN` found the secret stands; None where it holds none.

    >>> secret_in("password = correct")
    >>> secret_in("token=tokenizer.eos_token_id")
    >>> found = "api_key: 'kQ9z-31xX_pLm8'"
    >>> start, end = secret_in(found.rstrip("'"))
    >>> found[start:end]
    'kQ9z-31xX_pLm8'
    """
    if found.startswith("://"):
        match = _PLACE.match(found)
        return match.span("value") if match else None
    if _NAME_BEGINS.match(found):
        match = _VALUE.search(found)
        return match.span("value") if match and _is_random(match["value"]) else None
    if found.startswith("sk-") and not any(map(str.isdigit, found)):
        return None  # such as the name of a package
    return 0, len(found)


def _is_random(value: str) -> bool:
    """Whether a value looks drawn and not written: digits among letters, and hardly a repeat."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    mixed = any(map(str.islower, value)) and any(map(str.isupper, value))
    signs = any(char in "!@#$%^&*+/=~?" for char in value)
    if digits < 2 or not letters or not (mixed or signs or (len(value) >= 16 and digits >= 4)):
        return False
    return _entropy(value) >= min(_BITS, math.log2(len(value)) - 0.6)


def _entropy(text: str) -> float:
    counts = Counter(text).values()
    return -math.fsum(count / len(text) * math.log2(count / len(text)) for count in counts)
