"""What keys, tokens and passwords look like, as patterns of google-re2: linear in the text.

What hides a value that is known (the key of a model, the variables of a script) is elsewhere, at
the place that knows it; here nobody knows which secrets a submission or an answer holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rubric_engine.report.drawn import is_drawn, is_varied

FORMS: tuple[str, ...] = (
    r"\bsk-[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic, OpenRouter, DeepSeek and others
    r"\b(?:gsk_|xai-|pplx-|nvapi-|fw_|r8_|tgp_v1_|csk-|lsv2_(?:pt|sk)_)[A-Za-z0-9_-]{24,}",
    r"\bAIza[A-Za-z0-9_-]{35}",  # Google, Gemini among it
    r"\bAQ\.Ab[A-Za-z0-9_-]{30,}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bgh[opsur]_[A-Za-z0-9]{30,}",  # GitHub
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\b(?:gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt|oas|ffct)|GR1348941)-?[A-Za-z0-9_.-]{20,}",
    r"\b(?:hf|api_org)_[A-Za-z0-9]{30,}",  # Hugging Face
    r"\b(?:xox[a-z]|xapp|xwfp|xoxe\.xox[bp])-[A-Za-z0-9-]{10,}",  # Slack
    r"\bhooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}",
    r"\bdiscord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,}",
    r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b",  # Telegram
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\bpypi-[A-Za-z0-9_-]{40,}",
    r"\b(?:rubygems_|dckr_(?:pat|oat)_|do[opr]_v1_|dapi)[A-Za-z0-9_-]{26,}",
    r"\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b",  # AWS
    r"\bABSK[A-Za-z0-9+/=]{60,}",
    r"\b[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,}",  # Stripe
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    r"\b(?:hvs|hvb|hvr)\.[A-Za-z0-9_-]{24,}",  # Vault
    r"\bATATT3[A-Za-z0-9_=-]{40,}",
    r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    r"\b(?:tskey-[a-z]+-|glsa_|glc_|eyJrIjoi)[A-Za-z0-9_+/=-]{16,}",
    r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,}",
    r"\bops_eyJ[A-Za-z0-9_+/=-]{40,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",  # JSON web token
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{0,700}(?:\.[A-Za-z0-9_-]{8,}){3}",
)
"""Keys by how they begin, and how long they are."""

BEGINNINGS = (
    r"sk-|gsk_|xai-|pplx-|nvapi-|fw_|r8_|tgp_|csk-|lsv2_|AIza|AQ\.Ab|ya29|GOCSPX|gh[opsur]_|github_"
    r"|gl[a-z]+-|GR1348941|hf_|api_org_|xox|xapp|xwfp|hooks\.slack|discord|:AA|npm_|pypi-|rubygems_"
    r"|dckr_|do[opr]_v1|dapi|AKIA|ASIA|ABIA|ACCA|A3T|ABSK|[rs]k_|SG\.|hv[sbr]\.|ATATT3|shp[a-z]+_"
    r"|tskey|gls?[ac]+_|eyJ|AGE-SECRET|ops_"
)
"""What one of the forms begins with, and more."""

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

_QUOTE = r"(?:\\?[\"'`]|&quot;|&#3[49];)"
# What stands between a name and its value, in code, YAML (with a block, too), XML and JSON.
_PARTED = (
    rf"(?:(?:{_QUOTE}|\\|\]){{0,4}}\s{{0,3}}(?:value\s{{0,3}})?(?::=|=>|->|[:=>])\s{{0,3}}"
    rf"(?:[|>][+-]?\s{{1,20}})?|{_QUOTE}\s{{0,3}},\s{{0,3}})"
)
_QUOTED = r"\\?[bfru]?(?:\"([^\"\n]{6,})|'([^'\n]{6,})|`([^`\n]{6,}))"
_BARE = r"([^\s\"'`,;(){}\[\]<>&\\]{6,})"
_VALUE = rf"(?:{_QUOTED}|{_QUOTE}?{_BARE})"
_MORE_NAME = r"s?(?:[_-][A-Za-z0-9_-]*|[0-9]+|(?-i:[A-Z][A-Za-z0-9_-]*))?"

_PHRASE_NAMES = r"(?:passw(?:or)?d|passphrase|passcode|pwd|_pass|_pw)"
_DRAWN_NAMES = (
    r"(?:secret|token|credential|cred|auth|webhook|cookie|bearer|api[_-]?key|(?:access|account|auth"
    r"|client|encryption|master|private|secret|shared|signing|storage|subscription)[_-]?key)"
)

EXAMPLE = re.compile(r"\$|%[({]|\{\{|os\.|process\.env|getenv|env[.\[(]|<|\*{3}|x{5}|\.{3}", re.I)
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_HEX = re.compile(r"(?:[a-z0-9]{1,10}[:-])?[0-9a-fA-F-]+")
_AWS = re.compile(r"[A-Za-z0-9+/]{40}")
_ONE_WORD = re.compile(r"[A-Za-z0-9_+/=.~:@!#$%^&*-]+")  # not, say, a pattern
_SAID_SO = re.compile(r"pass(?:w(?:or)?d)?|pwd|secret", re.I)
_NUMBERS = re.compile(r"[0-9a-fA-F]{32,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
WORDS = re.compile(r"[A-Z]?[a-z]+(?:[-_ .][A-Za-z]?[a-z]+)*|[A-Z]+(?:[-_ ][A-Z]+)*")


def is_form(found: str) -> bool:
    """Whether what `FORMS` found is a key: names of packages and styles begin like some, too."""
    return not found.startswith("sk-") or is_drawn(found[3:], least=16)


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


def _is_password(value: str) -> bool:
    """Digits, and either capitals among small letters or signs: more than a word with a number."""
    plain = value.strip()
    if EXAMPLE.match(plain) or _PATH.fullmatch(plain) or " " in plain or not is_varied(plain):
        return False
    digits, letters = any(map(str.isdigit, plain)), any(map(str.isalpha, plain))
    mixed = any(map(str.islower, plain)) and any(map(str.isupper, plain))
    signs = any(char in "!@#$%^&*+/=~?" for char in plain)
    return (digits and letters and len(plain) >= 8 and (mixed or signs)) or is_drawn(plain)


def _is_token(value: str) -> bool:
    if EXAMPLE.match(value) or _PATH.fullmatch(value) or not _ONE_WORD.fullmatch(value):
        return False
    known = _NUMBERS.fullmatch(value) or _AWS.fullmatch(value)
    return is_drawn(value) or (known is not None and is_varied(value))


def _is_key(value: str) -> bool:
    """Of a name that only ends in `key`: hashes and paths have such names as well."""
    return _is_token(value) and is_drawn(value, least=16) and _HEX.fullmatch(value) is None


def _is_sent(value: str) -> bool:
    """Of a header that says who asks: whatever is no word and stands for nothing else."""
    return EXAMPLE.match(value) is None and WORDS.fullmatch(value) is None


def _is_in_address(value: str) -> bool:
    return EXAMPLE.match(value) is None and _SAID_SO.fullmatch(value) is None


_SCHEME = r"(?:bearer|basic|token|apikey|api-key|bot|negotiate|digest|key|aws4-hmac-sha256)"

PLACES: tuple[Place, ...] = (
    Place(r"://[^\s/:@'\"<>]*:([^\s/@'\"<>]{3,})@", _is_in_address),
    Place(r"://([A-Za-z0-9_-]{20,})@", is_drawn),
    Place(rf"(?i:{_PHRASE_NAMES}{_MORE_NAME}){_PARTED}{_VALUE}", _is_password),
    Place(rf"(?i:{_DRAWN_NAMES}{_MORE_NAME}){_PARTED}{_VALUE}", _is_token, or_called=False),
    Place(
        rf"(?i:[a-z0-9]key[0-9]?|[_-]key[0-9]?|\bkey){_PARTED}{_VALUE}", _is_key, or_called=False
    ),
    Place(rf"\b[A-Z0-9_]+_KEY(?:_[A-Z0-9_]+)?{_PARTED}{_VALUE}", _is_token, or_called=False),
    Place(
        rf"(?i:authorization{_PARTED}[\"'`fbr]{{0,3}}{_SCHEME}\s{{1,3}})([^\s\"'`,;<>(){{}}]{{6,}})",
        _is_sent,
    ),
    Place(r"(?i:\b(?:bearer|basic)\s{1,3})([A-Za-z0-9._~+/=-]{16,})", is_drawn),
    Place(r"(?i:[?&](?:sig|signature|x-(?:amz|goog)-[a-z-]+))=([^\s\"'&#<>]{8,})", is_drawn),
    Place(r"(?:\s-u|--user)[ =]?[\"']?[A-Za-z0-9_.@-]+:([^\s\"']{6,})", _is_password),
    Place(
        rf"(?:--|\b(?:ENV|ARG)\s+)(?i:[a-z0-9_-]*{_DRAWN_NAMES}{_MORE_NAME})\s+{_VALUE}", _is_token
    ),
    Place(r"(?i:\blogin\s+)([A-Za-z0-9_-]{32,})", _is_token),
    Place(r"(?i:\blogin\s+\S+\s+password\s+)(\S{6,})", _is_in_address),
    Place(
        r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b[^A-Za-z0-9]{1,10}(?:[A-Za-z_ -]{1,40}[^A-Za-z0-9]{1,6})?"
        r"([A-Za-z0-9+/]{40})\b",
        is_varied,
    ),
)

HINTS = (
    rf"{BEGINNINGS}|PRIVATE KEY|Private-Lines|{_KEY_STARTS}|@"
    rf"|(?i:{_PHRASE_NAMES}|{_DRAWN_NAMES}|key[0-9]?{_PARTED}|_key|authoriz|bearer|basic"
    r"|[?&](?:sig|x-)|--user|\s-u|password|login\s)"
)
"""Stands in every text with a secret whose parts are together."""

LEAST = 8
"""Characters of the shortest text that can hold one."""
