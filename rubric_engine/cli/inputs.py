"""What `grade` is given: flags that fit together, the task as they narrow it, and what is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.choosing import AUTO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_engine.candidate import Candidate
    from rubric_engine.case import Task
    from rubric_engine.cli.choosing import Choice
    from rubric_engine.cli.sandboxing import Box
    from rubric_engine.isolation import Execution
    from rubric_engine.model import ModelConfig
    from rubric_engine.submitted import Submission


def check_flags(
    sandbox: str, *, executed: bool, log: Path | None, labels: Path | None, judge: str
) -> None:
    """Refuse flags that exclude each other."""
    from rubric_engine.errors import UsageError

    if executed and sandbox not in ("auto", "none"):
        raise UsageError("--executed says that it was run already; leave --sandbox out")
    if log is not None and not executed:
        raise UsageError("--log goes with --executed")
    if labels is not None and judge not in (AUTO, "labels"):
        raise UsageError("--labels is a judge of its own; leave --judge out")


def check_target(path: Path | None) -> None:
    """Refuse a file whose folder does not exist."""
    from rubric_engine.errors import UsageError

    if path is not None and not path.absolute().parent.is_dir():
        raise UsageError(f"--paperbench {path}: there is no folder {path.parent}")


def narrowed(task: Task, category: str | None, outputs: list[str] | None) -> Task:
    """The task with the category and the outputs that flags name."""
    from rubric_engine.cli.locate import exact_category
    from rubric_engine.task import checked_outputs

    if category is not None:
        task = replace(task, category=exact_category(task.rubric, category))
    return replace(task, outputs=checked_outputs(outputs)) if outputs else task


def take_in(
    path: Path, task: Task, log: Path | None, *, executed: bool, allow_empty: bool
) -> tuple[Submission, Execution | None]:
    """The submission, and the run of it where one was made before or is declared.

    Raises:
        RunError: It is a folder that `reproduce` wrote, and cannot be believed or does not fit.
        SubmissionError: It cannot be loaded.
    """
    from rubric_engine.declared import declared_execution
    from rubric_engine.executed import is_executed, load_executed
    from rubric_engine.executed.record import FILES
    from rubric_engine.kept.log_file import LOG
    from rubric_engine.submission import load_submission

    reproduced = is_executed(path)
    if reproduced and not executed:
        kept = load_executed(path)
        kept.require_fit(skip=task.skip, outputs=task.outputs)
        return kept.handed_in, kept.execution
    if reproduced:
        log = log or path / LOG
        path = path / FILES
    submission = load_submission(path, skip=task.skip, allow_empty=allow_empty)
    if not executed:
        return submission, None
    return submission, declared_execution(submission, outputs=task.outputs, log=log)


_FLAGS = {
    "name": "--model",
    "base_url": "--base-url",
    "context_tokens": "--context-window",
    "max_wait": "--max-wait",
    "max_connections": "--max-connections",
}


def model_settings(
    name: str | None, base_url: str | None, context_tokens: int | None = None, **pace: float | None
) -> dict[str, Any]:
    """What flags say of the model, as settings that take the place of a card's.

    Args:
        name: Value of `--model`.
        base_url: Value of `--base-url`.
        context_tokens: Value of `--context-window`.
        pace: Values of `--max-wait` and `--max-connections`.

    Raises:
        UsageError: It cannot be the model of a card.
    """
    from pydantic import ValidationError

    from rubric_engine.errors import UsageError
    from rubric_engine.model import ModelConfig

    flags = {"name": name, "base_url": base_url, "context_tokens": context_tokens, **pace}
    given = {key: value for key, value in flags.items() if value is not None}
    try:
        ModelConfig.model_validate({"name": "any", **given})
    except ValidationError as error:
        wrong = error.errors()[0]  # its words without the value, which may hold a key
    else:
        return given
    flag = _FLAGS[str(wrong["loc"][0])]
    why = wrong["msg"].removeprefix("Value error, ")
    raise UsageError(f"{flag}: {why}", fix=["--base-url http://localhost:8000/v1 --model NAME"])


def announce(
    task: Task, path: str, submission: Submission, chosen: Choice, box: Box, network: str
) -> None:
    """Say on stderr what is graded, by whom, and where it is run."""
    from rubric_engine.cli.output import counted, leaves, note, printable

    files, rubric, card = submission.files, task.view, chosen.candidate.judge.card
    size = sum(file.size for file in files)
    holds = f"{counted(len(files), 'file')}, {counted(size, 'byte')}"
    skipped = f", {len(files.skipped)} skipped" if files.skipped else ""
    why = f" ({printable(chosen.why)})" if chosen.why else ""
    rows = [
        ("task", f"{printable(task.name)}, {leaves(len(rubric.leaves()))}", rubric.sha256),
        ("submission", f"{printable(path)}, {holds}{skipped}", files.sha256),
        ("judge", printable(card.name) + why, card.fingerprint),
    ]  # fmt: skip
    for name, text, sha in rows:
        note(f"{name:11} {text}   sha {sha[:8]}")
    for line in _model_lines(chosen.candidate):
        note(line)
    if box.sandbox is not None:
        online = f", network {network}" if box.sandbox.isolates else ""
        note(f"{'sandbox':11} {printable(box.sandbox.name)}{online}")


def _model_lines(candidate: Candidate) -> Iterator[str]:
    """The models with their members' names, each once, and their pace where it differs."""
    from rubric_engine.cli.output import printable

    of: dict[tuple[str, str], dict[str, None]] = {}
    for model in candidate.models:
        of.setdefault(_of_model(model), {}).update(dict.fromkeys(candidate.askers(model)))
    last = next(reversed(of), None)
    paces = {pace for _, pace in of}
    for (told, pace), names in of.items():
        whose = f"   of {', '.join(names)}" if names else ""
        yield f"{'model':11} {printable(told + whose)}"
        if len(paces) > 1 or (told, pace) == last:
            yield f"{'pace':11} {pace}"


def _of_model(model: ModelConfig) -> tuple[str, str]:
    """Where a model is asked and how much fits into it; and how it is paced."""
    window = f"window {model.context_tokens:,} tokens"
    if "context_tokens" not in model.model_fields_set:
        window += " (assumed; --context-window says otherwise)"
    pace = f"{model.max_connections} at once, waits up to {model.max_wait:g} s"
    return f"{model.name} at {model.base_url}   {window}", pace


def warn(box: Box) -> None:
    """Say on stderr where a sandbox does not isolate, and where there is none and one is missed."""
    from rubric_engine.cli.output import note, printable

    sandbox = box.sandbox
    if box.why:
        note(f"warning: reproduce.sh is not run: {printable(box.why)}; --sandbox none runs nothing")
    elif sandbox is not None and not sandbox.isolates:
        text = getattr(sandbox, "warning", f"the sandbox {sandbox.name} does not isolate")
        note(f"warning: {text}")


def write(path: Path, text: str) -> None:
    """Write a file."""
    from rubric_engine.rundir import storing

    with storing(path):
        path.write_text(text, encoding="utf-8")
