"""Gold as its file holds it: a line is made anew only where its label is another one. Pure."""

from __future__ import annotations

from rubric_engine.judgeeval.labelling.gold import Gold
from rubric_engine.labels import Label
from rubric_engine.labels.lines import json_line, label_row


class GoldText:
    """The text of gold, which is written with every label that somebody gives."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[Label, str]] = {}

    def of(self, gold: Gold) -> str:
        """All of its lines.

        Args:
            gold: Gold as it is now.
        """
        labels = gold.labels.labels
        self._lines = {key: self._line(key, label) for key, label in labels.items()}
        return "".join(line for _, line in self._lines.values())

    def _line(self, key: str, label: Label) -> tuple[Label, str]:
        known = self._lines.get(key)
        if known is not None and known[0] is label:
            return known
        return label, json_line(label_row(key, label))
