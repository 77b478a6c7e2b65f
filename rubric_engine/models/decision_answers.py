"""The body of a decision model's response, in either protocol, read answer by answer.

What is wrong with one answer is that question's loss alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubric_engine.decision import Answer, Question, Transport
from rubric_engine.model import Usage
from rubric_engine.models.answer import read_usage
from rubric_engine.models.decision_request import names
from rubric_engine.models.faults import AttemptFault, of_status

_STRAY = 1e-6
_OFF = 0.02
"""By how much probabilities may miss 1 together: some servers round them."""

_UNANSWERED = Answer(flaw="unparseable", detail="the response holds no answer to this question")


@dataclass(frozen=True)
class Decided:
    """What came back of a request.

    Attributes:
        answers: One for each question, in their order.
        usage: Tokens of the request as the server counted them, or None where it did not.
        model: The model that says it answered.
    """

    answers: tuple[Answer, ...]
    usage: Usage | None
    model: str

    def with_usage(self, usage: Usage | None) -> list[Answer]:
        """The answers, each with its share of what all attempts used."""
        by = len(self.answers)
        shares = [None] * by if usage is None else usage.shares(by)
        return [
            answer.model_copy(update={"usage": share, "answered_model": self.model})
            for answer, share in zip(self.answers, shares, strict=True)
        ]


def read_decided(
    transport: Transport, data: object, sent: Mapping[str, Any], questions: Sequence[Question]
) -> Decided:
    """Read the decoded body of a response with status 200.

    Raises:
        AttemptFault: It holds no answers at all; some servers put errors there.
    """
    if not isinstance(data, dict):
        raise AttemptFault("garbled", "the response is not a JSON object", status=200)
    usage = _usage(data.get("usage"))
    if data.get("error"):
        fault = of_status(502, data["error"], {}, sent)
        fault.usage = usage
        raise fault
    found = data.get("answers")
    if transport == "openai" and isinstance(found, list):
        by_place = _listed(found, questions)
    elif transport == "system-one" and isinstance(found, dict):
        by_place = _named(found, questions)
    else:
        raise AttemptFault("garbled", "the response holds no answers", status=200, usage=usage)
    return Decided(
        answers=tuple(
            _answer(transport, question, by_place.get(at, ()))
            for at, question in enumerate(questions)
        ),
        usage=usage,
        model=data["model"] if isinstance(data.get("model"), str) else "",
    )


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return read_usage(
        {
            "prompt_tokens": value.get("input_tokens"),
            "completion_tokens": value.get("output_tokens"),
            "prompt_tokens_details": value.get("input_tokens_details"),
            "total_tokens": value.get("total_tokens"),
        }
    )


def _listed(found: Sequence[Any], questions: Sequence[Question]) -> dict[int, list[Any]]:
    """What was said to each question, by its number; by its name where answers have one."""
    known = {name: at for at, name in enumerate(names(questions))}
    complete = len(found) == len(questions)
    places: dict[int, list[Any]] = {}
    for at, said in enumerate(found):
        name = said.get("name") if isinstance(said, dict) else None
        place = known.get(name) if isinstance(name, str) else at if complete else None
        if place is not None:
            places.setdefault(place, []).append(said)
    return places


def _named(found: Mapping[str, Any], questions: Sequence[Question]) -> dict[int, list[Any]]:
    return {at: [found[name]] for at, name in enumerate(names(questions)) if name in found}


def _answer(transport: Transport, question: Question, said: Sequence[Any]) -> Answer:
    if not said:
        return _UNANSWERED
    if len(said) > 1:
        return _flawed("the response answers this question more than once")
    one = said[0]
    if not isinstance(one, dict):
        return _flawed("the answer is not a JSON object")
    if one.get("type") == "refusal":
        words = one.get("refusal") or one.get("message")
        told = words if isinstance(words, str) else "the model declined to answer this question"
        return Answer(flaw="refused", detail=told[:500])
    kind = {"noul": "predicate"}.get(str(one.get("type")), one.get("type"))
    if kind != question.kind:
        return _flawed(f"asked for a {question.kind}, it answered {str(kind)[:40]!r}")
    if kind == "predicate":
        number = _probability(one.get("probability" if transport == "openai" else "noul"))
        return _flawed("its probability is none") if number is None else Answer(probability=number)
    return _distributed(question, _pairs(one.get("probabilities")), transport)


def _pairs(said: object) -> Iterable[tuple[Any, Any]]:
    """Option and probability, as a mapping or as a list has them."""
    if isinstance(said, dict):
        return list(said.items())
    rows = said if isinstance(said, list) else []
    return [
        (row.get("label", row.get("value")), row.get("probability"))
        for row in rows
        if isinstance(row, dict)
    ]


def _distributed(
    question: Question, pairs: Iterable[tuple[Any, Any]], transport: Transport
) -> Answer:
    by_number = question.kind == "score" and transport == "system-one"
    labels = [str(at) if by_number else option.label for at, option in enumerate(question.options)]
    given = list(pairs)
    found = {label: _probability(number) for label, number in given if isinstance(label, str)}
    numbers = [number for label in labels if (number := found.get(label)) is not None]
    total = math.fsum(numbers)
    if len(given) != len(labels) or len(numbers) != len(labels) or abs(total - 1) > _OFF:
        return _flawed("its probabilities are not one for each option, or do not add up to 1")
    return Answer(distribution=tuple(min(1.0, number / total) for number in numbers))


def _probability(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # What a server computes in single precision may stray from 1 by the last bit.
    return min(1.0, max(0.0, float(value))) if -_STRAY <= value <= 1 + _STRAY else None


def _flawed(why: str) -> Answer:
    return Answer(flaw="unparseable", detail=why)
