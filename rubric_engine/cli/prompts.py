"""What a model was asked about a leaf, and what it said, for a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubric_engine.cli.output import printable, say


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
