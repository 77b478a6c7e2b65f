"""What keys, tokens and passwords look like, as patterns of google-re2: linear in the text.

What hides a value that is known (the key of a model, the variables of a script) is elsewhere, at
the place that knows it; here nobody knows which secrets a submission or an answer holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rubric_engine.report.assigned import PARTED, QUOTED, VALUE
from rubric_engine.report.drawn import is_drawn, is_varied
from rubric_engine.report.key_forms import BEGINNINGS
from rubric_engine.report.secret_values import (
    is_in_address,
    is_key,
    is_number,
    is_password,
    is_sent,
    is_sent_alone,
    is_signed,
    is_token,
)

_KEY_BEGINS = "-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_KEY_ENDS = "-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_BETWEEN = r"(?:[\s'\",+>#|*]|\\[nr])*"
# As base64: what the keys of RSA, of PKCS #8, of elliptic curves and of OpenSSH begin with.
_KEY_STARTS = r"(?:MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]IBA[AD]|MHcCAQEE|MC4CAQAw|b3BlbnNzaC1rZXktdj)"

# Between the marks no two dashes follow each other, so the search for an end stops at what begins
# next, and a text of beginnings without an end takes no longer than any other.
PRIVATE_KEY = (
    rf"{_KEY_BEGINS}(?:-?[^-])*{_KEY_ENDS}"
    rf"|{_KEY_BEGINS}(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,}})*"
    rf"|(?:[A-Za-z0-9+/=]{{16,}}{_BETWEEN}(?:[A-Za-z0-9+/=]{{1,15}}{_BETWEEN})?)+{_KEY_ENDS}"
    rf"|\b{_KEY_STARTS}[A-Za-z0-9+/=]{{16,}}(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,}})*"
    rf"|Private-Lines: [0-9]+(?:\s+[A-Za-z0-9+/=]{{16,}})+"
)
"""A private key: whole, or with its beginning or its end cut off."""

_MORE_NAME = r"s?(?:[_-][A-Za-z0-9_-]*|[0-9]+|(?-i:[A-Z][A-Za-z0-9_-]*))?"

_PHRASE_NAMES = r"(?:passw(?:or)?d|passphrase|passcode|pwd|_pass|_pw)"
_DRAWN_NAMES = (
    r"(?:secret|token|credential|cred|auth|webhook|cookie|bearer|api[_-]?key|(?:access|account|auth"
    r"|client|encryption|master|private|secret|shared|signing|storage|subscription)[_-]?key)"
)


@dataclass(frozen=True)
class Place:
    """Where a secret stands beside something that says so.

    Attributes:
        pattern: Finds the place; the secret is the one of its groups that holds something.
        holds: Whether a value there is a secret.
        or_called: Whether it may be one although a bracket follows, as after what is called.
    """

    pattern: str
    holds: Callable[[str], bool]
    or_called: bool = True


_SCHEME = r"(?:bearer|basic|token|apikey|api-key|bot|negotiate|digest|key|aws4-hmac-sha256)"

PLACES: tuple[Place, ...] = (
    Place(r"://[^\s/:@'\"<>]*:([^\s/'\"<>]{3,})@", is_in_address),
    Place(r"://([A-Za-z0-9_-]{20,})@", is_drawn),
    Place(rf"(?i:{_PHRASE_NAMES}{_MORE_NAME}){PARTED}{VALUE}", is_password),
    Place(rf"(?i:passw(?:or)?d|passphrase|passcode|pwd){PARTED}{VALUE}", is_number),
    Place(rf"(?i:{_DRAWN_NAMES}{_MORE_NAME}){PARTED}{VALUE}", is_token, or_called=False),
    Place(rf"(?i:[a-z0-9]key[0-9]?|[_-]key[0-9]?|\bkey){PARTED}{VALUE}", is_key, or_called=False),
    Place(rf"\b[A-Z0-9_]+_KEY(?:_[A-Z0-9_]+)?{PARTED}{VALUE}", is_token, or_called=False),
    Place(
        rf"(?i:authorization{PARTED}[\"'`fbr]{{0,3}}{_SCHEME}\s{{1,3}})([^\s\"'`,;<>(){{}}]{{6,}})",
        is_sent,
    ),
    Place(rf"(?i:\bauthorization){PARTED}{VALUE}", is_sent_alone, or_called=False),
    Place(rf"(?i:(?:secret|private|signing)_?key){PARTED}{QUOTED}", is_signed),
    Place(r"(?i:\b(?:bearer|basic)\s{1,3})([A-Za-z0-9._~+/=-]{16,})", is_drawn),
    Place(r"(?i:[?&](?:sig|signature|x-(?:amz|goog)-[a-z-]+))=([^\s\"'&#<>]{8,})", is_drawn),
    Place(r"(?:\s-u|--user)[ =]?[\"']?[A-Za-z0-9_.@-]+:([^\s\"']{6,})", is_password),
    Place(
        rf"(?:--|\b(?:ENV|ARG|setenv|export)\s+|#\s{{0,3}}define\s+)"
        rf"(?i:[a-z0-9_-]*{_DRAWN_NAMES}{_MORE_NAME})\s+{VALUE}",
        is_token,
    ),
    Place(r"(?i:\blogin\s+(?:--?[a-z-]+[\s=]+){0,4})([A-Za-z0-9_-]{32,})", is_token),
    Place(rf"(?i:\blogin\(\s*(?:key\s*=\s*)?){QUOTED}", is_token),
    Place(rf"\"username\"\s*:\s*\"[^\"\n]*\"\s*,\s*\"key\"\s*:\s*{QUOTED}", is_token),
    Place(rf"\"key\"\s*:\s*{QUOTED}\"\s*,\s*\"username\"\s*:", is_token),
    Place(r"(?i:\blogin\s+\S+\s+password\s+)(\S{6,})", is_in_address),
    Place(
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b[^A-Za-z0-9]{1,10}(?:[A-Za-z_ -]{1,40}[^A-Za-z0-9]{1,6})?"
        r"([A-Za-z0-9+/]{40})\b",
        is_varied,
    ),
)

HINTS = (
    rf"{BEGINNINGS}|PRIVATE KEY|Private-Lines|{_KEY_STARTS}|@"
    rf"|(?i:{_PHRASE_NAMES}|{_DRAWN_NAMES}|key[0-9]?{PARTED}|_key|authoriz|bearer|basic"
    r"|[?&](?:sig|x-)|--user|\s-u|password|login[\s(])"
)
"""Stands in every text with a secret whose parts are together."""

LEAST = 8
"""Characters of the shortest text that can hold one."""
