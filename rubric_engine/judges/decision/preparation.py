"""All that is prepared once for a case: the input that all leaves share, and the questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rubric_engine.batches import Batch, Word, packed
from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.decision import Answer, Question, question_tokens
from rubric_engine.evidence import Part, Receipt, Room, own
from rubric_engine.grading import Grade
from rubric_engine.judges.decision.answer import question_about, steps
from rubric_engine.judges.decision.settings import DecisionSettings
from rubric_engine.judges.simple.preparation import SHORTER, case_planner
from rubric_engine.judges.simple.prompt import Prompts
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.model import Message
from rubric_engine.tokens import estimate_tokens

_MARGIN = 500
"""Tokens for fences and for what a server adds to a request."""


@dataclass(frozen=True)
class Inquiry:
    """What is asked about some leaves.

    Attributes:
        batches: The requests.
        receipt: What their input does not show.
        unasked: Grades of the leaves that no request can ask about.
        askers: By the key of each question, the leaves that ask it: those of the same words ask
            once.
        verdicts: Leaves under a group that is no weighted mean. Of expected scores it would make
            what nobody expects: `all` of 0.99 and 0.98 is a zero that nobody said.
    """

    batches: tuple[Batch, ...]
    receipt: Receipt
    unasked: Mapping[str, Grade]
    askers: Mapping[str, tuple[str, ...]]
    verdicts: frozenset[str]

    def by_leaf(self, key: str, word: Word) -> Iterator[tuple[str, Word]]:
        """What came of a question, for each leaf that asks it; they share its tokens."""
        leaves = self.askers[key]
        if not isinstance(word, Answer) or word.usage is None:
            yield from ((leaf, word) for leaf in leaves)
            return
        for leaf, share in zip(leaves, word.usage.shares(len(leaves)), strict=True):
            yield leaf, word.model_copy(update={"usage": share})


@dataclass
class Preparation:
    """What a judge asks about one case.

    Attributes:
        settings: What the card says.
        templates: The prompt templates.
        case: What is judged.
        nonce: Code of the fences.
    """

    settings: DecisionSettings
    templates: Templates
    case: Case
    nonce: str

    def __post_init__(self) -> None:
        self._prompts = Prompts(self.templates, self.case.task, self.nonce)

    def inquiry(self, leaves: Sequence[Criterion]) -> Inquiry:
        """The requests about some leaves.

        Raises:
            PaperError: The paper leaves no room for evidence.
        """
        return self._inquiry(leaves, *self._evidence)

    def shorter(self, leaves: Sequence[Criterion]) -> Inquiry:
        """The same with about half the evidence."""
        chars = sum(len(part.text) for part in self._evidence[0])
        # Counted by its characters in place of the tokens that were estimated wrongly.
        return self._inquiry(leaves, *self._chosen(max(1000, int(chars * SHORTER))))

    def question(self, leaf: Criterion) -> Question:
        """The question about a leaf, with those above it."""
        rubric = self.case.task.rubric
        asked = rubric.category_of(leaf.key).question
        return question_about(leaf, self._prompts.leaf(own(rubric, leaf.key), asked).content)

    def _inquiry(
        self, leaves: Sequence[Criterion], parts: tuple[Part, ...], receipt: Receipt
    ) -> Inquiry:
        most = self.settings.requests.levels
        unfit = [leaf for leaf in leaves if leaf.scale and not 2 <= len(steps(leaf)) <= most]
        unasked = {leaf.key: _not_taken(leaf, most) for leaf in unfit}
        questions, askers = _once(self.question(leaf) for leaf in leaves if leaf.key not in unasked)
        shown = self._input(parts)
        room = self.settings.most_tokens - _MARGIN - _tokens(shown)
        shared = packed(
            questions, question_tokens, room=room, most=self.settings.requests.questions
        )
        prefix = "".join(part.sha256 for part in parts)
        batches = tuple(Batch(shown, prefix, each) for each in shared)
        verdicts = frozenset(leaf.key for leaf in leaves if not self._is_of_means(leaf.key))
        return Inquiry(batches, receipt, unasked, askers, verdicts)

    def _is_of_means(self, key: str) -> bool:
        """Whether every group above a leaf is a weighted mean."""
        rubric = self.case.task.rubric
        return all(
            rubric[group].aggregate in (None, "weighted_mean")
            for group in rubric.path(key)
            if group != key
        )

    def _input(self, parts: Sequence[Part]) -> tuple[Message, ...]:
        return (*self._prompts.head, *self._prompts.parts(parts))

    @cached_property
    def _evidence(self) -> tuple[tuple[Part, ...], Receipt]:
        most = self.settings.evidence.max_chars
        return self._chosen(None if most == "all" else int(most))

    def _chosen(self, most_chars: int | None) -> tuple[tuple[Part, ...], Receipt]:
        # Half of a request at most is evidence, whatever the leaves say: what is chosen must not
        # change where one of them is edited.
        tokens = self.settings.most_tokens - _tokens(self._prompts.head) - _MARGIN
        room = Room(tokens // 2, estimate_tokens, most_chars)
        return case_planner(self.case, room).union()


def _once(asked: Iterable[Question]) -> tuple[list[Question], dict[str, tuple[str, ...]]]:
    """Questions without those that repeat one, and by the key of each who asks it."""
    firsts: dict[Question, Question] = {}
    askers: dict[str, tuple[str, ...]] = {}
    for question in asked:
        first = firsts.setdefault(question.model_copy(update={"key": ""}), question)
        askers[first.key] = (*askers.get(first.key, ()), question.key)
    return list(firsts.values()), askers


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)


def _not_taken(leaf: Criterion, most: int) -> Grade:
    """One such question, and the server would refuse the request of all."""
    said = f"its scale has {len(steps(leaf))} different scores, and this model takes 2 to {most}"
    return Grade.ungradeable("needs_model", said)
