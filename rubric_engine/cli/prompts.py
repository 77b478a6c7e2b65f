"""What a model was asked about a leaf, and what it said, out of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.output import printable, say

if TYPE_CHECKING:
    from rubric_engine.grading import Grade
    from rubric_engine.ledger import LedgerReader
    from rubric_engine.result import Report


def calls_of(report: Report, leaf: str) -> list[dict[str, Any]]:
    """Prompt and answer of each call that a leaf's grade rests on, as plain JSON values."""
    from rubric_engine.connection import LEDGER
    from rubric_engine.ledger import LedgerReader

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


def print_calls(leaf: str, calls: list[dict[str, Any]]) -> None:
    """Print calls for a person, escaped for the terminal."""
    if not calls:
        say(f"no model was asked about {printable(leaf)}")
    for call in calls:
        say(*_lines(call))


def _lines(call: dict[str, Any]) -> Iterator[str]:
    yield f"call {printable(call['key'])}"
    answer = call["answer"]
    if answer is not None and answer["shortened_to"]:
        yield "  longer than the model's window; asked again with less evidence, as call"
        yield f"  {printable(answer['shortened_to'])}"
        return
    if not call["messages"]:
        yield "  its prompt is not kept: it had no answer, or `cache prune` removed it"
    for message in call["messages"]:
        yield f"--- {message['role']}"
        yield from map(printable, message["content"].split("\n"))
    if answer is not None:
        yield f"--- answer: {answer['outcome']} {printable(answer['detail'])}".rstrip()
        of = [printable(answer[name]) for name in ("answered_model", "created") if answer[name]]
        yield f"    of {', '.join(of)}" if answer["answered_model"] else f"    {', '.join(of)}"
        yield from map(printable, answer["text"].split("\n"))
