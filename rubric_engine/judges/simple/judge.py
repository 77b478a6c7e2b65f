"""The judge: plans evidence, makes one job a leaf, reads verdicts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.errors import SubmissionError
from rubric_engine.evidence import (
    Group,
    Plan,
    Room,
    Source,
    own,
    plan,
    render_notebook,
    shown_path,
)
from rubric_engine.grading import Grade
from rubric_engine.jobs import Job, run_jobs
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.simple.citations import check
from rubric_engine.judges.simple.prompt import Prompts, longest_leaf, question_of
from rubric_engine.judges.simple.sending import in_order
from rubric_engine.judges.simple.settings import SimpleSettings, prompt_hashes, read_prompts
from rubric_engine.judges.simple.verdict import CitedLines, schema_of, score_of
from rubric_engine.model import ChatModel, Completion, Message
from rubric_engine.submitted import Submission
from rubric_engine.tokens import estimate_tokens

_MOST_READ = 10_000_000  # bytes of a file in which a quote is looked for

SHORTER = 0.5
"""Share of the evidence that is kept for the one retry after a context overflow."""


class SimpleJudge:
    """Grades each leaf by one structured call to a chat model.

    Args:
        card: The card; its fingerprint comes to cover the prompts.
        settings: What the card says.
        folder: Where the card lies, with the prompts.
        model: Whom to ask.
        nonce: Code for the fences of a submission, by the submission's hash.
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
        self._texts = read_prompts(settings.prompts, folder)
        self._model = model
        self._nonce = nonce
        self.card = card.model_copy(update={"prompt_hashes": prompt_hashes(self._texts)})

    @property
    def prompts(self) -> dict[str, str]:
        """The prompt templates by name, as `PromptFiles` names them."""
        return dict(self._texts)

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`."""
        jobs = list(self.jobs(leaves, case))
        async for key, grade in run_jobs(jobs, self._model, sample=sample):
            yield key, grade

    def jobs(self, leaves: Sequence[Criterion], case: Case) -> Iterator[Job]:
        """The jobs of some leaves, in the order of sending.

        Raises:
            PaperError: The paper leaves no room for evidence; nothing has been sent then.
        """
        desk = _Desk(self._settings, self._texts, case, self._fence_code(case))
        asked = {leaf.key for leaf in leaves}
        pending = {
            group: [key for key in group.leaves if key in asked] for group in desk.plan.groups
        }
        for group, after in in_order({group: keys for group, keys in pending.items() if keys}):
            for key in pending[group]:
                yield self._job(key, group, after, desk)

    def _job(self, key: str, group: Group, after: str | None, desk: _Desk) -> Job:
        leaf = desk.case.task.rubric[key]
        return Job(
            key=key,
            prefix=group.key,
            after=after,
            render=partial(desk.messages, key, group),
            parse=partial(self._grade, group, desk),
            schema=schema_of(leaf),
            shorten=partial(desk.shorter, key),
        )

    def _grade(self, group: Group, desk: _Desk, completion: Completion) -> Grade:
        data = completion.data or {}
        cited = [CitedLines.model_validate(item) for item in data["citations"]]
        searched = ", ".join(data["searched"])
        explanation = data["findings"] + (f"\nSearched: {searched}" if searched else "")
        usage = completion.usage
        return Grade.graded(
            score_of(data),
            explanation,
            [check(place, desk.paths, desk.text) for place in cited],
            usage=usage.model_dump() if usage else {},
            judge=f"{self.card.name} {self.card.fingerprint[:12]}",
            receipt=group.receipt.sha256,
            calls=(completion.key,) if completion.key else (),
        )

    def _fence_code(self, case: Case) -> str:
        sha = case.submission.files.sha256
        return self._nonce(sha) if self._nonce is not None else sha[:16]


@dataclass
class _Desk:
    """All that is prepared once for a case."""

    settings: SimpleSettings
    texts: dict[str, str]
    case: Case
    nonce: str

    def __post_init__(self) -> None:
        task, rubric = self.case.task, self.case.task.rubric
        self.prompts = Prompts(self.texts, task, self.nonce)
        self.questions = {
            key: question_of(rubric[key], rubric.category_of(key).question)
            for key in rubric.leaves()
        }
        most = self.settings.evidence.max_chars
        self.plan = self._plan(None if most == "all" else most)
        self._short: Plan | None = None
        sources = [self.case.submission]
        if self.case.execution and self.case.execution.submission:
            sources.append(self.case.execution.submission)
        self._sources = sources[::-1]  # what the run left first: it holds what was produced
        self.paths = {
            shown_path(path): path for source in sources for path in source.files.readable
        }

    def messages(self, key: str, group: Group) -> tuple[Message, ...]:
        """The prompt of a leaf."""
        last = self.prompts.leaf(self.plan.own(key), self.questions[key])
        return (*self.prompts.head, *self.prompts.shared(group), last)

    def shorter(self, key: str) -> tuple[Message, ...]:
        """The prompt of a leaf with less evidence."""
        if self._short is None:
            sizes = (sum(len(part.text) for part in g.shared) for g in self.plan.groups)
            self._short = self._plan(int(max(sizes) * SHORTER))
        return self.messages(key, self._short.group_of(key))

    def text(self, path: str) -> str | None:
        """Text of a file as line numbers count it; None where there is none."""
        for source in self._sources:
            if path in source.files:
                try:
                    text = source.read(path, max_bytes=_MOST_READ)
                except SubmissionError:
                    return None
                notebook = source.files[path].kind == "notebook"
                return render_notebook(text) if notebook else text
        return None

    def _plan(self, most_chars: int | None) -> Plan:
        case, execution = self.case, self.case.execution
        executed = execution.submission if execution is not None else None
        log = execution.log if execution is not None else None
        return plan(
            case.task.rubric,
            _source(case.submission),
            self._room(most_chars),
            executed=_source(executed) if executed is not None else None,
            produced=sorted(execution.produced) if execution is not None else (),
            log=log.text if log is not None else None,
            not_taken=execution.not_taken if execution is not None else (),
        )

    def _room(self, most_chars: int | None) -> Room:
        rubric, model = self.case.task.rubric, self.settings.model
        owns = [own(rubric, key) for key in rubric.leaves()]
        longest = longest_leaf(self.prompts, owns, self.questions)
        fixed = "".join(message.content for message in self.prompts.head) + longest
        tokens = model.context_tokens - estimate_tokens(fixed) - (model.max_output_tokens or 0)
        return Room(tokens - _MARGIN, estimate_tokens, most_chars)


def _source(submission: Submission) -> Source:
    def read(path: str, most: int) -> str:
        return submission.read(path, max_bytes=most)

    return Source(submission.files, read)


_MARGIN = 500
"""Tokens for fences and for what a server adds to a prompt."""
