"""All that is prepared once for a case: who sees what, and the calls that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.evidence import Group, Planner, Receipt, Room, Source, own
from rubric_engine.grading import Grade
from rubric_engine.jobs import Job
from rubric_engine.judges.simple.answer import grade_of
from rubric_engine.judges.simple.prompt import Prompts, longest_leaf, question_of
from rubric_engine.judges.simple.ranking import Ask, Order, asks
from rubric_engine.judges.simple.reading import Reading
from rubric_engine.judges.simple.sending import in_order
from rubric_engine.judges.simple.settings import SimpleSettings
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.judges.simple.verdict import schema_of
from rubric_engine.model import Completion, Message
from rubric_engine.submitted import Submission
from rubric_engine.tokens import estimate_tokens

SHORTER = 0.5
"""Share of the evidence that is kept for the one retry after a context overflow."""

_MARGIN = 500
"""Tokens for fences and for what a server adds to a prompt."""

BY_WORDS = Order()


@dataclass
class Preparation:
    """What a judge asks about one case.

    Attributes:
        settings: What the card says.
        templates: The prompt templates.
        case: What is judged.
        nonce: Code of the fences.
        judge: Name and fingerprint of the judge, for grades.
        receipts: Where the receipts of grades go, by hash.
        reading: Reads what answers cite.
    """

    settings: SimpleSettings
    templates: Templates
    case: Case
    nonce: str
    judge: str
    receipts: MutableMapping[str, Receipt]

    def __post_init__(self) -> None:
        rubric = self.case.task.rubric
        self._prompts = Prompts(self.templates, self.case.task, self.nonce)
        self._questions = {
            key: question_of(rubric[key], rubric.category_of(key).question)
            for key in rubric.leaves()
        }
        self.reading = Reading.of(self.case)
        self._short: dict[str, Group] = {}

    def rankings(self, leaves: Sequence[Criterion]) -> list[Job[Order]]:
        """The calls to make before `jobs`: one for each choice of files that is the model's.

        Raises:
            PaperError: The paper leaves no room for evidence.
        """
        asked = {leaf.key for leaf in leaves}
        return [ask.job for ask in self._asks if not asked.isdisjoint(ask.leaves)]

    def jobs(
        self, leaves: Sequence[Criterion], orders: Mapping[str, Order]
    ) -> Iterator[Job[Grade]]:
        """The calls about some leaves, in the order of sending.

        Args:
            leaves: The leaves.
            orders: What came of `rankings`, by key; a missing one is as if there were none.

        Raises:
            PaperError: The paper leaves no room for evidence.
        """
        asked = {leaf.key for leaf in leaves}
        plan = self._planner().plan({top: order.paths for top, order in orders.items()})
        pending = {group: [key for key in group.leaves if key in asked] for group in plan.groups}
        for group, after in in_order({group: keys for group, keys in pending.items() if keys}):
            order = orders.get(self._topics.get(group.leaves[0], ""), BY_WORDS)
            shown = group.unranked(order.fault)
            for key in pending[group]:
                shorten = partial(self._shorter, key, order)
                yield replace(self._job(key, shown), after=after, shorten=shorten)

    @cached_property
    def _asks(self) -> tuple[Ask, ...]:
        if self.settings.evidence.selection != "model":
            return ()
        return tuple(asks(self.case.task.rubric, self._planner(), self._prompts))

    @cached_property
    def _topics(self) -> dict[str, str]:
        """For leaves that a ranking concerns, its key."""
        return {leaf: ask.job.key for ask in self._asks for leaf in ask.leaves}

    def _job(self, key: str, group: Group) -> Job[Grade]:
        return Job(
            key=key,
            prefix=group.key,
            render=partial(self._messages, key, group),
            parse=partial(self._grade, group),
            schema=schema_of(self.case.task.rubric[key]),
        )

    def _messages(self, key: str, group: Group) -> tuple[Message, ...]:
        last = self._prompts.leaf(own(self.case.task.rubric, key), self._questions[key])
        return (*self._prompts.head, *self._prompts.shared(group), last)

    def _grade(self, group: Group, completion: Completion) -> Grade:
        self.receipts[group.receipt.sha256] = group.receipt
        return grade_of(completion, group.receipt, self.judge)

    def _shorter(self, key: str, order: Order) -> Job[Grade]:
        """The job of a leaf with less evidence, in the order that its own group has."""
        if key not in self._short:
            # A smaller room makes other groups. This order goes for all of them: whether another
            # ranking was asked for depends on what is pending, and a prompt must not.
            everywhere = dict.fromkeys(self.case.task.rubric.order, order.paths)
            plan = self._planner(self._shorter_chars).plan(everywhere if order.paths else {})
            topic = self._topics.get(key)
            for leaf in self._questions:
                if self._topics.get(leaf) == topic:
                    self._short[leaf] = plan.group_of(leaf).unranked(order.fault)
        return self._job(key, self._short[key])

    @cached_property
    def _shorter_chars(self) -> int:
        """Measured where files go by their words, so that it depends on no ranking."""
        groups = self._planner().plan({}).groups
        return int(max(sum(len(part.text) for part in group.shared) for group in groups) * SHORTER)

    def _planner(self, most_chars: int | None = None) -> Planner:
        """A planner; made anew each time, for it keeps all texts in memory.

        Args:
            most_chars: Room for files, where it is not the card's.
        """
        most = most_chars or self.settings.evidence.max_chars
        return case_planner(self.case, self._room(None if most == "all" else most))

    def _room(self, most_chars: int | None) -> Room:
        rubric, model = self.case.task.rubric, self.settings.model
        owns = [own(rubric, key) for key in rubric.leaves()]
        longest = longest_leaf(self._prompts, owns, self._questions)
        fixed = "".join(message.content for message in self._prompts.head) + longest
        tokens = model.context_tokens - estimate_tokens(fixed) - (model.max_output_tokens or 0)
        return Room(tokens - _MARGIN, estimate_tokens, most_chars)


def case_planner(case: Case, room: Room) -> Planner:
    """A planner of all that a case holds.

    Args:
        case: What is judged.
        room: Room of a prompt.
    """
    execution = case.execution
    executed = execution.submission if execution is not None else None
    log = execution.log if execution is not None else None
    return Planner(
        case.task.rubric,
        _source(case.submission),
        room,
        executed=_source(executed) if executed is not None else None,
        produced=sorted(execution.produced) if execution is not None else (),
        log=log.text if log is not None else None,
        not_taken=execution.not_taken if execution is not None else (),
    )


def _source(submission: Submission) -> Source:
    def read(path: str, most: int) -> str:
        return submission.read(path, max_bytes=most)

    return Source(submission.files, read)
