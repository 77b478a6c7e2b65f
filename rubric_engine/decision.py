"""The seam to decision models: many typed questions about one input, each with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, Self, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.grading import Fraction
from rubric_engine.model import Message, ModelConfig, Usage
from rubric_engine.tokens import estimate_tokens

Transport = Literal["openai", "system-one"]
"""The protocols that decision models speak: `/v1/decisions`, and `/v1/systemone`."""

Flaw = Literal["refused", "unparseable", "cut_off", "context_overflow"]
"""Why a question has no answer, for good; these are reasons of `grading`, too."""


_OF_QUESTION = 12


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RequestLimits(_Value):
    """What one request may hold, and in which protocol it is sent."""

    transport: Transport = Field(
        default="openai", description="`openai` asks `/decisions`, `system-one` `/systemone`."
    )
    questions: int = Field(default=400, ge=1, description="Most questions of one request.")
    input_tokens: int = Field(
        default=200_000, ge=5000, description="Most tokens of one request, questions included."
    )
    levels: int = Field(default=10, ge=2, description="Most levels of a scale.")

    def address(self, config: ModelConfig) -> str:
        """Where a model is asked; chats with the same model are counted apart."""
        path = {"openai": "decisions", "system-one": "systemone"}[self.transport]
        return f"{config.base_url}/{path}"


class Option(_Value):
    """One of the answers that a question allows: a choice, or a level of a score."""

    label: str
    description: str = ""


class Question(_Value):
    """One question about an input.

    Attributes:
        key: Who asks; no part of what the model is sent.
        text: What is asked.
        kind: Whether a statement is true, which option fits, or how high it rates.
        options: What a choice may choose; the levels of a score, the lowest first.
    """

    key: str
    text: str
    kind: Literal["predicate", "choice", "score"] = "predicate"
    options: tuple[Option, ...] = ()

    @model_validator(mode="after")
    def _options_fit(self) -> Self:
        if (self.kind == "predicate") != (not self.options):
            raise ValueError("choices and scores have options, and predicates have none")
        if len({option.label for option in self.options}) < len(self.options):
            raise ValueError("each option needs a label of its own")
        return self


class Answer(_Value):
    """What a model says to one question.

    Attributes:
        probability: Of a predicate: how likely it is true.
        distribution: Of a choice or a score: the probability of each option, in their order;
            they add up to 1.
        flaw: Why there is no answer; empty where there is one.
        detail: The same in words.
        usage: The question's share of the tokens that its request took.
        answered_model: The model that says it answered.
        call: Key of the answer in the ledger; empty where there is none.
        replayed: True where it was paid for earlier.
    """

    probability: Fraction | None = None
    distribution: tuple[Fraction, ...] = ()
    flaw: Flaw | None = None
    detail: str = ""
    usage: Usage | None = None
    answered_model: str = ""
    call: str = ""
    replayed: bool = False

    @property
    def refusal(self) -> str | None:
        """What was said in place of an answer; None where the model did not refuse."""
        return self.detail if self.flaw == "refused" else None

    @property
    def value(self) -> int | None:
        """Number of the likeliest option, from 0; of a predicate 1 where it is likelier true."""
        if self.probability is not None:
            return int(self.probability >= 0.5)
        if not self.distribution:
            return None
        return max(range(len(self.distribution)), key=self.distribution.__getitem__)


def question_tokens(question: Question) -> int:
    """Estimated tokens of a question, with its type, name and frame."""
    options = (f"{option.label} {option.description}" for option in question.options)
    return estimate_tokens("\n".join([question.text, *options])) + _OF_QUESTION


@runtime_checkable
class DecisionModel(Protocol):
    """Answers many questions about one input."""

    config: ModelConfig

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> Sequence[Answer]:
        """Ask all questions in one request.

        Args:
            input: What they are about.
            questions: At least one, and no more than a request may hold.
            sample: Number of the repetition of the same questions.

        Returns:
            One answer for each question, in their order; some may be flaws.

        Raises:
            ModelFault: The request as a whole got no answer.
            RubricEngineError: The run must stop: no credentials, no budget, the provider is down.
        """
        ...
