"""The one call that lets a model mend an answer that does not follow the schema."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from rubric_engine.model import Message
from rubric_engine.models.parsing import Unreadable
from rubric_engine.models.request import form_instruction

_MOST_CHARS = 20_000  # of the answer that is shown again


def repair_messages(
    messages: Sequence[Message], text: str, unreadable: Unreadable, schema: type[BaseModel]
) -> list[Message]:
    """Return the prompt with the answer, what is wrong with it, and the wish for a better one."""
    wish = f"That answer cannot be used:\n{unreadable}\n\n{form_instruction(schema)}"
    return [
        *messages,
        Message(role="assistant", content=text[:_MOST_CHARS]),
        Message(role="user", content=wish),
    ]
