"""What models were asked about a leaf, and what they said, out of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rubric_engine.connection import LEDGER
from rubric_engine.grading import Grade
from rubric_engine.ledger import LedgerReader
from rubric_engine.result import Report


@dataclass(frozen=True)
class Said:
    """What was asked about a leaf, and answered.

    Attributes:
        prompt: The messages of all calls behind its grade, as texts; calls share many of them.
        answer: What came back, as one text.
    """

    prompt: tuple[str, ...] = ()
    answer: str = ""


class Asked:
    """Prompts and answers behind the grades of a run, out of its ledger.

    Args:
        report: The run's report.
    """

    def __init__(self, report: Report) -> None:
        self._report = report

    def __call__(self, leaf: str) -> dict[str, str]:
        """All prompts and answers of one leaf as one text each, as `prompt` and `answer`."""
        said = _said(calls_of(self._report, leaf))
        return {"prompt": "\n\n".join(said.prompt), "answer": said.answer}

    @contextmanager
    def opened(self) -> Iterator[Callable[[str], Said]]:
        """Look up many leaves while the ledger is open.

        Raises:
            StorageError: It cannot be read, is damaged, or comes from another release.
        """
        place = _ledger(self._report)
        if not any(any(_keys(grade)) for grade in self._report.grades.values()):
            yield lambda leaf: Said()
            return
        with LedgerReader.open(place) as ledger:
            keys = partial(_keys_of, self._report)
            yield lambda leaf: _said([_call(ledger, key) for key in keys(leaf)])


def calls_of(report: Report, leaf: str) -> list[dict[str, Any]]:
    """Prompt and answer of each call that a leaf's grade rests on, as plain JSON values."""
    keys, place = _keys_of(report, leaf), _ledger(report)
    if not keys or not place.is_file():
        return [{"key": key, "messages": [], "answer": None} for key in keys]
    with LedgerReader.open(place) as ledger:
        return [_call(ledger, key) for key in keys]


def _ledger(report: Report) -> Path:
    return Path(report.run or "").resolve().parent / LEDGER


def _keys_of(report: Report, leaf: str) -> list[str]:
    grade = report.grades.get(leaf)
    return list(dict.fromkeys(_keys(grade))) if grade is not None else []


def _keys(grade: Grade) -> Iterator[str]:
    yield from grade.calls
    for member in grade.members:
        yield from _keys(member)


def _call(ledger: LedgerReader, key: str) -> dict[str, Any]:
    entry = ledger.find(key)
    return {
        "key": key,
        "messages": [message.model_dump() for message in ledger.prompt(key)],
        "answer": entry.model_dump(mode="json", exclude={"key"}) if entry else None,
    }


def _said(calls: Sequence[dict[str, Any]]) -> Said:
    messages = [f"--- {said['role']}\n{said['content']}" for c in calls for said in c["messages"]]
    return Said(tuple(messages), "\n\n".join(filter(None, map(_answer, calls))))


def _answer(call: dict[str, Any]) -> str:
    answer = call["answer"]
    if answer is None:
        return ""
    if answer["shortened_to"]:
        return "--- longer than the model's window; asked again with less evidence"
    said = f"{answer['outcome']} {answer['detail']}".strip()
    by = f", by {answer['answered_model']}" if answer["answered_model"] else ""
    return f"--- {said}{by}\n{answer['text']}"
