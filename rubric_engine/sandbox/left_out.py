"""The list of what was not taken out of a sandbox, bounded however much that is."""

from __future__ import annotations

from rubric_engine.files import Kind
from rubric_engine.isolation import Omitted

_MOST_LISTED = 1000
_LONGEST_PATH = 1024
_REST = "**"


class LeftOut:
    """Takes entries one by one; those past the first thousand are only counted.

    Attributes:
        whole: Whether each entry is listed: what is neither taken out nor listed was not there.
    """

    def __init__(self) -> None:
        self.whole = True
        self._listed: list[Omitted] = []
        self._more = 0
        self._more_bytes = 0

    def add(self, path: str, size: int | None, why: str, kind: Kind = "special") -> None:
        """Note something that was left out.

        Args:
            path: Where it lay.
            size: Bytes, where they are known.
            why: The reason, for a judge.
            kind: What it is.
        """
        if len(self._listed) < _MOST_LISTED:
            self._listed.append(Omitted(path=path[:_LONGEST_PATH], size=size, why=why, kind=kind))
            return
        self.whole = False
        self._more += 1
        self._more_bytes += size or 0

    def add_rest(self, why: str) -> None:
        """Note that nothing more was looked at.

        Args:
            why: The reason, for a judge.
        """
        self.whole = False
        self._listed.append(Omitted(path=_REST, why=why))

    def entries(self) -> tuple[Omitted, ...]:
        """All of it; the last entry may stand for those that are not listed."""
        if not self._more:
            return tuple(self._listed)
        why = f"{self._more:,} more entries were left out"
        return (*self._listed, Omitted(path=_REST, size=self._more_bytes, why=why))
