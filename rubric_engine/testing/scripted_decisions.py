"""A decision model without a network."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.decision import Answer, Question
from rubric_engine.errors import RubricEngineError
from rubric_engine.model import Message, ModelConfig, ModelFault, Usage
from rubric_engine.testing.answers import last_match
from rubric_engine.testing.completion import count_tokens
from rubric_engine.testing.decisions import Asked, plausible_probability

Said = Answer | ModelFault | RubricEngineError | float | None
"""An answer, an error of the whole request, the probability of a predicate (of options: that of
the last), or None for a plausible one."""


@dataclass(frozen=True)
class DecisionCall:
    """One request to a `ScriptedDecisions`.

    Attributes:
        number: Its place in the order of requests, from 1.
        input: What the questions are about.
        questions: The questions.
        sample: Number of the repetition.
    """

    number: int
    input: tuple[Message, ...]
    questions: tuple[Question, ...]
    sample: int


class ScriptedDecisions:
    """Answers each question as it was told; without being told, plausibly by its text.

    Args:
        answers: By a text that the question holds (the one that ends last decides), or a function
            of the question.
        config: What the model says of itself.

    Attributes:
        calls: The requests so far.

    Example:
        >>> import asyncio
        >>> model = ScriptedDecisions({"blue": 0.9})
        >>> question = Question(key="a", text="The sky is blue.")
        >>> asyncio.run(model.decide([], [question]))[0].probability
        0.9
    """

    def __init__(
        self,
        answers: Mapping[str, Said] | Callable[[Question], Said] | None = None,
        *,
        config: ModelConfig | None = None,
    ) -> None:
        self.config = config or ModelConfig(name="scripted", base_url="http://localhost/v1")
        self.calls: list[DecisionCall] = []
        self._answers = answers

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> list[Answer]:
        """Answer; see `rubric_engine.decision.DecisionModel`."""
        self.calls.append(DecisionCall(len(self.calls) + 1, tuple(input), tuple(questions), sample))
        return [self._answer(question) for question in questions]

    def _answer(self, question: Question) -> Answer:
        said: Said = None
        if callable(self._answers):
            said = self._answers(question)
        elif self._answers is not None:
            said = last_match(self._answers, question.text)
        if isinstance(said, ModelFault | RubricEngineError):
            raise copy.copy(said)  # raised twice, one object would gather two tracebacks
        if isinstance(said, Answer):
            return said
        if said is None:
            said = plausible_probability(Asked(None, question.kind, question.text))
        usage = Usage(input_tokens=count_tokens(question.text), output_tokens=1)
        if question.kind == "predicate":
            return Answer(probability=said, usage=usage, answered_model=self.config.name)
        others = len(question.options) - 1
        chances = ((1 - said) / others,) * others if others else ()
        return Answer(distribution=(*chances, said if others else 1.0), usage=usage)
