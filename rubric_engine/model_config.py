"""How a chat model is asked: the `model` key of a judge card."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

# Keys are long, and none is of capital letters alone.
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*|[A-Za-z_]\w{0,18}", re.ASCII)


# What the engine itself puts into a request, and what would void its bound on the cost of a call or
# its reading of the answer; each with the setting to use instead, where there is one.
_OURS = {
    "model": "name",
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    "max_output_tokens": "max_output_tokens",
    "temperature": "temperature",
    "reasoning_effort": "reasoning_effort",
    "seed": "seed",
}
_OURS |= dict.fromkeys(("messages", "prompt", "response_format", "stream", "stream_options"), "")
_OURS |= dict.fromkeys(("n", "best_of", "tools", "tool_choice", "functions", "function_call"), "")
_OURS |= dict.fromkeys(("models", "plugins", "web_search_options", "prediction"), "")
_OURS |= dict.fromkeys(("modalities", "audio", "min_tokens", "echo"), "")


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


_DEAREST = 1e6  # a dollar a token; beyond, sums of costs would leave the range of numbers


class Price(_Settings):
    """Dollars for a million tokens."""

    input: float = Field(ge=0, le=_DEAREST, allow_inf_nan=False, description="For what is sent.")
    output: float = Field(
        ge=0, le=_DEAREST, allow_inf_nan=False, description="For what is answered."
    )
    cached: float | None = Field(
        default=None,
        ge=0,
        le=_DEAREST,
        allow_inf_nan=False,
        description="For what is sent and stands in the provider's cache; `input` where unset.",
    )


class ModelConfig(_Settings):
    """A chat model and how it is asked: the `model` key of a judge card."""

    name: str = Field(min_length=1, description="Name of the model, as the endpoint knows it.")
    base_url: str = Field(
        default="https://api.openai.com/v1", description="Any OpenAI-compatible endpoint."
    )
    key_env: str = Field(
        default="OPENAI_API_KEY", description="Environment variable that holds the key."
    )
    context_tokens: int = Field(default=128_000, ge=1000, description="Its context window.")
    max_output_tokens: int | None = Field(
        default=4096, ge=1, description="Limit of one answer; `null` leaves it to the server."
    )
    temperature: float | None = Field(default=None, ge=0, description="As the endpoint takes it.")
    reasoning_effort: str | None = Field(default=None, description="As the endpoint takes it.")
    seed: int | None = Field(default=None, description="As the endpoint takes it.")
    extra_body: dict[str, Any] = Field(
        default_factory=dict,
        description="Sent along with every request; what the engine sets itself is refused.",
    )
    price: Price | None = Field(
        default=None, description="What it costs, in place of the packaged list."
    )
    max_connections: int = Field(default=32, ge=1, description="Most calls in flight.")
    requests_per_minute: int | None = Field(
        default=None, ge=1, description="Most calls that start in a minute, spaced evenly."
    )
    tokens_per_minute: int | None = Field(
        default=None, ge=1, description="Most tokens of the calls that start in a minute."
    )
    max_wait: float = Field(
        default=600.0,
        ge=0,
        allow_inf_nan=False,
        description="Longest wait of one call, in seconds.",
    )
    timeout: float = Field(
        default=600.0, gt=0, allow_inf_nan=False, description="Of one attempt, in seconds."
    )

    @field_validator("base_url")
    @classmethod
    def _bare(cls, url: str) -> str:
        """Refuse what could hold a key: the address is written into runs and shown.

        One endpoint has one spelling, as ledger keys and limiters go by it.
        """
        parts = urlsplit(url)
        # Anywhere: a slash in a password ends what counts as the host's part.
        if "@" in url or parts.query or parts.fragment:
            raise ValueError("give the address alone: a key belongs in the variable of 'key_env'")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an address such as http://localhost:8000/v1")
        if parts.port == 0:  # beyond 65535 it cannot be read at all
            raise ValueError("must be an address with a port from 1 to 65535")
        path = parts.path.rstrip("/")
        return urlunsplit(parts._replace(netloc=parts.netloc.lower(), path=path))

    @field_validator("extra_body")
    @classmethod
    def _leaves_ours_alone(cls, extra: dict[str, Any]) -> dict[str, Any]:
        """Refuse what would pass a cap unseen, or change how an answer is to be read."""
        for name in extra:
            if name in _OURS:
                instead = _OURS[name]
                told = f"use 'model.{instead}' instead" if instead else "leave it out"
                raise ValueError(f"{name!r} is not for 'extra_body': {told}")
        return extra

    @field_validator("key_env")
    @classmethod
    def _names_a_variable(cls, name: str) -> str:
        """Refuse what looks like the key itself: the name is written into runs and shown."""
        if not _VARIABLE.fullmatch(name):
            raise ValueError("must be the name of an environment variable, not the key itself")
        return name

    @property
    def requested(self) -> dict[str, Any]:
        """What of this config is part of a request, and so of a ledger key."""
        names = {"name", "base_url", "max_output_tokens", "temperature", "reasoning_effort", "seed"}
        return self.model_dump(mode="json", include=names | {"extra_body"})


PACE = frozenset(
    {"max_connections", "requests_per_minute", "tokens_per_minute", "max_wait", "timeout"}
)
"""Settings of a model that say how it is asked, and change nothing of what it sees."""
