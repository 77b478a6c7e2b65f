"""What one person labels and has said: the state behind the page, one change at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from rubric_engine.errors import RubricEngineError, UsageError
from rubric_engine.judgeeval.labelling.book import Book
from rubric_engine.judgeeval.labelling.following import NextStep
from rubric_engine.labels import Label
from rubric_engine.rubric import Rubric
from rubric_engine.web.labelling.beginning import Beginning
from rubric_engine.web.labelling.change import Change, told
from rubric_engine.web.labelling.reader import Reader
from rubric_engine.web.labelling.sections import Paper
from rubric_engine.web.labelling.sent import SentLabel, SentMarks, SentUndo
from rubric_engine.web.labelling.shown import shown_label, shown_tree

Kind = Literal["label", "adjudicate", "correct"]


class StaleError(UsageError):
    """The sender has not seen the last change, or means another number of leaves."""

    default_code = "E025"


def _no_news() -> None:
    return None


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
        reader: What there is to read.
        paper: What the task says.
        said: What others say of a leaf, where that may be seen: opinions by letter, or the judge's.
        lacking: What cannot be seen of a run, and what brings it.
        news: Gives leaves anew with what is said of them; None where nothing has changed.
        following: Gives what comes next, once all leaves have a label.
    """

    kind: Kind
    name: str
    task: str
    submission: str
    rubric: Rubric
    leaves: Sequence[str]
    book: Book
    reader: Reader
    paper: Paper
    said: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lacking: tuple[tuple[str, str], ...] = ()
    news: Callable[[], Mapping[str, Mapping[str, Any]] | None] = _no_news
    following: Callable[[], Sequence[NextStep]] = tuple
    version: int = 0
    edition: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: Change | None = None

    def __post_init__(self) -> None:
        self._labels = self.book.labels.labels
        self._own = frozenset(self.leaves)
        own = ({key: was for key, was in step.items() if key in self._own}
               for step in self.book.steps)  # fmt: skip
        self._steps = [step for step in own if step]
        self.beginning = Beginning(self.reader.texts)

    def has(self, key: str) -> bool:
        """Whether a leaf is labelled here."""
        return key in self._own

    def put(self, sent: SentLabel) -> dict[str, Any]:
        """Keep one label; it is on the disk when this comes back.

        Raises:
            StaleError: Something changed that the sender has not seen.
            UsageError: It is of no leaf that is labelled here, or cites what is not there.
            pydantic.ValidationError: It is no label.
            LabelsError: It lacks a reason.
            StorageError: It cannot be written.
        """
        if not self.has(sent.key):
            raise UsageError(f"{sent.key!r} is not to be labelled here")
        said = sent.model_dump(exclude={"version", "key"})
        label = Label.model_validate(said | {"flag": (sent.flag or "").strip() or None})
        missing = self.reader.texts.missing(label.citations)
        if missing is not None:
            raise UsageError(f"no such place: {missing}")
        with self._turn():
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
        with self._turn():
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
        """Take the last change back that stands, also one of an earlier day.

        Raises:
            StaleError: Something changed that the sender has not seen.
            UsageError: There is none.
            StorageError: It cannot be written.
        """
        with self._turn():
            self._require_current(sent.version)
            if not self._steps:
                raise UsageError("nothing to undo: your record has no earlier change")
            before = self._steps[-1]
            return self._make(Change(before, undoes=True), lambda: self.book.restore(before))

    def look(self) -> dict[str, Any]:
        """Take in which leaves wait now, and tell how often that has changed.

        Raises:
            LabelsError: A record of the labelling is damaged.
        """
        with self._lock:
            said = self.news()
            if said is not None and (list(said), said) != (list(self.leaves), self.said):
                self.leaves, self._own, self.said = tuple(said), frozenset(said), said
                self.edition += 1
            return {"edition": self.edition}

    def what_next(self) -> dict[str, Any]:
        """What comes next in this work, as plain values.

        Raises:
            LabelsError: A record of the labelling is damaged.
        """
        return {"steps": [asdict(step) for step in self.following()]}

    def _change(self, version: int, labels: Mapping[str, Label]) -> dict[str, Any]:
        self._require_current(version)
        before = {key: self._labels.get(key) for key in labels}
        return self._make(Change(before), lambda: self.book.put(labels))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """One change at a time, and first what became of the one before."""
        with self._lock:
            self._take_stock()
            yield

    def _make(self, change: Change, write: Callable[[], None]) -> dict[str, Any]:
        self._open = change
        try:
            write()
            change.is_kept = True
            self._take_stock()
        except (RubricEngineError, OSError) as error:
            is_written = change.is_kept
            with suppress(RubricEngineError, OSError):
                self._take_stock()
            is_known = is_written or self._open is None
            raise told(error, change, is_written=is_written, is_known=is_known) from None
        known = {key: self._labels.get(key) for key in change.before}
        labels = {key: label and shown_label(label) for key, label in known.items()}
        return {"version": self.version, "undo": len(self._steps), "labels": labels}

    def _take_stock(self) -> None:
        """Know what was kept of a change, also of one that failed, as where gold was not renewed.

        A page that has not seen it is refused its next change until it has. Where the record cannot
        be read at the moment, this is done before the next change.
        """
        change = self._open
        if change is None:
            return
        now = self.book.labels.labels
        self._open = None
        change.is_kept |= any(now.get(key) != self._labels.get(key) for key in change.before)
        if change.is_kept:
            if change.undoes:
                self._steps.pop()
            else:
                self._steps.append(change.before)
            self._labels = now
            self.version += 1

    def _require_current(self, version: int) -> None:
        if version != self.version:
            raise StaleError("another window has labelled in between: look again, then save again")

    @property
    def state(self) -> dict[str, Any]:
        """All that the page shows at first, as plain values: no weight, score or other label."""
        with self._turn():
            labels = {key: self._labels[key] for key in self.leaves if key in self._labels}
            return {
                "desk": 1,
                "kind": self.kind,
                "name": self.name,
                "task": self.task,
                "submission": self.submission,
                "version": self.version,
                "edition": self.edition,
                "undo": len(self._steps),
                **shown_tree(self.rubric, self.leaves, self.said),
                "labels": {key: shown_label(label) for key, label in labels.items()},
                "files": self.reader.listed,
                "opens": self.beginning.first,
                "lacking": [{"what": what, "how": how} for what, how in self.lacking],
                "sections": [section.title for section in self.paper.sections],
            }
