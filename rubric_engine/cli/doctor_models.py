"""What `doctor` says of models: keys, endpoints, and which judge `--judge auto` would be."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.candidate import load_candidate
from rubric_engine.cli.choosing import AUTO, choose
from rubric_engine.cli.looked_at import Item
from rubric_engine.errors import CredentialsError, JudgeCardError, ProviderError
from rubric_engine.model import ModelConfig, ModelFault
from rubric_engine.near import near

if TYPE_CHECKING:
    from collections.abc import Mapping

_TIMEOUT_S = 20.0
_MOST_NAMED = 5
# Whoever planted a card in the current folder, which may be a submission, is not to be run here.
_UNTRUSTED = Path()


def model_items(model: Mapping[str, str]) -> Iterator[Item]:
    """Look at what a model needs; a request is sent only where a flag names a model or an endpoint.

    Args:
        model: What flags say of the model.
    """
    try:
        candidate = load_candidate(AUTO, untrusted=_UNTRUSTED, model=model)
    except JudgeCardError as error:
        yield Item("fail", error.message, "\n".join(error.fix[:1]))
        return
    yield from map(_key, dict.fromkeys(config.key_env for config in candidate.models))
    if os.environ.get("OPENAI_BASE_URL"):
        what = "OPENAI_BASE_URL is set, and is not read"
        yield Item("warn", what, "--base-url, or base_url in a judge card, names an endpoint")
    yield from map(_endpoint, candidate.models)
    auto = _auto(model)
    yield auto
    if model and auto.state == "ok":
        yield from map(_listed, candidate.models)


def _key(name: str) -> Item:
    if os.environ.get(name, "").strip():
        return Item("ok", f"{name} is set")
    return Item("warn", f"{name} is not set; local servers need no key", f"export {name}=...")


def _endpoint(config: ModelConfig) -> Item:
    return Item("ok", f"models: {config.name} at {config.base_url}, key in {config.key_env}")


def _auto(model: Mapping[str, str]) -> Item:
    try:
        choice = choose(AUTO, _UNTRUSTED, model, dry=False)
    except CredentialsError as error:
        return Item("fail", error.message, error.fix[0])
    if choice.why:
        return Item("ok", f"--judge auto would be rules alone: {choice.why}")
    names = ", ".join(config.name for config in choice.candidate.models)
    return Item("ok", f"--judge auto would be rules, and {names} for leaves without checks")


def _listed(config: ModelConfig) -> Item:
    """Ask the endpoint for its list of models."""
    from rubric_engine.models.catalogue import listed_models

    try:
        names = asyncio.run(listed_models(config.model_copy(update={"timeout": _TIMEOUT_S})))
    except (CredentialsError, ProviderError) as error:
        return Item("fail", error.message, error.fix[0])
    except ModelFault as fault:
        return Item("fail", fault.message)
    if not names:
        what = f"{config.base_url} answers, and lists no models"
        return Item("warn", what, "check the address; most end in /v1")
    if config.name in names:
        return Item("ok", f"{config.base_url} answers, and lists {config.name}")
    meant = near(config.name, names)
    more = ", ..." if len(names) > _MOST_NAMED else ""
    what = f"{config.base_url} answers, and does not list {config.name!r}"
    what += f"; {meant}" if meant else ""
    return Item("warn", what, f"--model with one of: {', '.join(names[:_MOST_NAMED])}{more}")
