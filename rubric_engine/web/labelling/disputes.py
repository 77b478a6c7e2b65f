"""What an adjudicator decides, as the records of a labelling say it at the moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.gold import blind_labels, gold_of
from rubric_engine.judgeeval.labelling.work import disputes

Opinions = dict[str, dict[str, Any]]
"""What annotators say of a leaf, by its key, in the order of the tree; by letter, without names."""

Stamp = tuple[str, int, int, int]


class Disputes:
    """Leaves that wait for a decision, or that this adjudicator has decided.

    Args:
        folder: The labelling.
        name: The adjudicator.
    """

    def __init__(self, folder: LabelFolder, name: str) -> None:
        self._folder = folder
        self._rubric = folder.rubric
        self._name = name
        self._seen: tuple[Stamp, ...] = ()

    def news(self) -> Opinions | None:
        """All of them; None where no record has changed since this was asked last.

        Raises:
            LabelsError: A record is damaged.
        """
        now = tuple(self._stamps())
        if now == self._seen:
            return None
        found = self._found()
        self._seen = now  # only now: who asks again after an error is told again
        return found

    def _found(self) -> Opinions:
        plan, labels = self._folder.plan, self._folder.all_labels()
        waiting = gold_of(plan, labels, self._folder.decisions()).disputed
        own = self._folder.labels_of(self._name).labels
        decided = {key: blind_labels(key, labels) for key in own}
        rows = disputes(self._rubric, plan, {**decided, **waiting}, self._name)
        return {row["key"]: row["opinions"] for row in rows}

    def _stamps(self) -> Iterator[Stamp]:
        """What changes whenever somebody labels; read from the folder, no record is opened."""
        for file in sorted(self._folder.path.glob("*.jsonl")):
            try:
                facts = file.stat()
            except OSError:
                continue
            yield file.name, facts.st_ino, facts.st_size, facts.st_mtime_ns
