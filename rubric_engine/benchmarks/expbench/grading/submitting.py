"""An answer as a submission: the base with the patch applied, and `answer.json`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.benchmarks.expbench.grading.answer import PATCH, ExpAnswer
from rubric_engine.benchmarks.expbench.grading.applying import apply_patch
from rubric_engine.benchmarks.expbench.grading.patch import why_refused
from rubric_engine.benchmarks.expbench.rubric_of import ANSWER
from rubric_engine.isolation import SCRIPT
from rubric_engine.rundir import storing
from rubric_engine.sandbox.history import had_history, renew_history
from rubric_engine.submission import load_submission
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.writing import TreeWriter

THEIRS = "reproduce_exp_bench.sh"
"""What the benchmark calls the script that carries an experiment out."""

CHANGES = "changes.md"
"""Where a judge reads a patch that was not applied."""

LONG_ANSWER = "answer.md"
"""Where a judge reads a long answer: of long JSON, which counts as data, it sees the ends alone."""

_SHOWN_WHOLE = 20_000


@dataclass(frozen=True)
class Submitted:
    """An answer as a submission.

    Attributes:
        folder: Its folder.
        scratch: As long as it is in use, the folder is there.
        applied: Whether base and patch stand there.
        failed: Why the patch cannot be applied to the base, which is the answer's own failure.
        lacking: Why nothing can be run, which is nobody's failure.
    """

    folder: Path
    scratch: Scratch
    applied: bool = False
    failed: str | None = None
    lacking: str | None = None


def submit_answer(answer: ExpAnswer, base: Path | None, name: str) -> Submitted:
    """Write an answer as a submission into a new folder.

    Args:
        answer: The answer.
        base: The masked repository; None where there is none. It is only read.
        name: Name of the new folder.

    Raises:
        StorageError: The disk refuses, or git is missing.
        SubmissionError: The base cannot be read.
    """
    scratch = Scratch()
    folder = scratch.path / name
    folder.mkdir()
    applied, failed = False, None
    if base is not None and answer.patch is not None:
        failed = _applied(answer.patch, base, folder, scratch.path / PATCH)
        applied = failed is None
    if not applied and answer.patch is not None:
        _put(folder, CHANGES, b"```diff\n" + answer.patch + b"\n```\n")
    said = answer.json.encode("utf-8", "replace")
    _put(folder, ANSWER, said)
    if len(said) > _SHOWN_WHOLE:
        _put(folder, LONG_ANSWER, said)
    return Submitted(folder, scratch, applied, failed, _lacking(base, answer.patch))


def _lacking(base: Path | None, patch: bytes | None) -> str | None:
    if patch is None:
        return f"no {PATCH}"
    return "no masked repository of this question" if base is None else None


def _applied(patch: bytes, base: Path, folder: Path, file: Path) -> str | None:
    """Copy the base and apply the patch; says why that cannot be."""
    refused = why_refused(patch.decode("utf-8", "surrogateescape"))
    if refused is not None:
        return f"the patch is refused: {refused}"
    before = load_submission(base, allow_empty=True)
    before.export(folder)
    had = had_history(before.files)
    renew_history(folder, wanted=False)  # also what the base has below its root
    with storing(file):
        file.write_bytes(patch)
    why = apply_patch(file, folder)
    if why is not None:
        return f"the patch does not apply: {why}"
    _map_script(folder)
    if had:
        renew_history(folder, wanted=True)
    return None


def _map_script(folder: Path) -> None:
    """Let the benchmark's script stand for ours, unless it calls one of our name itself."""
    theirs, ours = folder / THEIRS, folder / SCRIPT
    if theirs.is_symlink() or not theirs.is_file():
        return
    content = theirs.read_bytes()
    if ours.exists() and SCRIPT.encode() in content:
        return
    _put(folder, SCRIPT, content)


def _put(folder: Path, name: str, content: bytes) -> None:
    """Write a file of ours in the place of whatever stands there."""
    with storing(folder), TreeWriter(folder) as tree:
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            remove_tree(folder / name)
        with suppress(FileNotFoundError):
            tree.remove_file(name)
        tree.write_file(name, [content], executable=name == SCRIPT)
