"""What is set aside for an attempt before it is sent, and what was billed above it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Reservation:
    """The most that one attempt may take, in tokens; each is equal to itself only.

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
