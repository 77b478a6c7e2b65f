"""Made-up keys of every kind that is known."""

from __future__ import annotations

import random
import string

HEX = "0123456789abcdef"
UUID = "550e8400-e29b-41d4-a716-446655440000"


class Drawing:
    """Draws characters of a key; the same at every start.

    Args:
        seed: Another one gives others.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def __call__(self, size: int, of: str = string.ascii_letters + string.digits) -> str:
        """So many characters."""
        return "".join(self._random.choice(of) for _ in range(size))


drawn = Drawing(7)

KEYS = {
    "openai": f"sk-proj-{drawn(48)}",
    "openai-old": f"sk-{drawn(48)}",
    "anthropic": f"sk-ant-api03-{drawn(93)}AA",
    "openrouter": f"sk-or-v1-{drawn(64, HEX)}",
    "gemini": f"AIza{drawn(35)}",
    "groq": f"gsk_{drawn(52)}",
    "xai": f"xai-{drawn(80)}",
    "replicate": f"r8_{drawn(37)}",
    "nvidia": f"nvapi-{drawn(64)}",
    "langsmith": f"lsv2_pt_{drawn(32, HEX)}_{drawn(10, HEX)}",
    "github": f"gho_{drawn(36)}",
    "github-fine": f"github_pat_{drawn(22)}_{drawn(59)}",
    "gitlab": f"glpat-{drawn(20)}",
    "slack": f"xoxp-1234567890-1234567890-{drawn(24)}",
    "slack-hook": f"hooks.slack.com/services/T0{drawn(8)}/B0{drawn(8)}/{drawn(24)}",
    "discord": f"discord.com/api/webhooks/{drawn(18, string.digits)}/{drawn(68)}",
    "telegram": f"123456789:AA{drawn(33)}",
    "hugging-face": f"hf_{drawn(34, string.ascii_letters)}",
    "npm": f"npm_{drawn(36)}",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{drawn(80)}",
    "docker": f"dckr_pat_{drawn(27)}",
    "databricks": f"dapi{drawn(32, HEX)}",
    "aws-id": f"AKIA{drawn(16, string.ascii_uppercase)}",
    "stripe": f"sk_live_{drawn(24)}",
    "sendgrid": f"SG.{drawn(22)}.{drawn(43)}",
    "vault": f"hvs.{drawn(90)}",
    "grafana": f"glsa_{drawn(32)}_{drawn(8, HEX)}",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{drawn(43)}",
    "age": f"AGE-SECRET-KEY-1{drawn(58, string.ascii_uppercase + string.digits)}",
}
