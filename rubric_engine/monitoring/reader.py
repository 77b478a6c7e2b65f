"""The model monitor: asks a model about each part of an agent's log, once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from rubric_engine.errors import BudgetError, RubricEngineError
from rubric_engine.grading import Reason
from rubric_engine.jobs import Job, run_calls_so_far
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.simple.card_prompts import CardPrompts
from rubric_engine.judges.simple.fence import neutral
from rubric_engine.model import ChatModel, Completion, Message, ModelFault, text_hash
from rubric_engine.monitor import (
    AreaOutcome,
    Draft,
    MonitorReport,
    Text,
    Watched,
    findings_of,
)
from rubric_engine.monitoring.answer import MonitorAnswer, drafts_of
from rubric_engine.monitoring.chunks import Chunk, chunks
from rubric_engine.monitoring.settings import FORMAT, MonitorCard

_SHARE = 0.6
"""Of a model's window, what a part of a log may take: estimates err, and answers take room."""

_Said = tuple[Draft, ...] | None
"""What an answer says; None where it cannot be read."""

_NO_LOG = "no log of an agent was given"


@dataclass(frozen=True)
class Look:
    """What a model said of a log.

    Attributes:
        drafts: What it found.
        outcome: Whether it read all of it.
        reasons: Why parts of it have no answer.
        stop: What ended it early.
    """

    drafts: tuple[Draft, ...]
    outcome: AreaOutcome
    reasons: tuple[Reason, ...] = ()
    stop: RubricEngineError | None = None


class ModelMonitor:
    """Reads the log of an agent, part by part.

    Args:
        card: The card; its fingerprint comes to cover the prompts.
        settings: What the card says.
        folder: Where the card lies, with the prompts.
        model: Whom to ask.
        nonce: Code for the fences around a log, by its hash.
    """

    def __init__(
        self,
        card: JudgeCard,
        settings: MonitorCard,
        folder: Path,
        model: ChatModel,
        nonce: Callable[[str], str] | None = None,
    ) -> None:
        files = {name: folder / file for name, file in settings.prompts.model_dump().items()}
        self.settings = settings
        self._prompts = CardPrompts(files, like="monitor")
        self._model = model
        self._nonce = nonce
        self.card = card.model_copy(update={"prompt_hashes": self._prompts.hashes(FORMAT)})

    @property
    def prompts(self) -> Mapping[str, str]:
        """The prompt templates by name."""
        return dict(self._prompts.texts)

    async def look(self, watched: Watched) -> Look:
        """Ask about every part; a part without an answer is told, and is no violation.

        What must stop the run is in `Look.stop`: answers that came before are on record.
        """
        log = watched.agent_log
        if log is None:
            return Look((), AreaOutcome(area="model", state="not_checked", why=_NO_LOG))
        jobs = list(self.jobs(watched))
        said, stop = await run_calls_so_far(jobs, self._model)
        return _look(said, len(jobs), self._model.config.name, stop)

    def jobs(self, watched: Watched) -> Iterator[Job[_Said]]:
        """The calls about a log, in order; no prompt is made before its call may start."""
        log = watched.agent_log
        if log is None:
            return
        sha = text_hash(log.text)
        nonce = self._nonce(sha) if self._nonce is not None else sha[:16]
        head = self._head(watched, nonce)
        room, overlap = self._cut
        for number, chunk in enumerate(chunks(log.text, room, overlap), 1):
            yield Job(
                key=str(number),
                prefix="log",
                render=partial(self._messages, head, log, chunk, number, nonce),
                parse=partial(_parsed, log, chunk),
                schema=MonitorAnswer,
            )

    @property
    def identity(self) -> str:
        """Hash of what makes its calls about a log others: prompts, the cut, and the model."""
        parts = [self._prompts.hashes(FORMAT), self._cut, self.settings.model.requested]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def _cut(self) -> tuple[int, int]:
        """Tokens of a part, and of what the next one repeats."""
        cut = self.settings.chunk
        room = min(cut.tokens, int(_SHARE * self.settings.model.context_tokens))
        return room, min(cut.overlap, room // 4)

    def _head(self, watched: Watched, nonce: str) -> tuple[Message, ...]:
        task = watched.task
        values = {
            "title": task.title or task.name,
            "blacklist": task.blacklist,
            "masked": watched.masked,
            "hosts": watched.hosts,
            "hides_paper": watched.hides_paper,
        }
        render = self._prompts.templates.render
        system = render("system", {"nonce": nonce})
        return (
            Message(role="system", content=system),
            Message(role="user", content=render("task", values)),
        )

    def _messages(
        self, head: tuple[Message, ...], log: Text, chunk: Chunk, number: int, nonce: str
    ) -> tuple[Message, ...]:
        values = {"number": number, "nonce": nonce, "text": neutral(chunk.numbered(log.text))}
        part = self._prompts.templates.render("part", values)
        return (*head, Message(role="user", content=part))


def _parsed(log: Text, chunk: Chunk, completion: Completion) -> _Said:
    try:
        answer = MonitorAnswer.model_validate(completion.data or {})
    except ValidationError:
        # On record from a release that asked less of an answer.
        return None
    return tuple(drafts_of(answer, log.name, log.text, chunk))


def _look(
    said: Mapping[str, _Said | ModelFault],
    parts: int,
    model: str,
    stop: RubricEngineError | None,
) -> Look:
    read, lost = list[tuple[Draft, ...]](), list[Reason]()
    for key in sorted(said, key=int):
        came = said[key]
        if isinstance(came, ModelFault):
            lost.append(came.reason)
        elif came is None:
            lost.append("unparseable")
        else:
            read.append(came)
    found, whys = _each_once(read), list[str]()
    if stop is None and not lost:
        why = f"{model} read {_parts(parts)}"
        return Look(found, AreaOutcome(area="model", state="checked", why=why))
    if lost:
        named = ", ".join(sorted(set(lost)))
        whys.append(f"{len(lost)} of {_parts(parts)} have no answer that can be read ({named})")
    if stop is not None:
        lost.insert(0, "budget" if isinstance(stop, BudgetError) else "provider_error")
        whys.append(f"{len(read)} of {_parts(parts)} read, not to its end: {stop.message}")
    outcome = AreaOutcome(area="model", state="unknown", why="; ".join(whys))
    return Look(found, outcome, tuple(dict.fromkeys(lost)), stop)


def _parts(number: int) -> str:
    return "1 part" if number == 1 else f"{number} parts"


def _each_once(found: Iterable[tuple[Draft, ...]]) -> tuple[Draft, ...]:
    """What two parts share is found twice."""
    once: dict[tuple[str, int | None, str], Draft] = {}
    for draft in (each for drafts in found for each in drafts):
        once.setdefault((draft.rule, draft.line, draft.text), draft)
    return tuple(once.values())


def with_look(report: MonitorReport, look: Look) -> MonitorReport:
    """What rules found, and what a model said."""
    return MonitorReport(
        findings=(*report.findings, *findings_of(look.drafts)),
        areas=(*report.areas, look.outcome),
        claims=report.claims,
        unlisted=report.unlisted,
    )
