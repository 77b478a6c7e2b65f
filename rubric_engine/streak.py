"""Telling a provider that is gone from prompts that it cannot answer.

A leaf whose prompt no server answers must not end the run, and a server that answers nobody must.
Both look the same from one call, and from many calls about the same part of a rubric. So a run of
lost calls raises a doubt only; it is settled by scouts, calls from all over what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from rubric_engine.decision import Answer, DecisionModel, Question
from rubric_engine.errors import ProviderError
from rubric_engine.model import ChatModel, Completion, Message, ModelFault

_DOUBTFUL = 8
"""Calls lost in a row that raise the doubt."""

SCOUTS = 8
"""Calls from elsewhere that must be lost, too, before the run stops."""


@dataclass
class Streak:
    """Calls that a provider left without an answer, one after another.

    Attributes:
        lost: How many, since it last answered any call.
        scouts_lost: How many of them were scouts.
        last: What was said of the last one.
    """

    lost: int = 0
    scouts_lost: int = 0
    last: str = ""

    def answered(self) -> None:
        """Take note of an answer: whatever was lost before was the prompt's fault."""
        self.lost = self.scouts_lost = 0

    def lose(self, said: str, *, scout: bool) -> None:
        """Take note of a call that ended without an answer."""
        self.lost += 1
        self.scouts_lost += scout
        self.last = said

    @property
    def in_doubt(self) -> bool:
        """Whether only scouts should be sent."""
        return self.lost >= _DOUBTFUL

    @property
    def is_dead(self) -> bool:
        """Whether all scouts were lost."""
        return self.scouts_lost >= SCOUTS

    def error(self) -> ProviderError:
        """The error that stops a run whose provider is gone."""
        return ProviderError(
            f"{self.lost} calls in a row got no answer, {SCOUTS} of them from all over the rubric,"
            f" to be sure; the last: {self.last}",
            fix=["rubric-engine resume RUN   # once it answers; asks only for what is missing"],
        )


class Listening:
    """A model that tells of each sign of life.

    Args:
        model: Whom to ask: a chat model, or one that decides.
        heard: Called where the provider answered; also with a refusal, not with a replay.
    """

    def __init__(self, model: ChatModel | DecisionModel, heard: Callable[[], None]) -> None:
        self.config = model.config
        self._model = model
        self._heard = heard

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Ask, as `ChatModel.complete`."""
        assert isinstance(self._model, ChatModel)
        try:
            answer = await self._model.complete(messages, schema=schema, sample=sample)
        except ModelFault as fault:
            self._hear_of(fault)
            raise
        if not answer.replayed:
            self._heard()
        return answer

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> Sequence[Answer]:
        """Ask, as `DecisionModel.decide`."""
        assert isinstance(self._model, DecisionModel)
        try:
            answers = await self._model.decide(input, questions, sample=sample)
        except ModelFault as fault:
            self._hear_of(fault)
            raise
        if not all(answer.replayed for answer in answers):
            self._heard()
        return answers

    def _hear_of(self, fault: ModelFault) -> None:
        if fault.final and not fault.replayed:
            self._heard()
