"""One attempt to get an answer, as it is billed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rubric_engine.model import Usage
from rubric_engine.models.request import Request
from rubric_engine.reserved import Reservation


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
        estimate: Tokens of the prompt, as estimated.
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
    estimate: int
    input_bound: int
    output_bound: int | None


class Bill:
    """An attempt that is under way.

    Args:
        request: What is sent.
        reservation: What is set aside for it.
        settle: Told of the attempt and its reservation when it ends.
    """

    def __init__(
        self,
        request: Request,
        reservation: Reservation,
        settle: Callable[[Attempt, Reservation], None],
    ) -> None:
        self._request = request
        self._reservation = reservation
        self._settle = settle
        self._started = time.time()
        self._clock = time.monotonic()

    def close(
        self, usage: Usage | None, *, status: int | None, error: str | None, model: str = ""
    ) -> None:
        """End the attempt; without usage it counts at its bound."""
        attempt = Attempt(
            started=self._started,
            seconds=time.monotonic() - self._clock,
            status=status,
            error=error,
            usage=usage,
            parameters=self._request.parameters,
            answered_model=model,
            estimate=self._request.estimate,
            input_bound=self._reservation.input_bound,
            output_bound=self._reservation.output_bound,
        )
        self._settle(attempt, self._reservation)
