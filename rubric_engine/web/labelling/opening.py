"""Desks for the three kinds of work, each with what may be seen there and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.book import PlannedBook, correction_book
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.gold import blind_labels
from rubric_engine.judgeeval.labelling.work import disputes
from rubric_engine.result import Report
from rubric_engine.submission_names import called_in
from rubric_engine.web.labelling.desk import Desk
from rubric_engine.web.labelling.sections import Paper
from rubric_engine.web.labelling.texts import Texts


def blind_desk(folder: LabelFolder, name: str, case: Case) -> Desk:
    """An annotator's share of a labelling.

    Args:
        folder: The labelling.
        name: The annotator.
        case: What there is to read.
    """
    return Desk(
        kind="label",
        name=name,
        task=folder.plan.task,
        submission=folder.plan.name,
        rubric=folder.rubric,
        leaves=[leaf.key for leaf in folder.plan.share(name)],
        book=PlannedBook(folder, name),
        texts=Texts(case.submission, case.execution),
        paper=Paper(case.task),
    )


def deciding_desk(folder: LabelFolder, name: str, case: Case) -> Desk:
    """What annotators disagree on or could not judge, and what this adjudicator has decided of it.

    Opinions stand there by letter, without names. Who may decide is listed by a work file, which is
    written as `label adjudicate` does.

    Args:
        folder: The labelling.
        name: The adjudicator.
        case: What there is to read.
    """
    plan, labels = folder.plan, folder.all_labels()
    waiting = folder.renew_gold().disputed
    folder.write_disputes(name, disputes(folder.rubric, plan, waiting, name))
    decided = {key: blind_labels(key, labels) for key in folder.labels_of(name).labels}
    rows = list(disputes(folder.rubric, plan, {**decided, **waiting}, name))
    return Desk(
        kind="adjudicate",
        name=name,
        task=plan.task,
        submission=plan.name,
        rubric=folder.rubric,
        leaves=[row["key"] for row in rows],
        book=PlannedBook(folder, name),
        texts=Texts(case.submission, case.execution),
        paper=Paper(case.task),
        said={row["key"]: row["opinions"] for row in rows},
    )


def correcting_desk(report: Report, case: Case, name: str, path: Path) -> Desk:
    """All leaves of a run with what the judge said of them; whatever is given here is not blind.

    Args:
        report: The run's report.
        case: What there is to read.
        name: Who corrects.
        path: Where corrections go.
    """
    leaves = report.rubric.leaves()
    return Desk(
        kind="correct",
        name=name,
        task=case.task.name,
        submission=called_in(report.provenance),
        rubric=report.rubric,
        leaves=leaves,
        book=correction_book(report, name, path),
        texts=Texts(case.submission, case.execution),
        paper=Paper(case.task),
        said={key: {"judge": _judged(report, key)} for key in leaves},
    )


def _judged(report: Report, key: str) -> dict[str, Any]:
    grade = report.grades.get(key)
    return {
        "verdict": report.verdict(key),
        "reason": grade.explanation if grade else "",
        "citations": [str(citation) for citation in grade.citations] if grade else [],
    }
