"""Which desk `label serve` opens: an annotator's, an adjudicator's, or that of who corrects."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rubric_engine.case import Case
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.web.labelling.desk import Desk


def case_of(
    submission: Path, task: str | None, rubric: Path | None, *, executed: bool, log: Path | None
) -> Case:
    """What there is to read of a submission.

    Args:
        submission: Path of the submission.
        task: Value of `--task`.
        rubric: Value of `--rubric`.
        executed: Value of `--executed`.
        log: Value of `--log`.
    """
    from rubric_engine.case import Case
    from rubric_engine.cli.inputs import check_flags, take_in
    from rubric_engine.cli.locate import find_task

    check_flags("auto", executed=executed, log=log, labels=None, judge="labels")
    found = find_task(submission, task=task, rubric=rubric, paper=None)
    taken = take_in(submission, found, log, executed=executed, allow_empty=False)
    return Case(found, *taken)


def planned(
    case: Case, submission: Path, name: str, plan: Path | None, *, adjudicate: bool
) -> Desk:
    """The desk of an annotator or adjudicator; where there is no plan, one is made for one alone.

    Args:
        case: What there is to read.
        submission: Path of the submission.
        name: Who labels or decides.
        plan: Value of `--plan`.
        adjudicate: Value of `--adjudicate`.

    Raises:
        UsageError: The name has no such part in the labelling.
        LabelsError: The plan is missing, damaged, or of something else.
        StorageError: It cannot be written.
    """
    from rubric_engine.cli.label_gold import require_other
    from rubric_engine.cli.label_part import require_part
    from rubric_engine.cli.label_plan import usual_folder
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.judgeeval.labelling.layout import PLAN
    from rubric_engine.web.labelling.opening import blind_desk, deciding_desk

    path = plan or usual_folder(case.task.name, submission)
    is_new = plan is None and not adjudicate and not (path / PLAN).exists()
    folder = _made(path, case, submission, name) if is_new else LabelFolder(path)
    _require_fit(folder, case)
    if adjudicate:
        require_other(folder, name)
        return deciding_desk(folder, name, case)
    require_part(folder, name, serve=True)
    return blind_desk(folder, name, case)


def _made(path: Path, case: Case, submission: Path, name: str) -> LabelFolder:
    """A labelling of all leaves for one person, where there is none yet."""
    from rubric_engine.cli.label_plan import make_labelling
    from rubric_engine.cli.output import leaves, note, printable
    from rubric_engine.judgeeval.labelling.layout import annotator_name

    names = (annotator_name(name),)
    folder = make_labelling(path, submission, case.task, case.submission, names)
    note(
        f"no plan was here: {printable(str(path))} has all {leaves(len(folder.plan.leaves))} for "
        f"{name}; `label assign` deals them out to several"
    )
    return folder


def _require_fit(folder: LabelFolder, case: Case) -> None:
    """Refuse to show another submission or rubric than the one that was planned for."""
    from rubric_engine.errors import LabelsError

    known, plan = case.submission.files.sha256, folder.plan
    if known == plan.submission_sha256 and case.task.rubric.sha256 == plan.rubric_sha256:
        return
    what = "submission" if known != plan.submission_sha256 else "rubric"
    raise LabelsError(
        f"the plan in {folder.path} is of another {what}",
        code="E559",
        looked=[f"the plan: {plan.mark}, rubric {plan.rubric_sha256[:12]}",
                f"given:    {known[:12]}, rubric {case.task.rubric.sha256[:12]}"],
        fix=["--plan DIR   with the folder that is theirs",
             f"rubric-engine label assign {shlex.quote(case.submission.name)} --annotators NAMES "
             "-o DIR   plans anew"],
    )  # fmt: skip


def correcting(run: str, name: str, runs: Path | None) -> Desk:
    """The desk of who corrects the judge of a run.

    Args:
        run: Value of `--run`.
        name: Who corrects.
        runs: Value of `--runs`.

    Raises:
        RunError: There is no such run, or it is damaged.
    """
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.judgeeval.labelling.book import corrections_of
    from rubric_engine.runs import find_run, load_report
    from rubric_engine.web.kept_case import kept_case
    from rubric_engine.web.labelling.opening import correcting_desk

    path = find_run(run, run_bases(runs))
    report = load_report(path)
    corrections = corrections_of(path.resolve().name, name)
    return correcting_desk(report, kept_case(path, report.rubric), name, corrections)
