"""The texts that a run's grades cite, masked."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from rubric_engine.grading import Grade
from rubric_engine.report.masking import Mask, MaskedLines
from rubric_engine.report.repeated import Repeated

_MOST_KEPT = 32_000_000
"""Characters of texts that are kept ready: many citations name the same few files."""


class MaskedTexts:
    """The same texts masked, the last ones kept ready.

    Args:
        lines: Gives the lines of a text by its path.
        mask: Masks them.
    """

    def __init__(self, lines: Callable[[str], Sequence[str] | None], mask: Mask) -> None:
        self._lines = lines
        self._mask = mask
        self._kept: OrderedDict[str, MaskedLines | None] = OrderedDict()
        self._size = 0

    def of(self, path: str) -> MaskedLines | None:
        """A text by its path; None where there is none."""
        if path not in self._kept:
            lines = self._lines(path)
            self._keep(path, self._mask.lines(lines) if lines is not None else None)
        self._kept.move_to_end(path)
        return self._kept[path]

    def repeated(self, grade: Grade) -> Repeated:
        """Hides what is hidden in the texts that a grade cites."""
        hidden: dict[str, bool] = {}
        for part in grade.parts():
            of_checks = [cited for check in part.checks for cited in check.citations]
            for path in {cited.path for cited in (*part.citations, *of_checks)}:
                text = self.of(path)
                hidden |= text.hidden if text is not None else {}
        return Repeated(hidden)

    def _keep(self, path: str, text: MaskedLines | None) -> None:
        self._kept[path] = text
        self._size += _size(text)
        while self._size > _MOST_KEPT and len(self._kept) > 1:
            self._size -= _size(self._kept.popitem(last=False)[1])


def _size(text: MaskedLines | None) -> int:
    return sum(map(len, text.lines)) if text is not None else 0
