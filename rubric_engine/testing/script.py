"""The script of an endpoint: which request gets which answer, or which fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.testing.answers import last_match, plausible
from rubric_engine.testing.completion import (
    Tally,
    completion_body,
    count_tokens,
    tally,
    within_limit,
)
from rubric_engine.testing.decisions import (
    Asked,
    Protocol,
    QuestionFault,
    answers_of,
    decision_body,
    decision_tally,
    nothing_to_decide,
    plausible_probability,
    questions_of,
    shuffled,
)
from rubric_engine.testing.error_forms import Problem
from rubric_engine.testing.faults import ERRORS, error_of, headers_of, spoilt
from rubric_engine.testing.instances import toss
from rubric_engine.testing.records import Arrival
from rubric_engine.testing.refusals import INVALID, first_refusal
from rubric_engine.testing.values import Fault, Reply, Request
from rubric_engine.testing.vendors import Vendor, error_body, find_vendor
from rubric_engine.testing.wire import HttpResponse

Answer = Reply | Fault | Mapping[str, Any] | str | None
FaultLike = Fault | str


@dataclass(frozen=True, slots=True)
class Served:
    """What goes back.

    Attributes:
        response: The bytes.
        delay: Seconds on top of the latency.
        fault: What went wrong on purpose.
        tally: Tokens of the completion, or None where it is none, or not whole.
    """

    response: HttpResponse
    delay: float = 0.0
    fault: Fault | None = None
    tally: Tally | None = None


@dataclass(kw_only=True)
class Script:
    """What an endpoint is and does; as it stands, it answers everything plausibly.

    Attributes:
        answer: Called with each request; a mapping is an answer as JSON, None the plausible one.
        verdicts: What the plausible answer says where the prompt holds a text. The question, the
            last message, is searched first; of several texts found, the one that ends last decides.
        probabilities: What a decision model says to questions that hold a text; the verdicts go
            before plausible ones, as 0.9 and 0.1.
        question_faults: What goes wrong with the answers to questions that hold a text.
        shuffle_answers: Whether answers come in another order than the questions.
        most_questions: The most questions of one request.
        faults: How often each fault happens, from 0 to 1.
        fault_at: Faults by number of the request, from 1.
        fault_where: Faults by a text that the prompt holds.
        vendor: Whose deviations it shows: one of `VENDORS` by name, or a row of your own.
        refuses: Parameters that it refuses on top of the vendor's.
        models: Names of its models; any name is taken where there are none.
        context_tokens: Its window; None is endless.
        api_key: The only key that it takes; None takes any.
        any_earlier: Whether a prefix is cached once any request had it, answered or not.
        seed: Another seed lets faults and jitter fall on other requests.
    """

    answer: Callable[[Request], Answer] | None = None
    verdicts: Mapping[str, bool] = field(default_factory=dict)
    probabilities: Mapping[str, float] = field(default_factory=dict)
    question_faults: Mapping[str, QuestionFault] = field(default_factory=dict)
    shuffle_answers: bool = False
    most_questions: int = 400
    faults: Mapping[FaultLike, float] = field(default_factory=dict)
    fault_at: Mapping[int, FaultLike] = field(default_factory=dict)
    fault_where: Mapping[str, FaultLike] = field(default_factory=dict)
    vendor: str | Vendor = "openai"
    refuses: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    context_tokens: int | None = None
    api_key: str | None = None
    any_earlier: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        self.rules = find_vendor(self.vendor)
        self._rates = [(_fault(kind), rate) for kind, rate in self.faults.items()]
        self._at = {number: _fault(kind) for number, kind in self.fault_at.items()}
        self._where = {text: _fault(kind) for text, kind in self.fault_where.items()}

    def serve(self, arrival: Arrival) -> Served:
        """Decide what goes back for a request."""
        request = arrival.request
        fault = self._fault_for(request)
        if served := self._refused(request, fault):
            return served
        said = self.answer(request) if self.answer else None
        if isinstance(said, Fault):
            fault, said = said, None
            if served := self._refused(request, fault):
                return served
        reply = said if isinstance(said, Reply) else self._reply(request, said)
        return self._completed(arrival, reply, fault)

    def serve_decisions(self, protocol: Protocol, arrival: Arrival) -> Served:
        """Decide what goes back for questions to a decision model."""
        request = arrival.request
        fault = self._fault_for(request)
        if served := self._refused(request, fault):
            return served
        asked = questions_of(protocol, request.body)
        if len(asked) > self.most_questions:
            told = f"at most {self.most_questions} questions a request, and not {len(asked)}"
            return self.refuse(Problem(400, told, INVALID, None, "questions"))
        if (empty := nothing_to_decide(asked)) is not None:
            return self.refuse(Problem(422, empty, INVALID, None, "questions"))
        answers = answers_of(protocol, asked, self._probability, self._question_fault)
        if self.shuffle_answers:
            answers = shuffled(answers, self.seed)
        kind = fault.kind if fault else ""
        shared = arrival.record.shared if self.any_earlier else arrival.record.shared_answered
        count = decision_tally(request, len(asked), shared, 10.0 if kind == "overbilled" else 1.0)
        body = decision_body(protocol, request, answers, count)
        if kind == "wrong_schema":
            del body["answers"]
        return self._sent(json.dumps(body).encode(), fault.wait if fault else 0.0, fault, count)

    def _probability(self, question: Asked) -> float:
        said = last_match(self.probabilities, question.text)
        verdict = last_match(self.verdicts, question.text)
        if said is None and verdict is not None:
            return 0.9 if verdict else 0.1
        return plausible_probability(question) if said is None else said

    def _question_fault(self, question: Asked) -> QuestionFault | None:
        return last_match(self.question_faults, question.text)

    def refuse(self, problem: Problem, fault: Fault | None = None) -> Served:
        """An error, in the vendor's form."""
        headers = headers_of(fault) if fault else ()
        response = HttpResponse(problem.status, error_body(self.rules, problem), headers)
        return Served(response, fault.wait if fault else 0.0, fault)

    def _fault_for(self, request: Request) -> Fault | None:
        due = {text: fault for text, fault in self._where.items() if _is_due(fault, request)}
        scripted = self._at.get(request.number) or last_match(due, request.question, request.prompt)
        return scripted or self._drawn(request)

    def _drawn(self, request: Request) -> Fault | None:
        drawn = toss("fault", self.seed, request.number)
        for fault, rate in self._rates:
            drawn -= rate
            if drawn < 0:
                return fault if _is_due(fault, request) else None
        return None

    def _refused(self, request: Request, fault: Fault | None) -> Served | None:
        """The error of a fault, else the endpoint's own refusal of the request."""
        tokens = count_tokens(request.prompt)
        problem = fault and error_of(fault, self.rules, request, tokens)
        if problem:
            return self.refuse(problem, fault)
        if self.models and request.model not in self.models:
            problem = error_of(Fault("404"), self.rules, request, tokens)
        else:
            window = self.context_tokens
            problem = first_refusal(self.rules, request, self.refuses, window, tokens)
        return self.refuse(problem) if problem else None

    def _reply(self, request: Request, said: Mapping[str, Any] | str | None) -> Reply:
        return plausible(request, self.verdicts) if said is None else Reply(said)

    def _completed(self, arrival: Arrival, reply: Reply, fault: Fault | None) -> Served:
        request, record = arrival.request, arrival.record
        reply = within_limit(reply, request.output_limit(self.rules.output_limits))
        reply = spoilt(reply, fault) if fault else reply
        shared = record.shared if self.any_earlier else record.shared_answered
        count = tally(request, reply, shared, self.context_tokens)
        body = completion_body(request, reply, count, self.rules)
        return self._sent(body, reply.delay + (fault.wait if fault else 0.0), fault, count)

    def _sent(self, body: bytes, delay: float, fault: Fault | None, count: Tally) -> Served:
        """An answer as it goes over the wire."""
        kind = fault.kind if fault else ""
        if kind == "reset":
            return Served(HttpResponse(200, body, cut_at=len(body) // 2), delay, fault)
        if kind == "truncated_body":
            return Served(HttpResponse(200, body[: len(body) // 2]), delay, fault)
        return Served(HttpResponse(200, body), delay, fault, count)

    def listed_models(self) -> HttpResponse:
        """The list of models."""
        names = self.models or ("scripted",)
        rows = [{"id": name, "object": "model", "created": 0, "owned_by": "you"} for name in names]
        return HttpResponse(200, json.dumps({"object": "list", "data": rows}).encode())

    def unauthorized(self, authorization: str) -> HttpResponse | None:
        """The error for a request with a wrong key, or None where its key will do."""
        if self.api_key is None or authorization == f"Bearer {self.api_key}":
            return None
        return self.refuse(ERRORS["401"]).response


def _fault(kind: FaultLike) -> Fault:
    return kind if isinstance(kind, Fault) else Fault(kind)  # type: ignore[arg-type]  # it checks


def _is_due(fault: Fault, request: Request) -> bool:
    return fault.times is None or request.attempt <= fault.times
