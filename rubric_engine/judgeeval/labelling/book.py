"""Where the labels go that somebody gives one by one: into a labelling, or beside a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from rubric_engine.errors import LabelsError, Place, StorageError
from rubric_engine.judgeeval.labelling.finding import BASE
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.history import Step, steps_of
from rubric_engine.judgeeval.labelling.intake import require_reasons, taken_in
from rubric_engine.judgeeval.labelling.layout import annotator_name
from rubric_engine.judgeeval.labelling.record import Record
from rubric_engine.labels import Label, LabelRow, LabelRows, Labels, leaf_hashes, mark_of
from rubric_engine.result import Report
from rubric_engine.rubric import Rubric
from rubric_engine.rundir import storing
from rubric_engine.submission_names import called_in


class Book(Protocol):
    """One person's labels on the leaves of one submission."""

    @property
    def path(self) -> Path:
        """The file that holds them."""
        ...

    @property
    def labels(self) -> Labels:
        """What counts of what was said."""
        ...

    @property
    def steps(self) -> list[Step]:
        """What can be taken back of it, the last change last."""
        ...

    def put(self, labels: Mapping[str, Label]) -> None:
        """Add labels; they are on the disk when this comes back.

        Raises:
            LabelsError: A reason is missing.
            StorageError: They cannot be written.
        """
        ...

    def restore(self, before: Mapping[str, Label | None]) -> None:
        """Let leaves have the labels again that they had, or none; it is added like all else."""
        ...

    def held(self) -> AbstractContextManager[None]:
        """A context in which nobody else writes them; raises a `StorageError` if somebody does."""
        ...


class PlannedBook:
    """An annotator's labels in a labelling, or an adjudicator's decisions.

    Args:
        folder: The labelling.
        name: Who labels or decides.
    """

    def __init__(self, folder: LabelFolder, name: str) -> None:
        self._folder = folder
        self._rubric = folder.rubric
        self._hashes = leaf_hashes(self._rubric)
        self._name = name
        self._record = folder.record(name)

    @property
    def path(self) -> Path:
        """The file that holds them."""
        return self._record.path

    @property
    def labels(self) -> Labels:
        """What counts of what was said."""
        return self._folder.fitting(self._record)

    @property
    def steps(self) -> list[Step]:
        """What can be taken back of it, the last change last."""
        return steps_of(self._record.rows)

    def put(self, labels: Mapping[str, Label]) -> None:
        """Add labels, and put gold together anew."""
        plan = self._folder.plan
        rows = (LabelRow(_PLACE, key, label) for key, label in labels.items())
        intake = taken_in(
            LabelRows(self._name, tuple(rows)),
            plan=plan,
            rubric=self._rubric,
            annotator=self._name,
            others=(*plan.annotators, *self._folder.adjudicators),
            before=self.labels,
            now=_now(),
            hashes=self._hashes,
        )
        self._record.append(intake.new)
        self._renew_gold()

    def restore(self, before: Mapping[str, Label | None]) -> None:
        """Let leaves have the labels again that they had, or none."""
        _restored(self._record, before)
        self._renew_gold()

    def _renew_gold(self) -> None:
        """Put gold together anew; who labels blind is told nothing of what others' records say."""
        try:
            self._folder.renew_gold()
        except LabelsError as error:
            raise LabelsError(
                "this is kept, but gold cannot be put together: a record beside it is damaged",
                code=error.code,
                fix=["rubric-engine label status"],
            ) from None
        except StorageError as error:
            raise StorageError(
                f"this is kept, but gold is not put together: {error.message}",
                code=error.code,
                fix=error.fix,
            ) from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from writing them."""
        with self._record.held():
            yield


class CorrectionBook:
    """What somebody says of a run's leaves with the judge's verdict in sight.

    Args:
        path: The file.
        name: Who says it.
        rubric: The rubric of the run.
        mark: The submission as labels name it.
    """

    def __init__(self, path: Path, name: str, rubric: Rubric, mark: str | None) -> None:
        self._record = Record(path, annotator_name(name))
        self._hashes = leaf_hashes(rubric)
        self._mark = mark

    @property
    def path(self) -> Path:
        """The file that holds them."""
        return self._record.path

    @property
    def labels(self) -> Labels:
        """What counts of what was said."""
        return self._record.labels

    @property
    def steps(self) -> list[Step]:
        """What can be taken back of it, the last change last."""
        return steps_of(self._record.rows)

    def put(self, labels: Mapping[str, Label]) -> None:
        """Add corrections; each says that it was not made blind."""
        given = Labels(annotator=self._record.name, labels=dict(labels))
        require_reasons(given, dict.fromkeys(labels, _PLACE))
        facts = {"blind": False, "time": _now(), "submission": self._mark}
        kept = {
            key: label.model_copy(update={**facts, "leaf": self._hashes[key]})
            for key, label in labels.items()
        }
        self._record.append(kept)

    def restore(self, before: Mapping[str, Label | None]) -> None:
        """Let leaves have the corrections again that they had, or none."""
        _restored(self._record, before)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from writing them."""
        with storing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._record.held():
            yield


def corrections_of(run: str, name: str) -> Path:
    """Where somebody's corrections of a run lie, beside the labellings.

    Args:
        run: Name of the run's folder.
        name: Whose they are.
    """
    return BASE / "corrections" / run / f"{annotator_name(name)}.jsonl"


def correction_book(report: Report, name: str, path: Path) -> CorrectionBook:
    """Where corrections of a run go.

    Args:
        report: The run's report.
        name: Who corrects.
        path: The file.
    """
    sha256 = report.provenance.get("submission_sha256")
    known = Path(called_in(report.provenance)).name
    mark = mark_of(sha256, known) if isinstance(sha256, str) else None
    return CorrectionBook(path, name, report.rubric, mark)


_PLACE = Place("what was given")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _restored(record: Record, before: Mapping[str, Label | None]) -> None:
    if known := {key: label for key, label in before.items() if label is not None}:
        record.append(known)
    if none := [key for key, label in before.items() if label is None]:
        record.take_back(none)
