"""The seam to judges: the `Judge` protocol and the card that defines one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from rubric_engine.canary.settings import CanarySettings, spelt_out
from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.decision import DecisionModel, RequestLimits
from rubric_engine.errors import Place
from rubric_engine.grading import Grade
from rubric_engine.model import PACE, ChatModel, ModelConfig


class JudgeCard(BaseModel):
    """The file that defines a judge, `judge.yaml`.

    Keys that this model does not name are settings of the judge's kind, and are checked by it.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    judge: Literal[1] = Field(default=1, description="Version of the card's format.")
    name: str = Field(default="", description="Name of the judge; the folder's by default.")
    kind: str = Field(
        description="A built-in kind, an entry point of the group rubric_engine.judges, or "
        "package.module:Class."
    )
    description: str = Field(default="", description="What the judge does, in one sentence.")
    canaries: Annotated[CanarySettings | None, BeforeValidator(spelt_out)] = Field(
        default=None,
        description="How many criteria that are certainly false are mixed into a run, to see "
        "whether the judge calls one met: a number, or a mapping.",
    )

    @property
    def settings(self) -> dict[str, Any]:
        """The keys of the judge's own kind."""
        return dict(self.model_extra or {})

    @property
    def fingerprint(self) -> str:
        """Hash of all that defines the judge; the same for every spelling of the same card.

        How fast a model is asked, and how long it is waited for, is not among it; nor are
        canaries, which try a judge and change nothing of what it says.
        """
        content = self.model_dump(mode="json", exclude={"description", "canaries"})
        if isinstance(model := content.get("model"), dict):
            content["model"] = {key: said for key, said in model.items() if key not in PACE}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class JudgeContext:
    """What a judge may be made with, beside its card.

    Attributes:
        folder: Where the card lies; prompts and other files of the judge are relative to it.
        place: Where the card stands, for messages.
        connect: Gives a model that is asked through the ledger; None where no model may be asked.
        decide: The same for a decision model, with what its requests may hold.
        nonce: Gives the code of fences around a submission, by its hash.
        model: Settings of the model that take the place of the card's.
        window: Tells the context window of a model in tokens, where it is known; None elsewhere.
    """

    folder: Path = Path()
    place: Place = field(default_factory=lambda: Place("the judge card"))
    connect: Callable[[ModelConfig], ChatModel] | None = None
    decide: Callable[[ModelConfig, RequestLimits], DecisionModel] | None = None
    nonce: Callable[[str], str] | None = None
    model: Mapping[str, Any] = field(default_factory=dict)
    window: Callable[[ModelConfig], int | None] | None = None

    def effective(self, card: JudgeCard) -> JudgeCard:
        """The card with `model` in place of its own settings of the model.

        Price and window of a card are its own model's. Where another is named they are dropped
        unless they are given: the price is that of the list, and the window the default one,
        or a known smaller one. A known larger one is not taken: lists count the answer in.

        Args:
            card: A card with a key `model`, as `ModelConfig`.
        """
        own = card.settings.get("model") or {}
        if not self.model or not isinstance(own, dict):
            return card
        given = dict(self.model)
        if given.get("name", own.get("name")) != own.get("name"):
            own = {name: own[name] for name in own.keys() - {"price", "context_tokens"}}
            given = self._windowed({**own, **given})
        return card.model_copy(update={"model": {**own, **given}})

    def _windowed(self, model: dict[str, Any]) -> dict[str, Any]:
        try:
            config = ModelConfig.model_validate(model)
        except ValidationError:
            return model  # whoever reads the card says what is wrong
        known = self.window(config) if self.window is not None else None
        if known is None or known >= config.context_tokens or "context_tokens" in model:
            return model
        return model | {"context_tokens": known}


@runtime_checkable
class Judge(Protocol):
    """Grades leaves.

    One whose grades name receipts has them as `receipts`, by hash, while it grades.
    """

    card: JudgeCard

    def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves, yielding each as it is known, in any order.

        Args:
            leaves: Every leaf that is still to be graded.
            case: What the judge may read.
            sample: Number of the repetition, where a judgement is repeated.

        Returns:
            Pairs of key and grade. A leaf that the judge cannot grade is yielded as
            `Grade.ungradeable` with its reason, never as 0 and never left out.
        """
        ...
