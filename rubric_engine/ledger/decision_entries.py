"""Questions and answers of a decision model, as calls and entries of the ledger."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from rubric_engine.decision import Answer, Question
from rubric_engine.ledger.keys import Call
from rubric_engine.ledger.values import Entry
from rubric_engine.model import Message, ModelConfig, ModelFault


def question_call(
    requested: dict[str, object], input: Sequence[Message], question: Question, sample: int
) -> Call:
    """A question as a call of its own: the input, the question, and the form of its answer."""
    asked = Message(role="user", content=question.text)
    form = question.model_dump(mode="json", include={"kind", "options"})
    return Call(dict(requested), (*input, asked), form, sample)


def requested(config: ModelConfig, transport: str) -> dict[str, object]:
    """Endpoint, model, parameters and protocol, as they are part of every key."""
    sent = config.model_dump(mode="json", include={"name", "base_url", "extra_body"})
    return {**sent, "transport": transport}


def request_key(keys: Sequence[str]) -> str:
    """The key of a request, by those of its questions."""
    return hashlib.sha256(json.dumps(["request", *sorted(keys)]).encode()).hexdigest()


def lost_answer(fault: ModelFault) -> Answer:
    """What a fault that is final makes of a question."""
    said = {"flaw": fault.reason, "detail": fault.message}
    return Answer.model_validate(said)


def entry_of(
    key: str, answer: Answer, request: str, shared_by: int, effective: dict[str, object]
) -> Entry:
    """An answer as an entry.

    Args:
        key: Key of the question.
        answer: What was said of it.
        request: Key of the request in which it was asked.
        shared_by: How many questions shared that request.
        effective: What was in force after negotiation.
    """
    said = {"probability", "distribution"}
    data = answer.model_dump(mode="json", include=said, exclude_defaults=True)
    return Entry(
        key=key,
        outcome=answer.flaw or "answer",
        text="" if answer.flaw else json.dumps(data),
        data=None if answer.flaw else data,
        detail=answer.detail,
        usage=answer.usage,
        answered_model=answer.answered_model,
        effective=effective,
        request=request,
        shared_by=shared_by,
    )


def answer_of(entry: Entry, *, replayed: bool) -> Answer:
    """An entry as an answer."""
    answered = entry.outcome == "answer"
    return Answer.model_validate(
        {
            **(entry.data or {} if answered else {}),
            "flaw": None if answered else entry.outcome,
            "detail": entry.detail,
            "usage": entry.usage,
            "answered_model": entry.answered_model,
            "call": entry.key,
            "replayed": replayed,
        }
    )
