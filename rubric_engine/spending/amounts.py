"""What a budget counts: tokens and dollars, reserved and spent."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from rubric_engine.model import Usage

PARTS = 10**12  # of a dollar; amounts are whole numbers of these, so that their sums are exact


class AlreadySpent(Protocol):
    """What earlier parts of the same run cost."""

    @property
    def usage(self) -> Usage:
        """Tokens; attempts that the server did not count stand in at their bound."""
        ...

    @property
    def dollars(self) -> float:
        """Sum over the attempts that have a price."""
        ...

    @property
    def unpriced(self) -> int:
        """Attempts without a price."""
        ...


class Bounds(Protocol):
    """The most tokens that one attempt may use."""

    @property
    def input_bound(self) -> int:
        """Most tokens of the prompt."""
        ...

    @property
    def output_bound(self) -> int | None:
        """Most tokens of the answer; None where nothing limits it."""
        ...


@dataclass(frozen=True, eq=False)
class Reservation:
    """Tokens set aside for one attempt.

    Attributes:
        input_bound: Most tokens of the prompt.
        output_bound: Most tokens of the answer; None where nothing limits it.
    """

    input_bound: int
    output_bound: int | None


@dataclass(frozen=True)
class Excess:
    """What a server billed above what was reserved for it.

    Attributes:
        attempts: How many attempts were billed above their reservation.
        tokens: By how many tokens, together.
        dollars: By how many dollars, together; None without a price.
    """

    attempts: int = 0
    tokens: int = 0
    dollars: float | None = None


@dataclass(frozen=True)
class Amount:
    """Tokens, and parts of a dollar; without a price the parts stay 0 and are never shown."""

    tokens: int = 0
    parts: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.tokens + other.tokens, self.parts + other.parts)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.tokens - other.tokens, self.parts - other.parts)


def parts_of(dollars: float) -> int:
    """An amount in whole parts of a dollar."""
    return round(dollars * PARTS)


def exact(parts: int) -> Decimal:
    """Whole parts of a dollar in dollars."""
    return Decimal(parts) / PARTS
