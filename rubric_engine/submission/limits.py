"""How much of a folder is read, hashed and copied, decided before anything is opened."""

from __future__ import annotations

from dataclasses import dataclass

DEEPEST = 256
"""Most names in a path; what lies deeper is not looked at."""


@dataclass(frozen=True)
class TreeLimits:
    """What is read of a folder, by the sizes that the files claim.

    Attributes:
        file: Most bytes of one file.
        size: Most bytes in all.
    """

    file: int = 2**30
    size: int = 10 * 2**30


class Budget:
    """What is still left of the limits for one folder.

    Args:
        limits: The limits.
        spent: Bytes that count already.
    """

    def __init__(self, limits: TreeLimits, spent: int = 0) -> None:
        self._limits = limits
        self._left = limits.size - spent

    def take(self, size: int) -> bool:
        """Whether a file of that many bytes fits; if so, it counts from now on."""
        if size > min(self._limits.file, self._left):
            return False
        self._left -= size
        return True
