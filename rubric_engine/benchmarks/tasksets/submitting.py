"""An answer as a submission: a folder with `answer.md`, and beside it what the form makes of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from rubric_engine.benchmarks.tasksets.forms import MOST_BYTES, fenced, formed, language
from rubric_engine.benchmarks.tasksets.rule import ANSWER
from rubric_engine.benchmarks.tasksets.task import ExpectedOutput
from rubric_engine.rundir import storing


def submit(text: str, expected: ExpectedOutput, folder: Path) -> Path:
    """Write an answer into a folder of its own.

    Args:
        text: The answer as it came.
        expected: The form that is due.
        folder: The folder; what an earlier answer left in it is replaced.

    Returns:
        The folder.
    """
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        files = dict(_files(text, expected))
        for old in folder.iterdir():
            if old.name not in files:
                old.unlink()
        for name, content in files.items():
            target = folder / name
            target.write_text(content, encoding="utf-8", errors="replace", newline="")
    return folder


def _files(text: str, expected: ExpectedOutput) -> Iterator[tuple[str, str]]:
    # A longer document counts as data, and is not shown to a judge at all.
    head = text.encode("utf-8", "replace")[:MOST_BYTES]
    yield ANSWER, head.decode("utf-8", "ignore")
    value = formed(text, expected).value
    if value is None:
        return
    if expected.type == "json":
        blocks = fenced(text)
        yield "answer.json", blocks[0][1] if len(blocks) == 1 else text
    elif expected.type in ("table", "csv"):
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(value)
        yield "answer.csv", out.getvalue()
    elif expected.type == "code" and language(expected.structure) in ("", "python", "python3"):
        yield "answer.py", value
