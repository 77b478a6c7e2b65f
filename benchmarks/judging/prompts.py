"""The prompts that a grading sent, as its run and the ledger beside it hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_engine.connection import LEDGER
from rubric_engine.ledger import Ledger


@dataclass(frozen=True)
class Sent:
    """One prompt.

    Attributes:
        messages: Role and text; a text that prompts share is one object.
        schema: JSON schema of the answer.
    """

    messages: tuple[tuple[str, str], ...]
    schema: dict[str, Any] | None


def sent_prompts(run: Path) -> Iterator[Sent]:
    """Read every prompt of a run, in the order in which they were answered."""
    texts: dict[str, str] = {}
    lines = (run / "grades.jsonl").read_text().splitlines()
    with Ledger.open(run.parent / LEDGER) as ledger:
        for line in lines:
            for key in json.loads(line)["grade"].get("calls", ()):
                call = ledger.call(key)
                assert call is not None
                messages = tuple(
                    (message.role, texts.setdefault(message.content, message.content))
                    for message in call.messages
                )
                yield Sent(messages, call.schema)
