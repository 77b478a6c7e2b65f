"""What models were asked about a leaf, and what they said, out of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rubric_engine.connection import LEDGER
from rubric_engine.grading import Grade
from rubric_engine.ledger import LedgerReader
from rubric_engine.result import Report


def calls_of(report: Report, leaf: str) -> list[dict[str, Any]]:
    """Prompt and answer of each call that a leaf's grade rests on, as plain JSON values."""
    grade = report.grades.get(leaf)
    keys = list(dict.fromkeys(_keys(grade))) if grade is not None else []
    place = Path(report.run or "").resolve().parent / LEDGER
    if not keys or not place.is_file():
        return [{"key": key, "messages": [], "answer": None} for key in keys]
    with LedgerReader.open(place) as ledger:
        return [_call(ledger, key) for key in keys]


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


def asked_of(report: Report, leaf: str) -> dict[str, str]:
    """All prompts and answers behind a leaf's grade as one text each, as `prompt` and `answer`."""
    calls = calls_of(report, leaf)
    return {
        "prompt": "\n\n".join(filter(None, map(_prompt, calls))),
        "answer": "\n\n".join(filter(None, map(_answer, calls))),
    }


def _prompt(call: dict[str, Any]) -> str:
    return "\n".join(f"--- {said['role']}\n{said['content']}" for said in call["messages"])


def _answer(call: dict[str, Any]) -> str:
    answer = call["answer"]
    if answer is None:
        return ""
    if answer["shortened_to"]:
        return "--- longer than the model's window; asked again with less evidence"
    said = f"{answer['outcome']} {answer['detail']}".strip()
    by = f", by {answer['answered_model']}" if answer["answered_model"] else ""
    return f"--- {said}{by}\n{answer['text']}"
