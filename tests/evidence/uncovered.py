"""What a provider's prefix cache cannot serve."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable


def uncovered(prompts: Iterable[str]) -> int:
    """Characters that no earlier prompt began with.

    Args:
        prompts: Whole prompts, in the order in which they are answered.

    Returns:
        Over all prompts, the characters behind the longest prefix that an earlier one had.
    """
    total = 0
    earlier: list[str] = []  # sorted: the longest common prefix is with a neighbour
    for prompt in prompts:
        at = bisect(earlier, prompt)
        near = earlier[max(0, at - 1) : at + 1]
        total += len(prompt) - max((_common(one, prompt) for one in near), default=0)
        earlier.insert(at, prompt)
    return total


def _common(left: str, right: str) -> int:
    """Length of the longest prefix of both, by halving: prompts are long."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[low:middle] == right[low:middle] else (low, middle - 1)
    return low
