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

    @property
    def uncounted(self) -> int:
        """Attempts whose usage nobody knows, such as those under way as a process was killed."""
        ...

    @property
    def uncounted_tokens(self) -> int:
        """What they count in `usage`, at their bound."""
        ...

    @property
    def uncounted_dollars(self) -> float:
        """What they count in `dollars`, likewise."""
        ...


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
