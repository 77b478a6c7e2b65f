"""One line of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A figure; one with a limit says whether it keeps it."""

    name: str
    figure: str
    kept: bool | None = None
    limit: str = ""

    def __str__(self) -> str:
        verdict = {None: "", True: "ok", False: "MISSED"}[self.kept]
        limit = f"limit {self.limit}" if self.limit else ""
        return f"{self.name:<48} {self.figure:<40} {limit:<20} {verdict}".rstrip()
