"""The longest prefix that a text shares with earlier ones, in time linear in the text.

Texts are cut into blocks, each named by the hash of everything up to its end. Under each name stand
the blocks that ever followed, in order: a text that leaves all earlier ones inside a block shares
most with one of its two neighbours there. So the result is exact to the character, and a block that
thousands of texts share is kept once.
"""

from __future__ import annotations

from bisect import bisect_left

BLOCK_CHARS = 512


def chain(text: str) -> list[int]:
    """The name of each state of a text: before its first block, and after each whole block."""
    state = 0
    states = [state]
    for start in range(0, len(text) - BLOCK_CHARS + 1, BLOCK_CHARS):
        state = hash((state, text[start : start + BLOCK_CHARS]))
        states.append(state)
    return states


class PrefixIndex:
    """Texts, by their prefixes."""

    def __init__(self) -> None:
        self._next: dict[int, list[str]] = {}

    def shared(self, text: str, states: list[int]) -> int:
        """How many characters at its start some earlier text has too.

        Args:
            text: The text.
            states: Its `chain`.
        """
        known = self._last_known(states)
        if known is None:
            return 0
        start = known * BLOCK_CHARS
        rest = text[start : start + BLOCK_CHARS]
        earlier = self._next[states[known]]
        place = bisect_left(earlier, rest)
        beside = earlier[max(0, place - 1) : place + 1]
        return start + max((_common(rest, other) for other in beside), default=0)

    def add(self, text: str, states: list[int]) -> None:
        """Remember a text; see `shared`."""
        known = self._last_known(states)
        for place in range(known or 0, len(states)):
            start = place * BLOCK_CHARS
            _put(self._next.setdefault(states[place], []), text[start : start + BLOCK_CHARS])

    def _last_known(self, states: list[int]) -> int | None:
        """The last state that an earlier text went through: all before it are known as well."""
        if states[0] not in self._next:
            return None
        low, high = 0, len(states) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if states[middle] in self._next else (low, middle - 1)
        return low


def _put(blocks: list[str], block: str) -> None:
    place = bisect_left(blocks, block)
    if block and (place == len(blocks) or blocks[place] != block):
        blocks.insert(place, block)


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
