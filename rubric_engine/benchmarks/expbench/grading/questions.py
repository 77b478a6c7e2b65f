"""Which questions are graded, with their tasks and masked repositories."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path

from rubric_engine.benchmarks.expbench.folder import RECORD, read_record
from rubric_engine.benchmarks.expbench.grading.asked import Question
from rubric_engine.errors import TaskError, UsageError
from rubric_engine.lookup import inside, is_file, is_folder, named
from rubric_engine.task import load_task


def read_questions(tasks: Path, repos: Path | None, sample: int | None = None) -> list[Question]:
    """Read the questions below a folder.

    Args:
        tasks: The folder that `expbench import` wrote to, or the folder of one question.
        repos: Folder of masked repositories, each under the name of its task's folder.
        sample: Draw so many, the same ones each time.

    Raises:
        TaskError: There is none, one is not as it was written, or one lies in two folders.
        UsageError: `repos` is no folder.
    """
    if repos is not None and not is_folder(repos):
        raise UsageError(
            f"{repos} is no folder",
            code="E607",
            fix=[f"rubric-engine expbench mask REPO --task ID -o {repos}/TASK   makes one of each"],
        )
    folders = [tasks] if is_file(tasks / RECORD) else _below(tasks)
    if sample is not None:
        drawn = sorted(folders, key=lambda folder: hashlib.sha256(folder.name.encode()).digest())
        folders = sorted(drawn[:sample])
    questions = [_question(folder, repos) for folder in folders]
    _require_once(questions, folders)
    return questions


def _require_once(questions: list[Question], folders: list[Path]) -> None:
    """Make sure that each answer belongs to one question.

    Raises:
        TaskError: Two share the folder of their answer, as copies do.
    """
    found: dict[str, tuple[Question, Path]] = {}
    for question, folder in zip(questions, folders, strict=True):
        other, there = found.setdefault(question.exp.folder, (question, folder))
        if other is not question:
            raise _twice((other, there), (question, folder))


def _twice(one: tuple[Question, Path], other: tuple[Question, Path]) -> TaskError:
    name = one[0].exp.folder
    odd = next((path for _, path in (one, other) if path.name != name), other[1])
    aside = f"{odd.absolute().parent}-{odd.name}"
    return TaskError(
        f"two tasks have one answer, {name}: {one[1]} and {other[1]}",
        code="E613",
        looked=[f"{path}: {question.exp.id}" for question, path in (one, other)],
        fix=[shlex.join(["mv", str(odd), aside]) + "   takes one out"],
    )


def _below(tasks: Path) -> list[Path]:
    folders = [tasks / name for name in sorted(named(tasks, (RECORD,)))]
    if not folders:
        raise TaskError(
            f"no task of EXP-Bench in {tasks}",
            code="E606",
            looked=[f"{tasks}/*/{RECORD}"],
            fix=[f"rubric-engine expbench import SOURCE -o {tasks}   makes them"],
        )
    return folders


def _question(folder: Path, repos: Path | None) -> Question:
    exp = read_record(folder)
    base = repos / exp.folder if repos is not None else None
    known = base if base is not None and is_folder(base) else None
    return Question(exp, load_task(str(folder.absolute())), known)


def strangers(answers: Path, questions: list[Question]) -> tuple[str, ...]:
    """Folders of answers to questions that are not among those.

    Raises:
        UsageError: `answers` cannot be read, or the current folder lies in it, where what answers
            hold would be found by name.
    """
    if is_folder(answers) and inside(Path(), answers):
        raise UsageError(
            f"the current folder lies in {answers}, where what answers hold could pass for a judge",
            code="E607",
            fix=["run it in the folder above"],
        )
    known = {question.exp.folder for question in questions}
    try:
        names = sorted(entry.name for entry in answers.iterdir() if entry.is_dir())
    except OSError as error:
        raise UsageError(
            f"{answers} cannot be read: {error.strerror}",
            code="E607",
            looked=["a folder of answers: CONFERENCE-PAPER-INDEX/answer.json, changes.patch"],
            fix=[f"ls -ld {shlex.quote(str(answers))}   says whether it is there, and whose it is"],
        ) from None
    # Bytes that are no UTF-8 could not be read back.
    return tuple(name.encode("utf-8", "replace").decode() for name in names if name not in known)
