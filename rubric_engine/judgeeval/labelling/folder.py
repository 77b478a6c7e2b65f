"""The folder of one labelling, beside a submission and never inside it."""

from __future__ import annotations

import fcntl
import shlex
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import LabelsError, UsageError
from rubric_engine.judgeeval.labelling.gold import Agreements, Gold, gold_of
from rubric_engine.judgeeval.labelling.gold_text import GoldText
from rubric_engine.judgeeval.labelling.layout import (
    ADJUDICATE,
    GOLD,
    PLAN,
    RUBRIC,
    TODO,
    annotator_name,
)
from rubric_engine.judgeeval.labelling.planning import LabelPlan
from rubric_engine.judgeeval.labelling.record import Record
from rubric_engine.judgeeval.labelling.remembered import Remembered
from rubric_engine.judgeeval.labelling.work import Row, refilled, todo
from rubric_engine.labels import Labels, leaf_hashes
from rubric_engine.labels.lines import json_line, object_lines
from rubric_engine.lookup import inside
from rubric_engine.replacing import replace_text
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import dump_rubric, load_rubric
from rubric_engine.rubric_file.models import plain_message
from rubric_engine.rundir import storing

ASSIGN = "rubric-engine label assign SUBMISSION --task TASK --annotators a1,a2"
"""The command that makes one."""


class LabelFolder:
    """One labelling.

    Args:
        path: The folder; it holds a plan.

    Raises:
        LabelsError: It holds no plan, or one that cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.plan = LabelPlan.model_validate_json((path / PLAN).read_bytes())
        except OSError as error:
            why = f"{path} holds no plan of labels: {error.strerror}"
            raise LabelsError(why, code="E505", looked=[str(path / PLAN)], fix=[ASSIGN]) from None
        except ValidationError as error:
            raise _damaged(path / PLAN, _first(error)) from None
        for name in self.plan.annotators:
            annotator_name(name)
        self._remembered: dict[str, Remembered] = {}
        self._fitting: dict[str, Labels] = {}
        self._agreements = Agreements()
        self._gold_text = GoldText()

    @classmethod
    def make(cls, path: Path, plan: LabelPlan, rubric: Rubric, *, outside: Path) -> LabelFolder:
        """Make a folder with a work file for each annotator.

        The plan comes last: without it the folder is no labelling yet, and can be made again.

        Args:
            path: The folder.
            plan: Its plan.
            rubric: The rubric.
            outside: The submission, which may read nothing of it.

        Raises:
            UsageError: The folder lies in the submission.
            LabelsError: It holds a plan already.
            StorageError: It cannot be written.
        """
        if inside(path, outside):
            raise UsageError(
                f"{path} lies in the submission, where judges read; labels must not",
                fix=["-o ANOTHER/FOLDER"],
            )
        if (path / PLAN).exists():
            held = cls(path).plan
            raise LabelsError(
                f"{path} holds a plan already, and perhaps labels",
                code="E557",
                looked=[
                    f"its plan: {len(held.leaves)} leaves of {held.mark}, for "
                    + ", ".join(held.annotators)
                ],
                fix=[f"rubric-engine label status {shlex.quote(str(path))}", "-o ANOTHER/FOLDER"],
            )
        with storing(path, "name another place with -o DIR"):
            path.mkdir(parents=True, exist_ok=True)
        dump_rubric(rubric, path / RUBRIC)
        for name in plan.annotators:
            file = path / f"{TODO}{annotator_name(name)}.jsonl"
            _write_work(file, todo(rubric, plan, name))
        replace_text(path / PLAN, plan.model_dump_json(indent=1) + "\n")
        return cls(path)

    @cached_property
    def rubric(self) -> Rubric:
        """The rubric as it was when the plan was made.

        Raises:
            LabelsError: It is another one than the plan's, or has other leaves.
        """
        file = self.path / RUBRIC
        found = load_rubric(file)
        if found.sha256 != self.plan.rubric_sha256:
            raise _damaged(file, "it is not the rubric that the plan was made for")
        hashes = leaf_hashes(found)
        strange = [leaf.key for leaf in self.plan.leaves if hashes.get(leaf.key) != leaf.leaf]
        if strange:
            raise _damaged(self.path / PLAN, f"the text of {strange[0]!r} is not its rubric's")
        return found

    @property
    def adjudicators(self) -> tuple[str, ...]:
        """Who was given leaves to decide, by name."""
        found = sorted(self.path.glob(f"{ADJUDICATE}*.jsonl"))
        return tuple(path.stem.removeprefix(ADJUDICATE) for path in found)

    def labels_of(self, name: str) -> Labels:
        """The labels of an annotator or adjudicator; none where nothing was imported yet.

        Raises:
            LabelsError: The file is damaged, or a label is of another text than the plan's.
        """
        return self.fitting(self.record(name))

    def fitting(self, record: Record) -> Labels:
        """The labels of a record of this labelling; raises as `labels_of`."""
        labels = record.labels
        if self._fitting.get(record.name) is labels:
            return labels
        hashes = {leaf.key: leaf.leaf for leaf in self.plan.leaves}
        strange = [
            key
            for key, row in labels.labels.items()
            if hashes.get(key) != row.leaf or not row.is_of(self.plan.submission_sha256)
        ]
        if strange:
            raise LabelsError(
                f"{record.path} labels {len(strange)} leaves that are not the plan's, the first "
                f"{strange[0]!r}",
                code="E506",
                fix=[
                    f"rubric-engine label import FILE --as {record.name}   moves labels by "
                    "their text"
                ],
            )
        self._fitting[record.name] = labels
        return labels

    def all_labels(self) -> dict[str, Labels]:
        """The labels of every annotator, by name in the plan's order."""
        return {name: self.labels_of(name) for name in self.plan.annotators}

    def decisions(self) -> list[Labels]:
        """The decisions of every adjudicator."""
        return [self.labels_of(name) for name in self.adjudicators]

    def record(self, name: str) -> Record:
        """What somebody has said."""
        path = self.path / f"{annotator_name(name)}.jsonl"
        return Record(path, name, self._remembered.setdefault(name, Remembered(path, name)))

    def renew_gold(self) -> Gold:
        """Put gold together anew and keep it; it follows from the labels, and is nobody's own.

        Raises:
            StorageError: It cannot be written.
        """
        with storing(self.path), (self.path / PLAN).open("r+b") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)  # else who read earlier might write later
            gold = gold_of(self.plan, self.all_labels(), self.decisions(), self._agreements)
            replace_text(self.path / GOLD, self._gold_text.of(gold))
        return gold

    def write_disputes(self, name: str, rows: Iterable[Row]) -> Path:
        """Write what an adjudicator is to decide; what was filled in stays as it is.

        Raises:
            LabelsError: The file that is there cannot be read.
            StorageError: It cannot be written.
        """
        path = self.path / f"{ADJUDICATE}{annotator_name(name)}.jsonl"
        _write_work(path, rows)
        return path


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    text = plain_message(first["type"], first["msg"])
    return f"{where}: {text}" if where else text


def _damaged(file: Path, why: str) -> LabelsError:
    return LabelsError(
        f"{file} is damaged: {why}",
        code="E552",
        fix=["put the file back as it was, or plan anew in another folder:", ASSIGN],
    )


def _write_work(path: Path, rows: Iterable[Row]) -> None:
    torn: list[str] = []
    before = [row for _, row in object_lines(path, torn)] if path.exists() else []
    if torn:
        raise LabelsError(
            f"the last line of {path} is cut short, and would be lost",
            fix=[f"mend the last line of {path}, or move the file away"],
        )
    replace_text(path, "".join(map(json_line, refilled(rows, before))))
