"""One attempt to get an answer, as it is billed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.model import Usage


@dataclass(frozen=True)
class Attempt:
    """One request that was sent, whatever became of it.

    Attributes:
        started: When it was sent, seconds since the epoch.
        seconds: How long it took.
        status: HTTP status, or None where no answer came.
        error: Kind of the fault, or None where an answer came.
        usage: Tokens as the server counted them, or None where it did not.
        parameters: What was asked for in effect, messages left out; `form` tells how the structure
            of the answer was asked for.
        answered_model: The model that says it answered.
        input_bound: Most tokens of the prompt, as reserved.
        output_bound: Most tokens of the answer, as reserved.
    """

    started: float
    seconds: float
    status: int | None
    error: str | None
    usage: Usage | None
    parameters: Mapping[str, Any]
    answered_model: str
    input_bound: int
    output_bound: int | None
