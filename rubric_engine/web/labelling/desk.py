"""What one person labels and has said: the state behind the page, one change at a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine.errors import RubricEngineError, UsageError
from rubric_engine.judgeeval.labelling.book import Book
from rubric_engine.labels import Label
from rubric_engine.rubric import Rubric
from rubric_engine.web.labelling.sections import Paper
from rubric_engine.web.labelling.texts import Texts

Kind = Literal["label", "adjudicate", "correct"]


class _Sent(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int = Field(description="State that the sender has seen.")


class SentLabel(_Sent):
    """A label as the page sends it."""

    key: str
    verdict: str
    reason: str = ""
    citations: list[str] = []
    flag: str | None = None
    seconds: float | None = None


class SentMarks(_Sent):
    """That nothing exists of a group."""

    key: str = Field(description="The group.")
    reason: str
    count: int = Field(description="Leaves that the sender has confirmed.")


class SentUndo(_Sent):
    """That the last change shall be taken back."""


class StaleError(UsageError):
    """The sender has not seen the last change, or means another number of leaves."""

    default_code = "E025"


@dataclass
class Desk:
    """One person at work.

    Attributes:
        kind: Blind labels, decisions between others' labels, or corrections of a judge.
        name: Who it is.
        task: Name of the task.
        submission: Name of the submission.
        rubric: The rubric; no weight of it leaves the desk.
        leaves: What is to be labelled, in the order of the tree.
        book: Where labels go.
        texts: What there is to read.
        paper: What the task says.
        said: What others say of a leaf, where that may be seen: opinions by letter, or the judge's.
    """

    kind: Kind
    name: str
    task: str
    submission: str
    rubric: Rubric
    leaves: Sequence[str]
    book: Book
    texts: Texts
    paper: Paper
    said: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    version: int = 0
    _steps: list[dict[str, Label | None]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._labels = dict(self.book.labels.labels)

    def put(self, sent: SentLabel) -> dict[str, Any]:
        """Keep one label; it is on the disk when this comes back.

        Raises:
            StaleError: Something changed that the sender has not seen.
            UsageError: It is of no leaf that is labelled here, or cites what is not there.
            pydantic.ValidationError: It is no label.
            LabelsError: It lacks a reason.
            StorageError: It cannot be written.
        """
        if sent.key not in self.leaves:
            raise UsageError(f"{sent.key!r} is not to be labelled here")
        said = sent.model_dump(exclude={"version", "key"})
        label = Label.model_validate(said | {"flag": (sent.flag or "").strip() or None})
        for citation in label.citations:
            self._require_place(citation.path, citation.start_line, citation.end_line)
        with self._lock:
            return self._change(sent.version, {sent.key: label})

    def mark(self, sent: SentMarks) -> dict[str, Any]:
        """Call all leaves below a group not met that have no label yet.

        Raises:
            StaleError: Something changed that the sender has not seen.
            UsageError: There is no such group.
            LabelsError: It lacks a reason.
            StorageError: It cannot be written.
        """
        if sent.key not in self.rubric:
            raise UsageError(f"no criterion {sent.key!r}")
        with self._lock:
            below = [
                key
                for key in self.leaves
                if key not in self._labels and sent.key in self.rubric.path(key)
            ]
            if len(below) != sent.count:
                raise StaleError(f"{len(below)} leaves below have no label, not {sent.count}")
            label = Label(verdict="not_met", reason=sent.reason)
            return self._change(sent.version, dict.fromkeys(below, label))

    def undo(self, sent: SentUndo) -> dict[str, Any]:
        """Take the last change back that was made since the server was started.

        Raises:
            StaleError: Something changed that the sender has not seen.
            UsageError: There is none.
            StorageError: It cannot be written.
        """
        with self._lock:
            self._require_current(sent.version)
            if not self._steps:
                raise UsageError("nothing to undo since this was started")
            before = self._steps[-1]
            try:
                self.book.restore(before)
            except RubricEngineError:
                if any(self.book.labels.labels.get(key) != self._labels.get(key) for key in before):
                    self._steps.pop()
                    self._changed(list(before))
                raise
            self._steps.pop()
            return self._changed(list(before))

    def _change(self, version: int, labels: Mapping[str, Label]) -> dict[str, Any]:
        self._require_current(version)
        before = {key: self._labels.get(key) for key in labels}
        try:
            self.book.put(labels)
        except RubricEngineError:
            self._take_stock(before)
            raise
        self._steps.append(before)
        return self._changed(list(labels))

    def _take_stock(self, before: dict[str, Label | None]) -> None:
        """Know what was kept although the change failed, as where gold could not be renewed.

        The page has not seen it, so its next change is refused until it is loaded again.
        """
        now = self.book.labels.labels
        if any(now.get(key) != label for key, label in before.items()):
            self._steps.append(before)
            self._changed(list(before))

    def _changed(self, keys: list[str]) -> dict[str, Any]:
        self._labels = dict(self.book.labels.labels)
        self.version += 1
        known = {key: self._labels.get(key) for key in keys}
        labels = {key: label and shown_label(label) for key, label in known.items()}
        return {"version": self.version, "undo": len(self._steps), "labels": labels}

    def _require_current(self, version: int) -> None:
        if version != self.version:
            raise StaleError("another window has labelled in between; load this page again")

    def _require_place(self, path: str, first: int | None, last: int | None) -> None:
        known = self.texts.last_line(path)
        if known is None or not (first or 1) <= (last or first or 1) <= max(known, 1):
            raise UsageError(f"no such place: {path}:{first}-{last}")

    @property
    def state(self) -> dict[str, Any]:
        """All that the page shows at first, as plain values: no weight, score or other label."""
        shown = {key for leaf in self.leaves for key in self.rubric.path(leaf)}
        keys = [key for key in self.rubric.order if key in shown]
        index = {key: at for at, key in enumerate(keys)}
        labels = {key: self._labels[key] for key in self.leaves if key in self._labels}
        return {
            "desk": 1,
            "kind": self.kind,
            "name": self.name,
            "task": self.task,
            "submission": self.submission,
            "version": self.version,
            "undo": len(self._steps),
            "nodes": [
                {
                    "key": key,
                    "parent": index.get(self.rubric.parent(key) or "", -1),
                    "requirements": self.rubric[key].requirements,
                }
                for key in keys
            ],
            "leaves": [
                {
                    "node": index[key],
                    "category": self.rubric[key].task_category or "",
                    "question": self.rubric.category_of(key).question,
                    "place": self.rubric[key].paper_ref,
                    "said": self.said.get(key),
                }
                for key in self.leaves
            ],
            "labels": {key: shown_label(label) for key, label in labels.items()},
            "files": self.texts.listed,
            "sections": [section.title for section in self.paper.sections],
        }


def shown_label(label: Label) -> dict[str, Any]:
    """Of a label what its own author sees.

    Args:
        label: The label.
    """
    return {
        "verdict": label.verdict,
        "reason": label.reason,
        "citations": [str(citation) for citation in label.citations],
        "flag": label.flag,
    }
