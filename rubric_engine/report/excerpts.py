"""What stands at a cited place: the lines around it, masked and bounded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rubric_engine.report.masking import Mask, Masked, MaskedLines

AROUND = 5
"""Lines before and after a cited place."""

MOST_LINES = 200
"""Lines of all excerpts of a leaf."""

MOST_OF_ONE = 60
"""Lines of one excerpt."""

MOST_CHARS = 400
"""Characters of a line; the rest of a longer one stands as an ellipsis."""

GetText = Callable[[str], MaskedLines | None]


class Excerpter:
    """Sets excerpts beside the citations of one leaf after another.

    Args:
        text: Gives a masked text by its path.
        mask: Counts what is hidden in the lines that are shown.
    """

    def __init__(self, text: GetText, mask: Mask) -> None:
        self._text = text
        self._mask = mask
        self._left = MOST_LINES
        self._known: dict[tuple[str, int, int], dict[str, Any]] = {}

    def grade(self, grade: Mapping[str, Any]) -> dict[str, Any]:
        """A grade of `report.json` with an `excerpt` in each citation, its members' as well."""
        self._left, self._known = MOST_LINES, {}
        return self._grade(grade)

    def _grade(self, grade: Mapping[str, Any]) -> dict[str, Any]:
        found = dict(grade)
        if "citations" in grade:
            found["citations"] = self._all(grade["citations"])
        if "checks" in grade:
            found["checks"] = [
                {**check, "citations": self._all(check["citations"])}
                if "citations" in check
                else check
                for check in grade["checks"]
            ]
        if "members" in grade:
            found["members"] = [self._grade(member) for member in grade["members"]]
        return found

    def _all(self, citations: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return [{**cited, "excerpt": self._excerpt(cited)} for cited in citations]

    def _excerpt(self, cited: Mapping[str, Any]) -> dict[str, Any] | None:
        text = self._text(cited["path"])
        place = _place(cited, text.lines) if text is not None else None
        if text is None or place is None:
            return None
        known = (cited["path"], *place)
        if known not in self._known and self._left:
            self._known[known] = self._lines(text, *place)
        return self._known.get(known)

    def _lines(self, text: MaskedLines, first: int, last: int) -> dict[str, Any]:
        first = max(1, first - AROUND)
        most = min(self._left, MOST_OF_ONE)
        shown = range(first - 1, min(len(text.lines), last + AROUND, first + most - 1))
        self._left -= len(shown)
        hidden = (sum(by.get(at, 0) for at in shown) for by in (text.secrets, text.redacted))
        self._mask.count.add(Masked(*hidden))
        return {"first": first, "lines": [_cut(text.lines[at]) for at in shown]}


def _place(cited: Mapping[str, Any], lines: Sequence[str]) -> tuple[int, int] | None:
    """First and last line of what is cited; of a quote that moved, where it stands now."""
    first = cited.get("start_line")
    last = max(first or 0, cited.get("end_line") or 0)
    if first is None or cited.get("verified") == "moved" or first > len(lines):
        found = _line_of(cited.get("quote") or "", lines)
        if found is not None:
            return found, found + max(0, last - (first or last))
    return (first, last) if first is not None and first <= len(lines) else None


def _line_of(quote: str, lines: Sequence[str]) -> int | None:
    """The line where a quote begins, by its first line that says something."""
    wanted = next((line.strip() for line in quote.splitlines() if line.strip()), None)
    if wanted is None:
        return None
    return next((at for at, line in enumerate(lines, 1) if wanted in line), None)


def _cut(line: str) -> str:
    return line if len(line) <= MOST_CHARS else f"{line[:MOST_CHARS]}…"
