"""`rubric-engine grade`: the main thing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.failure import EXIT_GATE, EXIT_INCOMPLETE

if TYPE_CHECKING:
    from rubric_engine.case import Task
    from rubric_engine.connection import Spending
    from rubric_engine.isolation import Execution, Limits, Sandbox
    from rubric_engine.judge import Judge
    from rubric_engine.result import Report
    from rubric_engine.submitted import Submission

_WHAT = "What is graded"
_PAY = "Judges that ask a model"
_RUN = "Running reproduce.sh"
_OUTPUT = "Output and gates"


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number")
    return value


def _option(panel: str, help: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def _share(help: str) -> Any:
    return _option(_OUTPUT, help, metavar="PERCENT", min=0, max=100, callback=_finite)


def grade(
    submission: Annotated[Path, typer.Argument(help="Folder or tar of the submission.")],
    task: Annotated[
        str | None, _option(_WHAT, "Task: a folder, or a name such as heavy-ball.")
    ] = None,
    rubric: Annotated[Path | None, _option(_WHAT, "Rubric, in place of a task.")] = None,
    paper: Annotated[Path | None, _option(_WHAT, "Text of the paper.")] = None,
    judge: Annotated[str, _option(_WHAT, "Judge: a card's path, or a name.")] = "rules",
    model: Annotated[
        str | None, _option(_PAY, "Model, in place of the card's.", "--model", "-m")
    ] = None,
    base_url: Annotated[
        str | None, _option(_PAY, "OpenAI-compatible endpoint, in place of the card's.")
    ] = None,
    max_cost: Annotated[
        float | None,
        _option(_PAY, "Hard cap, over all resumes.", metavar="DOLLARS", min=0, callback=_finite),
    ] = None,
    max_tokens: Annotated[
        int | None, _option(_PAY, "Hard cap on tokens, over all resumes.", min=1)
    ] = None,
    fresh: Annotated[bool, _option(_PAY, "Ask again for what was answered.", "--fresh")] = False,
    retry_failed: Annotated[
        bool, _option(_PAY, "Ask again where a call failed.", "--retry-failed")
    ] = False,
    labels: Annotated[Path | None, _option(_WHAT, "Replay these labels as grades.")] = None,
    category: Annotated[str | None, _option(_WHAT, "Only leaves of this category.")] = None,
    allow_empty: Annotated[
        bool, _option(_WHAT, "Grade even an empty submission.", "--allow-empty")
    ] = False,
    sandbox: Annotated[str, _option(_RUN, "none, or local: run it here, NOT isolated.")] = "none",
    time_limit: Annotated[
        float | None,
        _option(_RUN, "Longest run.", metavar="SECONDS", min=0.001, callback=_finite),
    ] = None,
    executed: Annotated[
        bool, _option(_RUN, "The submission was run elsewhere already.", "--executed")
    ] = False,
    log: Annotated[
        Path | None, _option(_RUN, "Log of that run; its reproduce.log by default.")
    ] = None,
    outputs: Annotated[
        list[str] | None, _option(_RUN, "Glob of what a run should produce; may be repeated.")
    ] = None,
    runs: Annotated[Path | None, _option(_OUTPUT, "Folder for runs, ./runs by default.")] = None,
    paperbench: Annotated[
        Path | None, _option(_OUTPUT, "Also write PaperBench's grader_output.json here.")
    ] = None,
    fail_under: Annotated[
        float | None, _share("Exit 1 if the low end of the score is under this.")
    ] = None,
    min_coverage: Annotated[float | None, _share("Exit 1 if less of the weight is graded.")] = None,
    quiet: Annotated[bool, _option(_OUTPUT, "Print one line.", "--quiet", "-q")] = False,
    as_json: Annotated[bool, _option(_OUTPUT, "Print one JSON document.", "--json")] = False,
) -> int:
    """Grade a submission and print where its points went."""
    from rubric_engine import engine
    from rubric_engine.cli.locate import find_task, runs_folder
    from rubric_engine.rundir import new_run_name
    from rubric_engine.sandbox import load_sandbox
    from rubric_engine.submission import load_submission

    _check_flags(sandbox, executed=executed, log=log, labels=labels, judge=judge)
    _check_target(paperbench)
    found = find_task(submission, task=task, rubric=rubric, paper=paper)
    found = _narrowed(found, category, outputs)
    box = None if sandbox == "none" else load_sandbox(sandbox)
    grader = _judge(judge, labels, found)
    handed_in = load_submission(submission, skip=found.skip, allow_empty=allow_empty)
    execution = _declared(found, handed_in, log) if executed else None

    def started(judge: Judge) -> None:
        if not (quiet or as_json):
            _announce(found, str(submission), handed_in, judge)
        _warn(box)

    report = engine.grade(
        found,
        handed_in,
        judge=grader,
        sandbox=box,
        limits=_limits(found, time_limit),
        model=_model(model, base_url),
        spending=_spending(max_cost, max_tokens, fresh=fresh, retry_failed=retry_failed),
        run_dir=runs_folder(runs, submission) / new_run_name(found.name),
        execution=execution,
        on_start=started,
    )
    if paperbench is not None:
        _write(paperbench, report.to_paperbench())
    gates = failed_gates(report, fail_under=fail_under, min_coverage=min_coverage)
    code = exit_code(report, gates)
    _print(report, code, gates, quiet=quiet, as_json=as_json)
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


def _check_target(path: Path | None) -> None:
    from rubric_engine.errors import UsageError

    if path is not None and not path.absolute().parent.is_dir():
        raise UsageError(f"--paperbench {path}: there is no folder {path.parent}")


def _narrowed(task: Task, category: str | None, outputs: list[str] | None) -> Task:
    """The task with the category and the outputs that flags name."""
    from dataclasses import replace

    from rubric_engine.cli.locate import exact_category
    from rubric_engine.task import checked_outputs

    if category is not None:
        task = replace(task, category=exact_category(task.rubric, category))
    return replace(task, outputs=checked_outputs(outputs)) if outputs else task


def _limits(task: Task, seconds: float | None) -> Limits | None:
    from rubric_engine.isolation import Limits

    if seconds is None:
        return None
    return (task.limits or Limits()).model_copy(update={"time": seconds})


def _declared(task: Task, submission: Submission, log: Path | None) -> Execution:
    from rubric_engine.declared import declared_execution

    return declared_execution(submission, outputs=task.outputs, log=log)


def _judge(name: str, labels: Path | None, task: Task) -> str | Judge:
    if labels is None:
        return name
    from rubric_engine.judges import LabelJudge
    from rubric_engine.labels import load_labels

    return LabelJudge(load_labels(labels, task.rubric).grades())


def _model(name: str | None, base_url: str | None) -> dict[str, str]:
    given = {"name": name, "base_url": base_url}
    return {key: value for key, value in given.items() if value is not None}


def _spending(
    max_cost: float | None, max_tokens: int | None, *, fresh: bool, retry_failed: bool
) -> Spending:
    from rubric_engine.connection import Spending

    return Spending(max_cost, max_tokens, fresh, retry_failed)


def _announce(task: Task, path: str, submission: Submission, judge: Judge) -> None:
    from rubric_engine.cli.output import note, printable

    files, rubric = submission.files, task.view
    size = sum(file.size for file in files)
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    rows = [
        ("task", f"{printable(task.name)}, {len(rubric.leaves())} leaves", rubric.sha256),
        ("submission", f"{printable(path)}, {len(files)} files, {size:,} bytes{skipped}",
         files.sha256),
        ("judge", printable(judge.card.name), judge.card.fingerprint),
    ]  # fmt: skip
    for name, text, sha in rows:
        note(f"{name:11} {text}   sha {sha[:8]}")


def _warn(box: Sandbox | None) -> None:
    from rubric_engine.cli.output import note

    if box is not None and not box.isolates:
        note(f"warning: {getattr(box, 'warning', f'the sandbox {box.name} does not isolate')}")


def _write(path: Path, text: str) -> None:
    from rubric_engine.rundir import storing

    with storing(path):
        path.write_text(text, encoding="utf-8")


_TINY = 1e-9
"""Scores that differ by less are the same: 55 of 100 points is 55 %."""


def failed_gates(
    report: Report, *, fail_under: float | None = None, min_coverage: float | None = None
) -> tuple[str, ...]:
    """What the gates that were asked for say, if they fail; figures are percentages."""
    low, coverage = report.bounds.low or 0.0, report.bounds.coverage
    failed = []
    if fail_under is not None and low < fail_under / 100 - _TINY:
        failed.append(f"--fail-under {fail_under:g}: the low end of the score is {100 * low:.2f}%")
    if min_coverage is not None and coverage < min_coverage / 100 - _TINY:
        failed.append(f"--min-coverage {min_coverage:g}: {100 * coverage:.2f}% is graded")
    return tuple(failed)


def exit_code(report: Report, gates: tuple[str, ...] = ()) -> int:
    """Exit code of a finished grading."""
    if report.stopped is not None:
        return report.stopped.exit_code
    if report.failed:
        return EXIT_INCOMPLETE
    return EXIT_GATE if gates else 0


def _print(
    report: Report, code: int, gates: tuple[str, ...], *, quiet: bool, as_json: bool
) -> None:
    from rubric_engine.cli import summary
    from rubric_engine.cli.output import note, print_json, say

    if as_json:
        print_json(document(report, code, gates))
    elif quiet:
        for gate in gates:
            note(f"gate: {gate}")
        say(summary.quiet_line(report))
    else:
        summary.print_summary(report, code, gates)


def document(report: Report, code: int, gates: tuple[str, ...] = ()) -> dict[str, Any]:
    """The one JSON document of a grading."""
    run = report.run or ""
    facts = report.provenance
    return {
        "ok": code == 0,
        "score": report.score.model_dump(include={"value", "low", "high", "coverage"}),
        "missing": report.missing,
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
        "gates": list(gates),
        "warnings": [warning._asdict() for warning in report.warnings],
        "exit_code": code,
    }
