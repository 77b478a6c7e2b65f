"""What goes on at one moment: calls in flight, what was replayed, what is spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from rubric_engine.model import ChatModel, Completion, Message, ModelFault


@dataclass(frozen=True)
class Traffic:
    """A run's calls at one moment.

    Attributes:
        in_flight: Requests that are out.
        limit: Requests that may be out now; servers that are crowded lower it.
        most: What the limit is where no server is crowded.
        asked: Calls that ended and were asked for in this session.
        replayed: Calls whose end was on record.
        tokens: Tokens spent over all resumes of the run.
        dollars: Dollars spent over all resumes; None without a price.
    """

    in_flight: int = 0
    limit: int = 0
    most: int = 0
    asked: int = 0
    replayed: int = 0
    tokens: int = 0
    dollars: float | None = None


class Counted:
    """A chat model that counts the calls which ended with an answer, or for want of one.

    Args:
        model: Whom to ask.
    """

    def __init__(self, model: ChatModel) -> None:
        self.config = model.config
        self.ended = 0
        self._model = model

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Ask, as `ChatModel.complete`."""
        try:
            answer = await self._model.complete(messages, schema=schema, sample=sample)
        except ModelFault as fault:
            self.ended += fault.final
            raise
        self.ended += 1
        return answer
