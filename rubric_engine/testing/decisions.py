"""The two protocols of decision models, as a server reads and writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rubric_engine.testing.completion import Tally, cached_tokens, count_tokens
from rubric_engine.testing.instances import toss
from rubric_engine.testing.values import Request

Protocol = Literal["openai", "system-one"]

PATHS: Mapping[str, Protocol] = {"/v1/decisions": "openai", "/v1/systemone": "system-one"}
"""Where each is served."""

QuestionFault = Literal["refused", "missing", "wrong_type", "out_of_range", "twice"]
"""What can go wrong with one answer: declined, left out, of another type, no probability, or given
a second time (with names, so of OpenAI's alone)."""


_FEWEST = 2
"""Choices or levels that a question has at least."""


@dataclass(frozen=True)
class Asked:
    """One question as it came.

    Attributes:
        name: What it goes by.
        kind: Its type, in the words of OpenAI's protocol.
        text: Its instructions.
        options: Labels of its choices or levels.
    """

    name: str | None
    kind: str
    text: str
    options: tuple[str, ...] = ()


def chat_of(protocol: Protocol, raw: bytes) -> dict[str, Any] | None:
    """A request's body with its prompt as chat messages, or None for what is none.

    The questions are the last message, so that all that scripts do with prompts works here, too.
    """
    try:
        body = json.loads(raw)
        asked = questions_of(protocol, body)
        given = body["input"] if protocol == "openai" else body["state"]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    messages = given if isinstance(given, list) else [{"role": "user", "content": str(given)}]
    if not asked or not all(isinstance(message, dict) for message in messages):
        return None
    last = {"role": "user", "content": json.dumps(body["questions"])}
    return {**body, "messages": [*messages, last]}


def nothing_to_decide(asked: Sequence[Asked]) -> str | None:
    """What is wrong with the first question that leaves nothing to decide; None of all others."""
    for number, question in enumerate(asked, start=1):
        if question.kind != "predicate" and len(question.options) < _FEWEST:
            found = len(question.options)
            return (
                f"question {number}: a {question.kind} has at least {_FEWEST} options, not {found}"
            )
    return None


def questions_of(protocol: Protocol, body: Mapping[str, Any]) -> list[Asked]:
    """The questions of a request.

    Raises:
        LookupError, TypeError, AttributeError: They have not the form of the protocol.
    """
    if protocol == "openai":
        return [
            Asked(each.get("name"), each["type"], str(each["instructions"]), _options(each))
            for each in body["questions"]
        ]
    return [
        Asked(name, _KINDS[each["type"]], str(each["instructions"]), _criteria(each))
        for name, each in body["questions"].items()
    ]


_KINDS = {"noul": "predicate", "choice": "choice", "score": "score"}


def _options(question: Mapping[str, Any]) -> tuple[str, ...]:
    rows = [*question.get("choices", ()), *question.get("levels", ())]
    return tuple(str(row.get("label", row.get("value"))) for row in rows)


def _criteria(question: Mapping[str, Any]) -> tuple[str, ...]:
    said = question.get("criteria") or ()
    return (
        tuple(map(str, said)) if question["type"] == "choice" else tuple(map(str, range(len(said))))
    )


def answers_of(
    protocol: Protocol,
    asked: Sequence[Asked],
    probability: Callable[[Asked], float],
    fault: Callable[[Asked], QuestionFault | None],
) -> list[tuple[str | None, dict[str, Any]]]:
    """The answers of a request, each with its name, as far as there are any.

    Args:
        protocol: In whose form.
        asked: The questions.
        probability: That a predicate is true; of options, that of the last.
        fault: What goes wrong with an answer.
    """
    answers = []
    for question in asked:
        wrong = fault(question)
        if wrong == "missing":
            continue
        answer = _spoilt(protocol, question, probability(question), wrong)
        answers += [(question.name, answer)] * (2 if wrong == "twice" else 1)
    return answers


def _spoilt(
    protocol: Protocol, question: Asked, probability: float, wrong: QuestionFault | None
) -> dict[str, Any]:
    if wrong == "refused":
        return {"type": "refusal"}
    if wrong == "out_of_range":
        return _predicate(protocol, 1.5)
    if wrong == "wrong_type":
        other = Asked(question.name, "choice", question.text, ("a", "b"))
        return _answer(protocol, other, probability)
    return _answer(protocol, question, probability)


def _answer(protocol: Protocol, question: Asked, probability: float) -> dict[str, Any]:
    if question.kind == "predicate":
        return _predicate(protocol, probability)
    last = len(question.options) - 1
    chances = [(1 - probability) / last] * last + [probability]
    best = max(range(len(chances)), key=chances.__getitem__)
    said: dict[str, Any] = {"type": question.kind, "confidence": max(chances)}
    if question.kind == "choice":
        said["choice"] = question.options[best]
    else:
        said["score"] = sum(at * chance for at, chance in enumerate(chances))
    pairs = list(zip(question.options, chances, strict=True))
    if protocol == "system-one":
        return said | {"probabilities": dict(pairs)}
    rows = [
        {"value": label, "probability": chance}
        if question.kind == "choice"
        else {"label": label, "value": at, "probability": chance}
        for at, (label, chance) in enumerate(pairs)
    ]
    return said | {"probabilities": rows}


def _predicate(protocol: Protocol, probability: float) -> dict[str, Any]:
    if protocol == "openai":
        return {"type": "predicate", "probability": probability}
    return {"type": "noul", "noul": probability}


def decision_body(
    protocol: Protocol,
    request: Request,
    answers: Sequence[tuple[str | None, dict[str, Any]]],
    count: Tally,
) -> dict[str, Any]:
    """The body of a response."""
    usage = {
        "input_tokens": count.prompt,
        "output_tokens": count.completion,
        "total_tokens": count.prompt + count.completion,
        "input_tokens_details": {"cached_tokens": count.cached, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    said: Any = [{**answer, "name": name} for name, answer in answers]
    if protocol == "system-one":
        said = {name: answer for name, answer in answers if name is not None}
    return {"model": request.model, "answers": said, "usage": usage}


def decision_tally(request: Request, questions: int, shared_chars: int, billed: float) -> Tally:
    """Count a response: a token for each answer."""
    read = count_tokens(request.prompt)
    return Tally(
        prompt=round(read * billed),
        cached=min(cached_tokens(shared_chars), read),
        completion=round(questions * billed),
        reasoning=0,
    )


def plausible_probability(question: Asked) -> float:
    """A probability that depends on the question's text alone."""
    return round(toss("decision", question.text), 4)


def shuffled(answers: Sequence[Any], seed: int) -> list[Any]:
    """The answers in another order, the same each time."""
    return sorted(answers, key=lambda answer: toss("order", seed, str(answer)))
