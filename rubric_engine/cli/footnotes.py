"""What the marks in a table stand for: a dash never stands without its reason."""

from __future__ import annotations

from collections.abc import Iterator

from rubric_engine.cli.short_names import listed
from rubric_engine.figures import written

NAMED = 3
"""How many rows a reason names."""


class Footnotes:
    """Collects reasons while the cells of tables are made."""

    def __init__(self) -> None:
        self._dashes: dict[tuple[str, str], list[str]] = {}
        self._marks: dict[str, None] = {}

    def figure(
        self, value: float | None, what: str, why: str | None, who: str, form: str = ".2f"
    ) -> str:
        """A figure's cell; a dash where there is none, and its reason below.

        Args:
            value: The figure.
            what: What it is called.
            why: Why it is None, where it is.
            who: The row.
            form: How to write it.
        """
        return self.dash(what, why, who) if value is None else written(value, form)

    def dash(self, what: str, why: str | None, who: str) -> str:
        """A cell without a figure."""
        names = self._dashes.setdefault((what, why or "undefined"), [])
        if who not in names:
            names.append(who)
        return "-"

    def mark(self, sign: str, text: str) -> str:
        """A sign in a cell that a line below explains."""
        self._marks[f"{sign} {text}"] = None
        return sign

    def lines(self) -> Iterator[str]:
        """The lines below the tables."""
        yield from self._marks
        alike: dict[tuple[str, ...], list[str]] = {}
        for (what, why), names in self._dashes.items():
            alike.setdefault((why, *names), []).append(what)
        for (why, *names), whats in alike.items():
            yield f"- {listed(names, NAMED)}: no {', '.join(whats)} ({why})"
