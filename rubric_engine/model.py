"""The seam to language models: what is sent, what comes back, and how a call can end.

A judge asks a `ChatModel` and gets a `Completion` or one of the errors below. Whatever the model
may have cost is on record before either reaches the judge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.errors import ProviderError
from rubric_engine.grading import Reason
from rubric_engine.model_config import PACE as PACE
from rubric_engine.model_config import ModelConfig as ModelConfig
from rubric_engine.model_config import Price as Price

if TYPE_CHECKING:
    from rubric_engine.decision import Answer


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(_Value):
    """One part of a prompt. Parts that many prompts share stand in messages of their own."""

    role: Literal["system", "user", "assistant"]
    content: str


class Usage(_Value):
    """Tokens of one attempt, as the server counted them."""

    input_tokens: int = Field(default=0, ge=0, description="All of the prompt, cached part too.")
    cached_tokens: int = Field(default=0, ge=0, description="What of it the server had cached.")
    output_tokens: int = Field(default=0, ge=0, description="All of the answer, reasoning too.")

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )

    def shares(self, by: int) -> list[Usage]:
        """Divided as evenly as whole numbers can be; they add up to all of it."""
        counts = {
            name: [count // by + (at < count % by) for at in range(by)]
            for name, count in self.model_dump().items()
        }
        return [Usage(**{name: parts[at] for name, parts in counts.items()}) for at in range(by)]


class Completion(_Value):
    """One structured answer.

    Attributes:
        text: What the model wrote.
        data: The same read by the schema, as plain JSON values; None without a schema.
        usage: Tokens over all attempts, or None where the server does not count.
        requested_model: The model that was asked for.
        answered_model: The model that says it answered.
        key: Key of the call in the ledger; empty where there is none.
        replayed: True where it was paid for earlier.
    """

    text: str
    data: dict[str, Any] | None = None
    usage: Usage | None = None
    requested_model: str = ""
    answered_model: str = ""
    key: str = ""
    replayed: bool = False


async def _kept_nowhere(_: Collection[str]) -> dict[str, Answer]:
    """Nothing is on record."""
    return {}


class ModelFault(Exception):  # noqa: N818  # a way for a call to end, told apart from our errors
    """A call that gave no usable answer.

    Attributes:
        reason: What it makes of the leaf.
        final: True where asking again would give the same; it is kept and replayed.
        usage: Tokens that it cost all the same.
        key: Key of the call in the ledger.
        replayed: True where it was on record.
        give_up: Of a request that several questions shared: keeps on record, where there is one,
            that some of them, by their keys, end so without being asked in another request.
            Returns what is on record of them then, once that is durable.
    """

    reason: ClassVar[Reason] = "provider_error"
    final: ClassVar[bool] = False
    give_up: Callable[[Collection[str]], Coroutine[Any, Any, Mapping[str, Answer]]] = staticmethod(
        _kept_nowhere
    )

    def __init__(self, message: str, *, usage: Usage | None = None, text: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage
        self.text = text
        self.key = ""
        self.replayed = False


class Refused(ModelFault):
    """The model, or a filter before it, would not answer."""

    reason = "refused"
    final = True


class Unparseable(ModelFault):
    """The answer does not follow the schema, also not after one repair."""

    reason = "unparseable"
    final = True


class CutOff(ModelFault):
    """The answer ran into the output limit."""

    reason = "cut_off"
    final = True


async def _nowhere(key: str) -> None:
    """Nothing is on record."""


class ContextOverflow(ModelFault):
    """The prompt is longer than the context window, as the server counts.

    Attributes:
        replaced: Notes on record, where there is one, the key of the shortened request that took
            this one's place; returns once that is durable.
    """

    reason = "context_overflow"
    final = True
    replaced: Callable[[str], Coroutine[Any, Any, None]] = staticmethod(_nowhere)


class Unavailable(ModelFault):
    """The provider could not answer in time; asking later may help."""

    reason = "provider_error"


class NotTaken(Unavailable):
    """The endpoint does not take a request of questions; it may take the same without one of them.

    Attributes:
        stop: What should stop the run where no question gets an answer: how the judge asks is
            wrong then. None where the endpoint answered before.
        on_record: Keys of the questions that were not sent, as their answers are on record.
    """

    def __init__(self, message: str, *, stop: ProviderError | None = None) -> None:
        super().__init__(message)
        self.stop = stop
        self.on_record: Collection[str] = ()


class OverBudget(ModelFault):
    """The call was not sent: its bound would pass the cap.

    Attributes:
        fix: The command that goes on with the run; `RUN` stands for its name.
        instead: What should stop the run in place of the cap: the endpoint answered none of its
            requests, whose bounds alone used the cap up. None where it answered, or was not asked.
    """

    reason = "budget"

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.fix = fix
        self.instead: ProviderError | None = None


FINAL: dict[str, type[ModelFault]] = {
    fault.reason: fault for fault in (Refused, Unparseable, CutOff, ContextOverflow)
}
"""Faults that are answers, by reason."""


@runtime_checkable
class ChatModel(Protocol):
    """Gives one structured answer to one prompt."""

    config: ModelConfig

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Ask.

        Args:
            messages: The prompt; what is shared with other prompts comes first.
            schema: Model that the answer must follow; None takes any text.
            sample: Number of the repetition of the same question.

        Raises:
            ModelFault: The call gave no usable answer.
            RubricEngineError: The run must stop: no credentials, no budget, the provider is down.
        """
        ...


def text_hash(text: str) -> str:
    """SHA-256 of a text, lone surrogates included."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
