"""The judge: prepares a case, has files ranked where its card says so, and asks about each leaf."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, MutableMapping, Sequence
from pathlib import Path
from weakref import WeakValueDictionary

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import RubricEngineError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.jobs import not_asked, run_jobs
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.gone import with_reasons
from rubric_engine.judges.simple.card_prompts import CardPrompts
from rubric_engine.judges.simple.citations import checked
from rubric_engine.judges.simple.preparation import Preparation
from rubric_engine.judges.simple.ranking import ranked
from rubric_engine.judges.simple.settings import FORMAT, SimpleSettings, prompt_files
from rubric_engine.model import ChatModel


class SimpleJudge:
    """Grades each leaf by one structured call to a chat model.

    Args:
        card: The card; its fingerprint comes to cover the prompts.
        settings: What the card says.
        folder: Where the card lies, with the prompts.
        model: Whom to ask.
        nonce: Code for the fences of a submission, by the submission's hash.

    Attributes:
        receipts: By hash, those of the grades that a grading under way has made.
    """

    def __init__(
        self,
        card: JudgeCard,
        settings: SimpleSettings,
        folder: Path,
        model: ChatModel,
        nonce: Callable[[str], str] | None = None,
    ) -> None:
        self._settings = settings
        self._prompts = CardPrompts(prompt_files(settings, folder), like="simple")
        self._model = model
        self._nonce = nonce
        # A grading holds its receipts itself: a judge that outlives it must not gather them.
        self.receipts: MutableMapping[str, Receipt] = WeakValueDictionary()
        hashes = self._prompts.hashes(FORMAT)
        self.card = card.model_copy(update={"prompt_hashes": hashes})

    @property
    def prompts(self) -> dict[str, str]:
        """The prompt templates by name, as `PromptFiles` names them."""
        return dict(self._prompts.texts)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        async for word in with_reasons(self._grades(leaves, case, sample), leaves):
            yield word

    async def _grades(
        self, leaves: Sequence[Criterion], case: Case, sample: int
    ) -> AsyncIterator[tuple[str, Grade]]:
        prepared = self.prepare(case)
        rankings = prepared.rankings(leaves)
        try:
            orders = await ranked(rankings, self._model)
        except RubricEngineError as stop:
            for leaf in leaves:
                yield leaf.key, not_asked(stop)
            raise
        jobs = list(prepared.jobs(leaves, orders))
        async for key, grade in run_jobs(jobs, self._model, sample=sample):
            yield key, await checked(grade, prepared.reading)

    def prepare(self, case: Case) -> Preparation:
        """Prepare the calls about a case, sending none."""
        sha = case.submission.files.sha256
        nonce = self._nonce(sha) if self._nonce is not None else sha[:16]
        name = f"{self.card.name} {self.card.fingerprint[:12]}"
        return Preparation(
            self._settings, self._prompts.templates, case, nonce, name, self.receipts
        )
