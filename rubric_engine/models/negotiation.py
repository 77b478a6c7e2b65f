"""What an endpoint can: learnt from what it refuses, once, and remembered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from rubric_engine.model import ModelConfig

Form = Literal["json_schema", "json_object", "text"]

_NEXT_FORM: dict[Form, Form] = {"json_schema": "json_object", "json_object": "text"}
_NEXT_LIMIT = {"max_completion_tokens": "max_tokens", "max_tokens": None}

_FORMLESS = 2
"""Answers in prose, one after another, that show that a server ignores the schema."""

FORM = "response_format"
ROLES = "roles"
"""Names of what can be refused beside the parameters proper."""


class Endpoint(BaseModel):
    """How one endpoint is asked for one model.

    Attributes:
        form: How the structure of an answer is asked for.
        limit: Name of the output limit; None where it takes none.
        dropped: Parameters that it refuses.
        alternate: Whether neighbouring messages of one role must be joined.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    form: Form = "json_schema"
    limit: Literal["max_completion_tokens", "max_tokens"] | None = "max_completion_tokens"
    dropped: tuple[str, ...] = ()
    alternate: bool = False

    def without(self, name: str) -> Endpoint | None:
        """Return what to try after `name` was refused, or None where nothing is left."""
        change: dict[str, Any]
        if name == FORM:
            if self.form not in _NEXT_FORM:
                return None
            change = {"form": _NEXT_FORM[self.form]}
        elif name == ROLES:
            if self.alternate:
                return None
            change = {"alternate": True}
        elif name in _NEXT_LIMIT:
            if name != self.limit:
                return None
            change = {"limit": _NEXT_LIMIT[name]}
        else:
            if name in self.dropped:
                return None
            change = {"dropped": (*self.dropped, name)}
        return self.model_copy(update=change)


class Capabilities:
    """What is known of endpoints, by base URL and model; plain JSON in, plain JSON out.

    Args:
        known: What `learnt` returned earlier. Entries that cannot be read are learnt anew.
    """

    def __init__(self, known: Mapping[str, Any] | None = None) -> None:
        self._known: dict[str, Endpoint] = {}
        self._learnt: set[str] = set()
        self._formless: dict[str, int] = {}  # prose in place of JSON, one answer after another
        for key, value in (known or {}).items():
            try:
                self._known[key] = Endpoint.model_validate(value)
            except ValidationError:
                continue

    def of(self, config: ModelConfig) -> Endpoint:
        """Return how to ask, as far as it is known."""
        return self._known.get(capability_key(config), Endpoint())

    def learn(self, config: ModelConfig, tried: Endpoint, refused: str) -> bool:
        """Take note of a refusal, and tell whether there is another way to ask.

        Calls run side by side: where another one learnt since `tried` was sent, that is the way.
        """
        current = self.of(config)
        if current != tried:
            return True
        following = current.without(refused)
        if following is None:
            return False
        key = capability_key(config)
        self._known[key] = following
        self._learnt.add(key)
        return True

    def formed(self, config: ModelConfig) -> None:
        """Take note of an answer in the form that was asked for, or near it."""
        self._formless.pop(capability_key(config), None)

    def formless(self, config: ModelConfig, tried: Endpoint) -> None:
        """Take note of prose in place of JSON: a server that ignores a schema is told in words.

        One such answer may be the model's slip; several, and no formed one between, are not.
        """
        key = capability_key(config)
        self._formless[key] = self._formless.get(key, 0) + 1
        if self._formless[key] >= _FORMLESS:
            self.formed(config)
            self.learn(config, tried, FORM)

    def learnt(self) -> dict[str, Any]:
        """Return what was found out since it was made, by endpoint, as plain JSON values."""
        return {key: self._known[key].model_dump(mode="json") for key in self._learnt}

    def notes(self, config: ModelConfig) -> Iterator[str]:
        """Yield in words what the endpoint refuses of this config."""
        known = self.of(config)
        where = f"{config.name} at {config.base_url}"
        asked = {"temperature", "reasoning_effort", "seed"} & config.model_dump(
            exclude_none=True
        ).keys()
        for name in known.dropped:
            if name in asked | config.extra_body.keys():
                yield f"{where} refuses {name}; it is left out"
        if known.limit is None and config.max_output_tokens is not None:
            yield f"{where} takes no output limit; answers are as long as the server lets them be"
        if known.form != "json_schema":
            way = {"json_object": "JSON mode", "text": "plain text"}[known.form]
            yield f"{where} takes no JSON schema; answers come by {way} and are checked here"


def capability_key(config: ModelConfig) -> str:
    """Return the name under which an endpoint is remembered."""
    return f"{config.base_url.rstrip('/')} {config.name}"
