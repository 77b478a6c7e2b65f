"""Keys by how they begin: a table of forms, as patterns of google-re2."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rubric_engine.report.drawn import is_drawn

_LEAST_DRAWN = 16
"""Letters and digits of the shortest key whose form alone says too little."""

_WORD = 4.0
"""Mean length of the words of a name, in letters; pieces of drawn characters are shorter."""

_PARTED_WORDS = re.compile(r"[A-Za-z]?[a-z]*(?:[-_.][A-Za-z]?[a-z]*[0-9]{0,3})+")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


@dataclass(frozen=True)
class Form:
    """A kind of key.

    Attributes:
        begins: How it begins.
        goes_on: What follows.
        is_free: Whether names of packages and variables may look like that, too.
    """

    begins: str
    goes_on: str
    is_free: bool = False


_TABLE = (
    Form("sk-", "[A-Za-z0-9_-]{20,}", True),  # OpenAI, Anthropic, OpenRouter, DeepSeek, others
    Form("gsk_|xai-|pplx-|nvapi-|fw_|r8_|tgp_v1_|csk-", "[A-Za-z0-9_-]{24,}", True),
    Form("lsv2_", "(?:pt|sk)_[A-Za-z0-9_-]{24,}"),
    Form("AIza", "[A-Za-z0-9_-]{35}"),  # Google, Gemini among it
    Form(r"AQ\.Ab", "[A-Za-z0-9_-]{30,}"),
    Form("ya29", r"\.[A-Za-z0-9_-]{20,}"),
    Form("GOCSPX", "-[A-Za-z0-9_-]{20,}"),
    Form("1//0", "[A-Za-z0-9_-]{40,}"),
    Form("gh[opsur]_", "[A-Za-z0-9]{30,}"),  # GitHub
    Form("github_", "pat_[A-Za-z0-9_]{22,}"),
    Form(
        "gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|imt|oas|ffct)-|GR1348941-?",
        "[A-Za-z0-9_.-]{20,}",
        True,
    ),
    Form("(?:hf|api_org)_", "[A-Za-z0-9]{30,}", True),  # Hugging Face
    Form("xox[a-z]-", "[0-9][A-Za-z0-9-]{9,}"),  # Slack
    Form("xapp-|xwfp-|xoxe\\.xox[bp]-", "[A-Za-z0-9-]{10,}"),
    Form(r"hooks\.slack", r"\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    Form("discord(?:app)?", r"\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{40,}"),
    Form("[0-9]{8,10}:AA", r"[A-Za-z0-9_-]{33}\b"),  # Telegram
    Form("npm_", "[A-Za-z0-9]{30,}", True),
    Form("pypi-", "[A-Za-z0-9_-]{40,}", True),
    Form("rubygems_|dckr_(?:pat|oat)_|do[opr]_v1_|dapi", "[A-Za-z0-9_-]{26,}", True),
    Form("AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]", r"[A-Z0-9]{16}\b"),  # AWS
    Form("ABSK", "[A-Za-z0-9+/=]{60,}"),
    Form("[rs]k_(?:live|test|prod)_", "[A-Za-z0-9]{16,}", True),  # Stripe
    Form("whsec_", "[A-Za-z0-9+/=]{24,}", True),
    Form(r"SG\.", r"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}", True),  # SendGrid
    Form(r"hv[sbr]\.", "[A-Za-z0-9_-]{24,}"),  # Vault
    Form("ATATT3", "[A-Za-z0-9_=-]{40,}"),  # Atlassian
    Form("ATBB", "[A-Za-z0-9]{28,}", True),
    Form("shp(?:at|ca|pa|ss)_", "[a-fA-F0-9]{32}"),
    Form("tskey-[a-z]+-|glsa_|glc_", "[A-Za-z0-9_+/=-]{16,}", True),
    Form("eyJrIjoi", "[A-Za-z0-9_+/=-]{16,}"),
    Form("AGE-SECRET", "-KEY-1[A-Z0-9]{50,}"),
    Form("ops_eyJ", "[A-Za-z0-9_+/=-]{40,}"),
    Form("wandb_v1_|figd_|jina_|pcsk_", "[A-Za-z0-9_-]{30,}", True),
    Form("KGAT_", "[0-9a-f]{32}"),  # Kaggle
    Form("lin_api_|ntn_|rpa_", "[A-Za-z0-9]{30,}", True),  # Linear, Notion, RunPod
    Form("PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),  # Postman
    Form("NRAK-", "[A-Z0-9]{27}"),  # New Relic
    Form("tvly-", "[A-Za-z0-9-]{24,}", True),
    Form("(?:sbp|sq[apu])_", "[0-9a-f]{40}"),  # Supabase, SonarQube
    Form(
        r"dp\.", r"(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}"
    ),  # Doppler
    Form("sntry[su]_", "[A-Za-z0-9_+/=-]{40,}"),  # Sentry
    Form("[A-Za-z0-9_~.-]{3}[78]Q~", "[A-Za-z0-9_~.-]{31,}"),  # Azure
    Form("eyJ", r"[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),  # JSON web token
    Form("eyJ", r"[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{0,700}(?:\.[A-Za-z0-9_-]{8,}){3}"),
)

FORMS = "|".join(rf"\b(?:{form.begins}){form.goes_on}" for form in _TABLE)
"""Keys by how they begin, and how long they are."""

BEGINNINGS = "|".join(dict.fromkeys(form.begins for form in _TABLE))
"""What one of the forms begins with."""

_FREE = re.compile("|".join(form.begins for form in _TABLE if form.is_free))


def is_form(found: str) -> bool:
    """Whether what `FORMS` found is a key: names of packages and variables begin like some, too."""
    begun = _FREE.match(found)
    return begun is None or _is_drawn(found[begun.end() :])


def _is_drawn(text: str) -> bool:
    return is_drawn(text, least=_LEAST_DRAWN) or (
        sum(map(str.isalnum, text)) >= _LEAST_DRAWN and not _is_written(text)
    )


def _is_written(text: str) -> bool:
    """Whether signs part words in a text, or its words are as long as those of a language."""
    if _PARTED_WORDS.fullmatch(text):
        return True
    words = _PIECES.findall(text)
    return not words or sum(map(len, words)) >= _WORD * len(words)
