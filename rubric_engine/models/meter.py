"""Spending: every attempt is reserved before it is sent and settled after."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Protocol

from rubric_engine.model import Usage
from rubric_engine.reserved import Reservation


class Meter(Protocol):
    """Keeps what is spent and reserved under a cap."""

    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        """Set tokens aside for an attempt that is about to be sent.

        Raises:
            OverBudget: The attempt could pass the cap; it is not sent.
        """
        ...

    def settle(self, reservation: Reservation, usage: Usage | None) -> None:
        """Replace a reservation by what was used; None leaves it at its bound."""
        ...


@dataclass
class FreeMeter:
    """A meter without a cap, which only counts.

    Attributes:
        attempts: Attempts that were reserved.
        open: Reservations that are not settled yet.
        used: Tokens of the settled attempts whose usage is known.
        unknown: Reservations that were settled without usage.
    """

    attempts: int = 0
    open: int = 0
    used: Usage = field(default_factory=Usage)
    unknown: list[Reservation] = field(default_factory=list)

    def reserve(self, input_bound: int, output_bound: int | None) -> Reservation:
        """Count an attempt."""
        self.attempts += 1
        self.open += 1
        return Reservation(input_bound, output_bound)

    def settle(self, reservation: Reservation, usage: Usage | None) -> None:
        """Count what it used."""
        self.open -= 1
        if usage is None:
            self.unknown.append(reservation)
        else:
            self.used += usage


@dataclass
class InputBound:
    """Bounds the tokens of a prompt before it is sent.

    Until the endpoint has counted a prompt, the bound is its bytes: no token is shorter. From
    then on it is the estimate, times the largest ratio seen, with a margin.
    """

    ratio: float | None = None

    def __call__(self, estimate: int, size: int) -> int:
        """Return the bound.

        Args:
            estimate: Estimated tokens of the prompt.
            size: Bytes of the prompt, with what the server adds to it.
        """
        if self.ratio is None:
            return size
        return min(size, math.ceil(estimate * self.ratio * 1.15))

    def observe(self, estimate: int, tokens: int) -> None:
        """Learn from a prompt that the server counted."""
        if estimate > 0 and tokens > 0:
            self.ratio = max(self.ratio or 0.0, tokens / estimate)
