"""The judge: prepares a case, shares its leaves out over requests, and reads the answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, MutableMapping, Sequence
from pathlib import Path
from weakref import WeakValueDictionary

from rubric_engine.batches import Word, run_batches
from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.decision import Answer, DecisionModel
from rubric_engine.errors import RubricEngineError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.jobs import SHORTENED, not_asked
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.decision.answer import grade_of
from rubric_engine.judges.decision.preparation import Inquiry, Preparation
from rubric_engine.judges.decision.settings import FORMAT, DecisionSettings, prompt_files
from rubric_engine.judges.gone import with_reasons
from rubric_engine.judges.simple.card_prompts import CardPrompts
from rubric_engine.model import ModelFault


class DecisionJudge:
    """Asks a decision model about all leaves in as few requests as it takes.

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
        settings: DecisionSettings,
        folder: Path,
        model: DecisionModel,
        nonce: Callable[[str], str] | None = None,
    ) -> None:
        self.settings = settings
        self._prompts = CardPrompts(prompt_files(settings, folder), like="decision")
        self._model = model
        self._nonce = nonce
        self.receipts: MutableMapping[str, Receipt] = WeakValueDictionary()
        hashes = self._prompts.hashes(FORMAT)
        self.card = card.model_copy(update={"prompt_hashes": hashes})

    @property
    def prompts(self) -> dict[str, str]:
        """The prompt templates by name."""
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
        inquiry = prepared.inquiry(leaves)
        for key, grade in inquiry.unasked.items():
            yield key, grade
        too_long: list[Criterion] = []
        by_key = {leaf.key: leaf for leaf in leaves}
        try:
            async for asked, said in run_batches(inquiry.batches, self._model, sample=sample):
                for key, word in inquiry.by_leaf(asked, said):
                    if _overflowed(word):
                        too_long.append(by_key[key])
                    else:
                        yield key, self._grade(by_key[key], word, inquiry)
        except RubricEngineError as stop:
            for leaf in too_long:
                yield leaf.key, not_asked(stop)
            raise
        if too_long:
            shorter = prepared.shorter(too_long)
            async for asked, said in run_batches(shorter.batches, self._model, sample=sample):
                for key, word in shorter.by_leaf(asked, said):
                    yield key, _of_less(self._grade(by_key[key], word, shorter))

    def prepare(self, case: Case) -> Preparation:
        """Prepare the requests about a case, sending none."""
        sha = case.submission.files.sha256
        nonce = self._nonce(sha) if self._nonce is not None else sha[:16]
        return Preparation(self.settings, self._prompts.templates, case, nonce)

    def _grade(self, leaf: Criterion, word: Word, inquiry: Inquiry) -> Grade:
        if isinstance(word, RubricEngineError):
            return not_asked(word)
        if isinstance(word, ModelFault):
            return Grade.ungradeable(word.reason, word.message)
        receipt = inquiry.receipt
        self.receipts[receipt.sha256] = receipt
        name = f"{self.card.name} {self.card.fingerprint[:12]}"
        expected = self.settings.expected and leaf.key not in inquiry.verdicts
        settings = self.settings.model_copy(update={"expected": expected})
        grade = grade_of(leaf, word, settings)
        return grade.model_copy(update={"judge": name, "receipt": receipt.sha256})


def _overflowed(word: Word) -> bool:
    if isinstance(word, Answer):
        return word.flaw == "context_overflow"
    return isinstance(word, ModelFault) and word.reason == "context_overflow"


def _of_less(grade: Grade) -> Grade:
    """A grade that came of the shorter input, saying so."""
    said = f"{grade.explanation}\n{SHORTENED}".strip()
    return grade.model_copy(update={"explanation": said})
