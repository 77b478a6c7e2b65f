"""The receipt: which files a group was shown whole, which in part, which not, and why."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rubric_engine.evidence.folding import FOLDS, FileCounts, top_folder

MOST_CHARS = 4000
"""Most characters of a receipt in a prompt."""

_SHORTEST_LINE = 10


@dataclass(frozen=True)
class Omission:
    """Something that is not shown.

    Attributes:
        path: The file, or the folder that was skipped.
        why: What is missing of it, or why all of it is.
        size: Bytes of the file.
        lines: First and last of the missing lines, where it is whole lines.
    """

    path: str
    why: str
    size: int
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class Receipt:
    """All that there is to say of what a group of leaves was not shown.

    Attributes:
        whole: Paths of the files shown whole.
        cut: Files shown in part.
        left_out: Files not shown.
        unranked: Where a model was to rank the files and did not, why; they were chosen by their
            words then. No prompt says so.
        union: Where leaves of all categories were shown the same, its kinds of evidence: a leaf
            may have been shown more than its category sees. No prompt says so.
    """

    whole: tuple[str, ...] = ()
    cut: tuple[Omission, ...] = ()
    left_out: tuple[Omission, ...] = ()
    unranked: str = ""
    union: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        # Not `asdict`: it copies value by value, and there is a receipt of every file a group.
        return {
            "whole": self.whole,
            "cut": tuple({**vars(each)} for each in self.cut),
            "left_out": tuple({**vars(each)} for each in self.left_out),
            "unranked": self.unranked,
            "union": self.union,
        }

    @cached_property
    def sha256(self) -> str:
        """Hash of the whole receipt."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()

    def text(self, fits: Callable[[str], bool]) -> str:
        """The receipt as a prompt shows it, folded folder by folder as far as it must be.

        Args:
            fits: Whether a text is short enough.

        Returns:
            The most detailed of several foldings that fits; empty where not even counts do.
        """
        cut = FileCounts.of((each.path, each.why, each.size) for each in self.cut)
        left_out = FileCounts.of((each.path, each.why, each.size) for each in self.left_out)
        for fold in FOLDS:
            left_out = left_out.folded(fold)
            if fold is top_folder:
                # Folded last: these are few, and the judge reads on with a wrong idea of them.
                cut = cut.folded(fold)
            if len(cut) + len(left_out) > MOST_CHARS // _SHORTEST_LINE:
                continue
            text = self._text(cut, left_out)
            if len(text) <= MOST_CHARS and fits(text):
                return text
        return text if fits(text := self._counts()) else ""

    def _text(self, cut: FileCounts, left_out: FileCounts) -> str:
        lines = [f"Files shown whole: {len(self.whole)}"]
        if len(cut):
            lines += ["Shown in part:", *cut.lines()]
        if len(left_out):
            lines += ["Not shown:", *left_out.lines()]
        return "\n".join(lines) + "\n"

    def _counts(self) -> str:
        cut = len({each.path for each in self.cut})
        return f"Files shown whole: {len(self.whole)}, in part: {cut}, not: {len(self.left_out)}\n"
