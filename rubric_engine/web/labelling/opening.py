"""Desks for the three kinds of work, each with what may be seen there and nothing else."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from rubric_engine.case import Case
from rubric_engine.judgeeval.labelling.book import PlannedBook, correction_book
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.judgeeval.labelling.following import NextStep, next_steps
from rubric_engine.judgeeval.labelling.gold import gold_of
from rubric_engine.judgeeval.labelling.work import disputes
from rubric_engine.result import Report
from rubric_engine.submission_names import called_in
from rubric_engine.web.labelling.desk import Desk
from rubric_engine.web.labelling.disputes import Disputes
from rubric_engine.web.labelling.lacking import lacking
from rubric_engine.web.labelling.reader import Reader
from rubric_engine.web.labelling.sections import Paper


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
        reader=Reader(case),
        paper=Paper(case.task),
        lacking=lacking(case),
        following=lambda: next_steps(folder.plan, folder.all_labels(), str(folder.path)),
    )


def deciding_desk(folder: LabelFolder, name: str, case: Case) -> Desk:
    """What annotators disagree on or could not judge, and what this adjudicator has decided of it.

    Opinions stand there by letter, without names. Who may decide is listed by a work file, which is
    written as `label adjudicate` does. Leaves that become ready while the desk is served join it.

    Args:
        folder: The labelling.
        name: The adjudicator.
        case: What there is to read.
    """
    plan = folder.plan
    waiting = folder.renew_gold().disputed
    folder.write_disputes(name, disputes(folder.rubric, plan, waiting, name))
    changing = Disputes(folder, name)
    said = changing.news() or {}
    return Desk(
        kind="adjudicate",
        name=name,
        task=plan.task,
        submission=plan.name,
        rubric=folder.rubric,
        leaves=tuple(said),
        book=PlannedBook(folder, name),
        reader=Reader(case),
        paper=Paper(case.task),
        said=said,
        lacking=lacking(case),
        news=changing.news,
        following=lambda: _what_next(folder),
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
        reader=Reader(case),
        paper=Paper(case.task),
        said={key: {"judge": _judged(report, key)} for key in leaves},
        lacking=lacking(case, of_a_run=True),
        following=lambda: (_beside(report, path),),
    )


def _what_next(folder: LabelFolder) -> tuple[NextStep, ...]:
    """What comes next in a labelling, for who may know where it stands.

    Args:
        folder: The labelling.

    Raises:
        LabelsError: A record is damaged.
    """
    labels = folder.all_labels()
    gold = gold_of(folder.plan, labels, folder.decisions())
    return next_steps(folder.plan, labels, str(folder.path), gold)


def _beside(report: Report, path: Path) -> NextStep:
    words = ["rubric-engine", "report", str(report.run), "--labels", str(path)]
    return NextStep(shlex.join(words), "both beside each other, as a page")


def _judged(report: Report, key: str) -> dict[str, Any]:
    grade = report.grades.get(key)
    return {
        "verdict": report.verdict(key),
        "reason": grade.explanation if grade else "",
        "citations": [str(citation) for citation in grade.citations] if grade else [],
    }
