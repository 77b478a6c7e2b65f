"""`rubric-engine grade`: the main thing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.failure import EXIT_GATE, EXIT_INCOMPLETE

if TYPE_CHECKING:
    from rubric_engine.case import Submission, Task
    from rubric_engine.isolation import Execution
    from rubric_engine.result import Report

_SELECTION = "What is graded"
_RUN = "Running reproduce.sh"
_OUTPUT = "Output and gates"


def grade(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    task: Annotated[
        str | None,
        typer.Option(
            help="Task: a folder, or a name such as heavy-ball.", rich_help_panel=_SELECTION
        ),
    ] = None,
    rubric: Annotated[
        Path | None, typer.Option(help="Rubric, in place of a task.", rich_help_panel=_SELECTION)
    ] = None,
    paper: Annotated[
        Path | None, typer.Option(help="Text of the paper.", rich_help_panel=_SELECTION)
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Judge: a card's path, or a name.", rich_help_panel=_SELECTION)
    ] = "rules",
    labels: Annotated[
        Path | None,
        typer.Option(help="Replay these labels as grades.", rich_help_panel=_SELECTION),
    ] = None,
    category: Annotated[
        str | None, typer.Option(help="Only leaves of this category.", rich_help_panel=_SELECTION)
    ] = None,
    allow_empty: Annotated[
        bool,
        typer.Option(
            "--allow-empty", help="Grade even an empty submission.", rich_help_panel=_SELECTION
        ),
    ] = False,
    sandbox: Annotated[
        str, typer.Option(help="none, or local: run it here, NOT isolated.", rich_help_panel=_RUN)
    ] = "none",
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds that the run may take.", rich_help_panel=_RUN)
    ] = None,
    executed: Annotated[
        bool,
        typer.Option("--executed", help="The submission was run elsewhere.", rich_help_panel=_RUN),
    ] = False,
    log: Annotated[
        Path | None, typer.Option(help="Log of that run, with --executed.", rich_help_panel=_RUN)
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(help="Folder for runs, ./runs by default.", rich_help_panel=_OUTPUT),
    ] = None,
    paperbench: Annotated[
        Path | None,
        typer.Option(
            help="Also write PaperBench's grader_output.json here.", rich_help_panel=_OUTPUT
        ),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            help="Exit 1 if the score may be under this percentage.", rich_help_panel=_OUTPUT
        ),
    ] = None,
    min_coverage: Annotated[
        float | None,
        typer.Option(
            help="Exit 1 if less than this percentage is graded.", rich_help_panel=_OUTPUT
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print one line.", rich_help_panel=_OUTPUT)
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document.", rich_help_panel=_OUTPUT)
    ] = False,
) -> int:
    """Grade a submission and print where its points went."""
    from rubric_engine import engine
    from rubric_engine.cli.output import note
    from rubric_engine.cli.places import find_task, runs_folder
    from rubric_engine.isolation import Limits
    from rubric_engine.rundir import new_run_name
    from rubric_engine.sandbox import load_sandbox
    from rubric_engine.submission import load_submission

    _check_flags(sandbox, executed=executed, log=log, labels=labels, judge=judge)
    found = _view(find_task(submission, task=task, rubric=rubric, paper=paper), category)
    handed_in = load_submission(submission, skip=found.skip, allow_empty=allow_empty)
    execution = _declared(found, handed_in, log) if executed else None
    box = None if sandbox == "none" else load_sandbox(sandbox)
    grader = _judge(judge, labels, found, submission)
    if not (quiet or as_json):
        _announce(found, str(submission), handed_in, grader.card)
    if box is not None and not box.isolates:
        note(f"warning: {getattr(box, 'warning', 'this sandbox does not isolate')}")
    report = engine.grade(
        found,
        handed_in,
        judge=grader,
        sandbox=box,
        limits=Limits(time=time_limit) if time_limit is not None else None,
        run_dir=runs_folder(runs, submission) / new_run_name(found.name),
        execution=execution,
    )
    if paperbench is not None:
        _write(paperbench, report.to_paperbench())
    code = exit_code(report, fail_under=fail_under, min_coverage=min_coverage)
    _print(report, code, quiet=quiet, as_json=as_json)
    return code


def _check_flags(
    sandbox: str, *, executed: bool, log: Path | None, labels: Path | None, judge: str
) -> None:
    from rubric_engine.errors import UsageError

    if executed and sandbox != "none":
        raise UsageError("--executed says that it was run already; leave --sandbox out")
    if log is not None and not executed:
        raise UsageError("--log goes with --executed")
    if labels is not None and judge not in ("rules", "labels"):
        raise UsageError("--labels is a judge of its own; leave --judge out")


def _view(task: Task, category: str | None) -> Task:
    """The task, or the part of it in one category, whose mode then says so."""
    if category is None:
        return task
    from dataclasses import replace

    from rubric_engine.cli.places import exact_category

    category = exact_category(task.rubric, category)
    rubric = task.rubric.subset(category=category)
    return replace(task, rubric=rubric, mode=f"{task.mode}, {category} only")


def _declared(task: Task, submission: Submission, log: Path | None) -> Execution:
    from rubric_engine.declared import declared_execution

    return declared_execution(submission, outputs=task.outputs, log=log)


def _judge(name: str, labels: Path | None, task: Task, submission: Path) -> Any:
    from rubric_engine.judges import LabelJudge, load_judge

    if labels is not None:
        from rubric_engine.labels import load_labels

        return LabelJudge(load_labels(labels, task.rubric).grades())
    return load_judge(name, untrusted=submission)


def _announce(task: Task, path: str, submission: Submission, card: Any) -> None:
    from rubric_engine.cli.output import note, printable

    files = submission.files
    size = sum(file.size for file in files)
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    note(
        f"task        {printable(task.name)}, {len(task.rubric.leaves())} leaves   "
        f"sha {task.rubric.sha256[:8]}"
    )
    note(
        f"submission  {printable(path)}, {len(files)} files, {size:,} bytes{skipped}   "
        f"sha {files.sha256[:8]}"
    )
    note(f"judge       {printable(card.name)}   sha {card.fingerprint[:8]}")


def _write(path: Path, text: str) -> None:
    from rubric_engine.rundir import storing

    with storing(path):
        path.write_text(text, encoding="utf-8")


def exit_code(
    report: Report, *, fail_under: float | None = None, min_coverage: float | None = None
) -> int:
    """Exit code of a finished grading; gates are percentages.

    Args:
        report: The report.
        fail_under: Gate on the low end of the score's range.
        min_coverage: Gate on the coverage.
    """
    if report.failed:
        return EXIT_INCOMPLETE
    low = report.score.low or 0.0
    too_low = fail_under is not None and 100 * low < fail_under
    too_thin = min_coverage is not None and 100 * report.score.coverage < min_coverage
    return EXIT_GATE if too_low or too_thin else 0


def _print(report: Report, code: int, *, quiet: bool, as_json: bool) -> None:
    from rubric_engine.cli import summary
    from rubric_engine.cli.output import percent, print_json

    if as_json:
        print_json(document(report, code))
    elif quiet:
        typer.echo(f"{percent(report.score.value)} {report.run}")
    else:
        summary.print_summary(report, code)


def document(report: Report, code: int) -> dict[str, Any]:
    """The one JSON document of a grading."""
    run = report.run or ""
    facts = report.provenance
    return {
        "ok": code == 0,
        "score": report.score.model_dump(include={"value", "low", "high", "coverage"}),
        "categories": report.category_rows(),
        "leaves": dict(report.statuses),
        "reasons": dict(report.reasons),
        "run": report.run,
        "files": {name: f"{run}/{name}" for name in ("report.json", "grades.jsonl", "log.txt")},
        "hashes": {
            "rubric": facts.get("rubric_sha256"),
            "paper": facts.get("paper_sha256"),
            "submission": facts.get("submission_sha256"),
            "judge": facts.get("judge", {}).get("fingerprint"),
        },
        "mode": facts.get("mode"),
        "disqualified": report.disqualified,
        "warnings": [notice._asdict() for notice in report.notices],
        "exit_code": code,
    }
