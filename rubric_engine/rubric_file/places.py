"""Where each value of a document stands in its text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Mark = tuple[int, int]
"""Line and column, both from 1."""


class Places:
    """Positions of the keys and values of the containers of one document.

    Containers are told apart by identity, so a `Places` is only good as long as its document.
    """

    def __init__(self) -> None:
        self._keys: dict[tuple[int, str], Mark] = {}
        self._values: dict[tuple[int, str | int], Mark] = {}
        self._starts: dict[int, Mark] = {}

    def add_key(self, container: dict[str, Any], key: str, mark: Mark) -> None:
        """Remember where a key of a mapping stands."""
        self._keys[id(container), key] = mark

    def add_value(self, container: Any, key: str | int, value: Any, mark: Mark) -> None:
        """Remember where a value stands, by its key or index."""
        self._values[id(container), key] = mark
        if isinstance(value, dict | list):
            self._starts[id(value)] = mark

    def start(self, container: Any) -> Mark:
        """Where a mapping or a list begins."""
        return self._starts.get(id(container), (1, 1))

    def add_start(self, container: Any, mark: Mark) -> None:
        """Remember where the outermost value begins."""
        self._starts[id(container)] = mark

    def key(self, container: Any, key: str) -> Mark:
        """Where a key stands; where its mapping begins if it has no such key."""
        return self._keys.get((id(container), key)) or self.start(container)

    def value(self, container: Any, key: str | int) -> Mark:
        """Where the value of a key or index stands; where its container begins if there is none."""
        return self._values.get((id(container), key)) or self.start(container)

    def along(self, value: Any, loc: Iterable[str | int], *, of_key: bool = False) -> Mark:
        """Where the value at the end of a path stands, or the nearest above it.

        Args:
            value: The container that the path starts in.
            loc: Keys and indices; a part that leads nowhere is passed over.
            of_key: Whether the place of the last key is wanted, not that of its value.
        """
        mark = self.start(value)
        for part in loc:
            inside = (isinstance(value, dict) and part in value) or (
                isinstance(value, list) and isinstance(part, int) and part < len(value)
            )
            if inside:
                by_key = of_key and isinstance(part, str)
                mark = self.key(value, str(part)) if by_key else self.value(value, part)
                value = value[part]
        return mark
