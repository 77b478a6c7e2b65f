"""`rubric-engine label serve`: a page on which one person labels."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rubric_engine.cli.serving import Host, NoOpen, Port, TokenFile

if TYPE_CHECKING:
    from rubric_engine.case import Case
    from rubric_engine.judgeeval.labelling.folder import LabelFolder
    from rubric_engine.web.labelling.desk import Desk

PORT = 8408
"""Taken where no other is given and it is free."""


def serve(
    name: Annotated[str, typer.Option("--as", help="Who labels.")],
    submission: Annotated[
        Path | None, typer.Argument(help="Folder or tar of the submission.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Task: a name or a folder.")] = None,
    rubric: Annotated[Path | None, typer.Option(help="Rubric, in place of a task.")] = None,
    plan: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the labels, of `assign`.")
    ] = None,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide what others disagree on.")
    ] = False,
    run: Annotated[
        str | None, typer.Option(help="Correct a run's judge; such labels are not blind.")
    ] = None,
    executed: Annotated[
        bool, typer.Option("--executed", help="The submission was run already.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Log of that run, with --executed.")] = None,
    runs: Annotated[Path | None, typer.Option(help="Folder of runs.")] = None,
    port: Port = None,
    host: Host = "127.0.0.1",
    token_file: TokenFile = None,
    no_open: NoOpen = False,
) -> int:
    """Label in the browser, one leaf at a time, blind."""
    from rubric_engine.cli.serving import open_page, require_web

    require_web()
    from rubric_engine.web.labelling.app import label_app
    from rubric_engine.web.serving import Ending

    of_a_submission = task or rubric or plan or log or executed or adjudicate
    _require_one(submission, run, narrowed=bool(of_a_submission))
    if run is not None:
        desk = _correcting(run, name, runs)
    else:
        assert submission is not None
        case = _case(submission, task, rubric, executed=executed, log=log)
        desk = _planned(case, submission, name, plan, adjudicate=adjudicate)
    with desk.book.held():
        _tell(desk)
        open_page(
            label_app(desk),
            Ending(),
            host=host,
            port=port,
            usual=PORT,
            token_file=token_file,
            no_open=no_open,
        )
    return 0


def _require_one(submission: Path | None, run: str | None, *, narrowed: bool) -> None:
    from rubric_engine.errors import UsageError

    if (submission is None) == (run is None):
        raise UsageError(
            "give a submission, or --run RUN to correct a judge",
            fix=["rubric-engine label serve SUBMISSION --task TASK --as NAME"],
        )
    if run is not None and narrowed:
        raise UsageError(
            "--run takes all from the run; what is said of a submission does not go with it",
            fix=["rubric-engine label serve --run RUN --as NAME"],
        )


def _case(
    submission: Path, task: str | None, rubric: Path | None, *, executed: bool, log: Path | None
) -> Case:
    from rubric_engine.case import Case
    from rubric_engine.cli.inputs import check_flags, take_in
    from rubric_engine.cli.locate import find_task

    check_flags("auto", executed=executed, log=log, labels=None, judge="labels")
    found = find_task(submission, task=task, rubric=rubric, paper=None)
    taken = take_in(submission, found, log, executed=executed, allow_empty=False)
    return Case(found, *taken)


def _planned(
    case: Case, submission: Path, name: str, plan: Path | None, *, adjudicate: bool
) -> Desk:
    from rubric_engine.cli.label import require_part
    from rubric_engine.cli.label_gold import require_other
    from rubric_engine.cli.label_plan import usual_folder
    from rubric_engine.judgeeval.labelling.folder import PLAN, LabelFolder
    from rubric_engine.web.labelling.opening import blind_desk, deciding_desk

    path = plan or usual_folder(case.task.name, submission)
    is_new = plan is None and not adjudicate and not (path / PLAN).exists()
    folder = _made(path, case, submission, name) if is_new else LabelFolder(path)
    _require_fit(folder, case)
    if adjudicate:
        require_other(folder, name)
        return deciding_desk(folder, name, case)
    require_part(folder, name, adjudicators=False)
    return blind_desk(folder, name, case)


def _made(path: Path, case: Case, submission: Path, name: str) -> LabelFolder:
    """A labelling of all leaves for one person, where there is none yet."""
    from rubric_engine.cli.label_plan import make_labelling
    from rubric_engine.cli.output import leaves, note, printable
    from rubric_engine.judgeeval.labelling.folder import annotator_name

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


def _correcting(run: str, name: str, runs: Path | None) -> Desk:
    from rubric_engine.cli.locate import run_bases
    from rubric_engine.judgeeval.labelling.book import corrections_of
    from rubric_engine.runs import find_run, load_report
    from rubric_engine.web.kept_case import kept_case
    from rubric_engine.web.labelling.opening import correcting_desk

    path = find_run(run, run_bases(runs))
    report = load_report(path)
    corrections = corrections_of(path.resolve().name, name)
    return correcting_desk(report, kept_case(path, report.rubric), name, corrections)


def _tell(desk: Desk) -> None:
    """Say what waits, and where labels go."""
    from rubric_engine.cli.output import leaves, note, printable

    done = sum(key in desk.book.labels.labels for key in desk.leaves)
    kinds = {"label": "to label", "adjudicate": "to decide", "correct": "to look at"}
    note(f"{leaves(len(desk.leaves))} {kinds[desk.kind]}, {done} done, for {printable(desk.name)}")
    if desk.kind == "correct":
        note('warning: the judge\'s verdicts are in sight: labels are kept with "blind": false')
