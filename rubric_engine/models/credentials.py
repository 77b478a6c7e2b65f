"""The key of an endpoint: from one environment variable, and nowhere else."""

from __future__ import annotations

import os

from rubric_engine.addresses import is_local
from rubric_engine.errors import CredentialsError
from rubric_engine.model import ModelConfig

NO_KEY = "none"
"""Sent to servers that ask for no key."""

LEAST = 12
"""Characters of a key that is no common word; a shorter one may stand anywhere."""


def find_key(config: ModelConfig) -> str:
    """Return the key for an endpoint.

    Raises:
        CredentialsError: The variable is unset and the endpoint is not on this machine or network,
            or it holds what cannot be a key, or the config repeats the key.
    """
    key = os.environ.get(config.key_env, "").strip()
    if not key:
        if is_local(config.base_url):
            return NO_KEY
        raise CredentialsError(
            f"there is no key for {config.base_url}: {config.key_env} is not set",
            code="E101",
            looked=[f"the environment variable {config.key_env}"],
            fix=[
                f"export {config.key_env}=...",
                "or name a server of your own: --base-url http://localhost:8000/v1",
            ],
        )
    if not all(" " < character <= "~" for character in key):
        raise CredentialsError(
            f"{config.key_env} holds spaces or characters that no key has",
            code="E102",
            fix=[f"export {config.key_env}=... with the key alone"],
        )
    if len(key) >= LEAST and (key in config.base_url or key in config.name):
        raise CredentialsError(
            f"the key in {config.key_env} stands in the model's name or address, too",
            code="E102",
            looked=["both are written into runs, and a key is not"],
            fix=["--model with a name, and --base-url with an address, that hold no key"],
        )
    return key


def rejected(config: ModelConfig, status: int | None) -> CredentialsError:
    """Return the error for a key that the endpoint does not accept, or for one that it misses."""
    if not os.environ.get(config.key_env, "").strip():
        return CredentialsError(
            f"{config.base_url} refused the request (HTTP {status}), and {config.key_env} is not"
            " set",
            code="E101",
            looked=[f"the environment variable {config.key_env}", f"the model {config.name!r}"],
            fix=[f"export {config.key_env}=..."],
        )
    return CredentialsError(
        f"{config.base_url} rejected the key in {config.key_env} (HTTP {status})",
        code="E102",
        looked=[f"the environment variable {config.key_env}", f"the model {config.name!r}"],
        fix=[f"export {config.key_env}=... with a key that may use {config.name!r}"],
    )
