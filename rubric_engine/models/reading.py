"""Reading an answer by a schema; where it does not follow it, the model mends it once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rubric_engine.model import Message, ModelConfig, Unparseable
from rubric_engine.models.answer import Answer
from rubric_engine.models.negotiation import Capabilities
from rubric_engine.models.parsing import Unreadable, parse
from rubric_engine.models.repair import repair_messages

_MOST_KEPT = 100_000  # characters of an answer that cannot be read


@dataclass(frozen=True)
class Form:
    """The form that answers must have.

    Attributes:
        config: The model.
        capabilities: What is known of endpoints; it learns which ignore the form.
        schema: What the answers must follow.
    """

    config: ModelConfig
    capabilities: Capabilities
    schema: type[BaseModel]

    async def read(
        self,
        answer: Answer,
        messages: Sequence[Message],
        write: Callable[[Sequence[Message]], Awaitable[Answer]],
    ) -> tuple[Answer, dict[str, Any]]:
        """Read an answer, or the one that mends it.

        Args:
            answer: The first answer.
            messages: The prompt that it answers.
            write: Asks the model again.

        Returns:
            The answer that could be read, and what it says.

        Raises:
            Unparseable: Neither follows the schema.
        """
        known = self.capabilities.of(self.config)
        try:
            data = parse(answer.text, self.schema)
        except Unreadable as unreadable:
            flaw = unreadable
        else:
            self.capabilities.formed(self.config)
            return answer, data
        answer = await write(repair_messages(messages, answer.text, flaw, self.schema))
        try:
            data = parse(answer.text, self.schema)
        except Unreadable as unreadable:
            raise Unparseable(str(unreadable), text=answer.text[:_MOST_KEPT]) from None
        if flaw.formless:
            self.capabilities.formless(self.config, known)
        else:
            self.capabilities.formed(self.config)
        return answer, data
