"""A judge loaded without any key, to see what it would ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from rubric_engine.canary import Foreign
from rubric_engine.canary_case import CANARIES, canary_pool, load_canaries
from rubric_engine.decision import Answer, Question, RequestLimits
from rubric_engine.errors import UsageError
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.judges import load_judge
from rubric_engine.judges.combine import Composite
from rubric_engine.kept import load_kept_judge
from rubric_engine.model import Completion, Message, ModelConfig
from rubric_engine.monitoring import ModelMonitor, kept_monitor, load_monitor
from rubric_engine.spending import listed_window
from rubric_engine.state import fence_code


@dataclass
class Unasked:
    """A model that has a config and is never asked."""

    config: ModelConfig

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, sample: int = 0
    ) -> Completion:
        """Refuse.

        Raises:
            UsageError: Always.
        """
        raise UsageError("a dry run asks no model")

    async def decide(
        self, input: Sequence[Message], questions: Sequence[Question], *, sample: int = 0
    ) -> Sequence[Answer]:
        """Refuse.

        Raises:
            UsageError: Always.
        """
        raise UsageError("a dry run asks no model")


@dataclass(frozen=True)
class Candidate:
    """A judge that was loaded without asking for any key.

    Attributes:
        judge: The judge; it can plan, and not ask.
        models: What it would ask, in order; empty where it asks none.
        canaries: What its canaries are drawn from.
    """

    judge: Judge
    models: tuple[ModelConfig, ...]
    canaries: tuple[Foreign, ...] = ()

    def askers(self, model: ModelConfig) -> tuple[str, ...]:
        """Names of the members that ask a model, as their cards say; none where it has none."""
        names = (
            each.card.name
            for each in _members(self.judge)
            if _model_of(each) == model and each is not self.judge
        )
        return tuple(dict.fromkeys(names))


def _members(judge: Judge) -> Iterator[Judge]:
    """The judges that a judge is made of, down to those that are made of none."""
    if isinstance(judge, Composite):
        for member in judge.judges:
            yield from _members(member)
    else:
        yield judge


def _model_of(judge: Judge) -> ModelConfig | None:
    try:
        return ModelConfig.model_validate(judge.card.settings.get("model"))
    except ValidationError:
        return None  # somebody else's judge may mean another thing by it


def load_candidate(
    judge: str | JudgeCard,
    *,
    untrusted: Path | None = None,
    model: Mapping[str, Any] | None = None,
) -> Candidate:
    """Load a judge to see what it would ask.

    Args:
        judge: Path or name of a judge card, or a card.
        untrusted: A submission's root; no card that lies in it is found by name.
        model: Settings of the model that take the place of the card's.

    Raises:
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    found = _candidate(
        lambda context: load_judge(
            judge, untrusted=untrusted, context=replace(context, model=model or {})
        )
    )
    return replace(found, canaries=canary_pool(found.judge, untrusted))


def load_reader(
    name: str, *, untrusted: Path | None = None, model: Mapping[str, Any] | None = None
) -> ModelMonitor:
    """Load a monitor to see what it would ask; arguments as `load_candidate`.

    Raises:
        JudgeCardError: There is no such card, or it is no monitor.
    """
    context = replace(_UNASKED, model=model or {})
    return load_monitor(name, context, untrusted=untrusted)


def kept_reader(folder: Path) -> ModelMonitor | None:
    """Load the monitor that a run kept to see what it would ask; None where it had none.

    Args:
        folder: Where the files of the run's judge are.
    """
    return kept_monitor(folder, _UNASKED)


def kept_candidate(folder: Path) -> Candidate:
    """Load the judge that a run kept to see what it would ask.

    Args:
        folder: Where its files are.

    Raises:
        RunError: The files do not make a judge.
    """
    found = _candidate(lambda context: load_kept_judge(folder, context))
    return replace(found, canaries=load_canaries(folder / CANARIES))


def _candidate(load: Callable[[JudgeContext], Judge]) -> Candidate:
    models: list[ModelConfig] = []

    def connect(config: ModelConfig) -> Unasked:
        models.append(config)
        return Unasked(config)

    def decide(config: ModelConfig, _: RequestLimits) -> Unasked:
        return connect(config)

    judge = load(
        JudgeContext(connect=connect, decide=decide, nonce=fence_code, window=listed_window)
    )
    return Candidate(judge, tuple(models))


_UNASKED = JudgeContext(connect=Unasked, nonce=fence_code, window=listed_window)
"""What a monitor is made with that is not asked."""
