"""Reading an answer by a schema; where it does not follow it, the model mends it once."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
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
        hide: Hides the key in what an answer says.
    """

    config: ModelConfig
    capabilities: Capabilities
    schema: type[BaseModel]
    hide: Callable[[Any], Any]

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
            read = self._parsed(answer)
        except Unreadable as unreadable:
            flaw = unreadable
        else:
            self.capabilities.formed(self.config)
            return read
        answer = await write(repair_messages(messages, answer.text, flaw, self.schema))
        try:
            read = self._parsed(answer)
        except Unreadable as unreadable:
            raise Unparseable(str(unreadable), text=answer.text[:_MOST_KEPT]) from None
        if flaw.formless:
            self.capabilities.formless(self.config, known)
        else:
            self.capabilities.formed(self.config)
        return read

    def _parsed(self, answer: Answer) -> tuple[Answer, dict[str, Any]]:
        """Read an answer; what its text spells in escapes may be the key, too."""
        data = parse(answer.text, self.schema)
        hidden: dict[str, Any] = self.hide(data)
        return answer if hidden == data else replace(answer, text=json.dumps(hidden)), hidden
