"""What a server remembers of the requests that it got."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from rubric_engine.testing.completion import Tally
from rubric_engine.testing.prefixes import PrefixIndex, chain
from rubric_engine.testing.values import Request, contents_of, model_of, prompt_of

KEPT = 100_000  # records; older ones go, the totals stay


@dataclass(slots=True)
class Record:
    """One chat request.

    Attributes:
        number: Its place in the order of arrival, from 1.
        prompt: Hash of its prompt; see `prompt_hash`.
        model: The model it asked for.
        chars: Characters of its prompt.
        shared: Of them, those of a prefix that any earlier request had.
        shared_answered: Of them, those of a prefix that an already answered request had.
        status: The HTTP status that went back; 0 while there is none.
        fault: What went wrong on purpose, if anything.
        answered: Whether a whole completion was sent, to a client that was still there.
        body: The request's body, where bodies are kept.
    """

    number: int
    prompt: str
    model: str
    chars: int
    shared: int
    shared_answered: int
    status: int = 0
    fault: str | None = None
    answered: bool = False
    body: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Stats:
    """Totals over all chat requests.

    Attributes:
        requests: How many came.
        answered: How many got a whole completion.
        prompts: How many different prompts came.
        max_in_flight: The most that were open at once.
        prompt_chars: Characters of all prompts.
        shared_chars: Of them, those of a prefix that any earlier request had.
        shared_answered_chars: Of them, those of a prefix that an already answered request had.
        prompt_tokens: Billed with completions, as all tokens below.
        cached_tokens: Of the prompts' tokens.
        completion_tokens: Reasoning included.
    """

    requests: int
    answered: int
    prompts: int
    max_in_flight: int
    prompt_chars: int
    shared_chars: int
    shared_answered_chars: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int


def prompt_hash(model: str, prompt: str) -> str:
    """A name for a prompt: equal for equal models and messages."""
    text = f"{model}\x1f{prompt}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


@dataclass
class Arrival:
    """A request that is being served, with what its prefix shares with earlier ones."""

    request: Request
    record: Record
    states: list[int]


@dataclass
class Recorder:
    """Takes note of requests as they come and as they are answered."""

    keep_bodies: bool = False
    requests: deque[Record] = field(default_factory=lambda: deque(maxlen=KEPT))
    per_prompt: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    in_flight: int = 0
    max_in_flight: int = 0
    _any: dict[str, PrefixIndex] = field(default_factory=dict)
    _answered: dict[str, PrefixIndex] = field(default_factory=dict)

    def arrive(self, body: dict[str, Any]) -> Arrival:
        """Note a request."""
        contents = contents_of(body)
        prompt = prompt_of(body, contents)
        name = prompt_hash(model_of(body), prompt)
        self.per_prompt[name] += 1
        number = self.totals["requests"] + 1
        request = Request(number, self.per_prompt[name], body, contents, prompt)
        states = chain(prompt)
        record = self._record(request, name, states)
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        return Arrival(request, record, states)

    def _record(self, request: Request, name: str, states: list[int]) -> Record:
        text, cache = request.prompt, _cache_of(request)
        shared = self._any.setdefault(cache, PrefixIndex())
        answered = self._answered.setdefault(cache, PrefixIndex())
        record = Record(
            number=request.number,
            prompt=name,
            model=request.model,
            chars=len(text),
            shared=shared.shared(text, states),
            shared_answered=answered.shared(text, states),
            body=dict(request.body) if self.keep_bodies else None,
        )
        shared.add(text, states)
        self.requests.append(record)
        self.totals.update(
            requests=1,
            prompt_chars=record.chars,
            shared_chars=record.shared,
            shared_answered_chars=record.shared_answered,
        )
        return record

    def answer(self, arrival: Arrival, tally: Tally) -> None:
        """Note that a whole completion is sent."""
        arrival.record.answered = True
        index = self._answered[_cache_of(arrival.request)]
        index.add(arrival.request.prompt, arrival.states)
        self.totals.update(
            answered=1,
            prompt_tokens=tally.prompt,
            cached_tokens=tally.cached,
            completion_tokens=tally.completion,
        )

    def depart(self) -> None:
        """Note that a request is no longer open."""
        self.in_flight -= 1

    def stats(self) -> Stats:
        """The totals so far."""
        names = [name for name in Stats.__slots__ if name not in ("prompts", "max_in_flight")]
        totals = {name: self.totals[name] for name in names}
        return Stats(prompts=len(self.per_prompt), max_in_flight=self.max_in_flight, **totals)


def _cache_of(request: Request) -> str:
    """Which cache serves a request: a schema stands before the messages of its prompt."""
    return f"{request.model}\x1f{request.body.get('response_format')}"
