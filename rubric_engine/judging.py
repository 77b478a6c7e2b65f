"""From a case to a grade of every leaf: what is settled, then what the judge says of the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from rubric_engine.asking import ask
from rubric_engine.beside import Aside, Beside
from rubric_engine.bookkeeping import Book
from rubric_engine.canary import AskedCanary, CanaryOutcome, Foreign
from rubric_engine.canary_case import CanaryCase, canary_case
from rubric_engine.case import Case
from rubric_engine.errors import RubricEngineError
from rubric_engine.evidence import Receipt
from rubric_engine.grading import Grade
from rubric_engine.judge import Judge
from rubric_engine.monitor import AreaOutcome, MonitorReport, Text, Watched, monitor
from rubric_engine.monitoring import Look, ModelMonitor, with_look
from rubric_engine.scanning import scan
from rubric_engine.settled import settled


async def judge_case(
    judge: Judge,
    case: Case,
    book: Book,
    canaries: tuple[Foreign, ...] = (),
    agent_log: Text | None = None,
    reader: ModelMonitor | None = None,
) -> None:
    """Enter a grade for every leaf that the book has none of, then try the judge with canaries.

    Args:
        judge: The judge.
        case: What it may read.
        book: Where its words are entered.
        canaries: What its canaries are drawn from.
        agent_log: Log of the agent that made the submission, for the monitor.
        reader: A model that reads it, once all leaves have a grade.
    """
    watched, by_rules = Watched.of(case, agent_log), list[MonitorReport]()
    # Beside the judging: a judge that asks a model waits most of its time.
    beside = Beside(
        Aside(lambda: scan(case), book.scanned),
        Aside(lambda: monitor(watched), by_rules.append),
    )
    try:
        await _graded(judge, case, book, canaries)
    except BaseException:
        # Whoever stops a run is not kept waiting for the rest.
        beside.give_up()
        raise
    await beside.end()
    said = await _read(reader, watched, book) if reader is not None else None
    found = by_rules[0] if said is None else with_look(by_rules[0], said)
    book.watched(found, said.reasons if said is not None else ())


async def _read(reader: ModelMonitor, watched: Watched, book: Book) -> Look:
    """Have a model read the log, last of all: it takes nothing from leaves that a cap leaves."""
    if book.is_stopped:
        why = "the run was stopped before a model read the log"
        return Look((), AreaOutcome(area="model", state="unknown", why=why), ("cancelled",))
    said = await reader.look(watched)
    if said.stop is not None:
        book.stop(said.stop)
    return said


async def _graded(judge: Judge, case: Case, book: Book, canaries: tuple[Foreign, ...]) -> None:
    rubric = case.task.view
    if getattr(judge, "reads_run", True):
        for key, grade in settled(rubric, case.execution).items():
            book.enter(key, grade)
    pending = [rubric[key] for key in rubric.leaves() if key not in book.grades]
    if pending:
        await ask(judge, pending, case, book)
    for key in rubric.leaves():
        book.enter(key, Grade.ungradeable("infra", "the judge said nothing about this leaf"))
    # Last, so that no canary takes from a leaf what a cap leaves.
    drawn = await asyncio.to_thread(canary_case, judge, case, canaries)
    if drawn is not None:
        book.tried(await _try(judge, drawn, book))


async def _try(judge: Judge, drawn: CanaryCase, book: Book) -> CanaryOutcome:
    words = _Words(book)
    if drawn.canaries and not book.is_stopped:
        await ask(judge, drawn.leaves, drawn.case, words)
    settings = judge.card.canaries
    unsaid = Grade.ungradeable("cancelled", "the run ended before the judge spoke of this canary")
    return CanaryOutcome(
        wanted=settings.count if settings is not None else 0,
        leaves=tuple(
            AskedCanary(
                key=key,
                task=canary.task,
                category=canary.leaf.task_category or "",
                requirements=canary.leaf.requirements,
                grade=words.grades.get(key, unsaid),
            )
            for key, canary in drawn.canaries.items()
        ),
    )


@dataclass
class _Words:
    """Takes a judge's words on canaries; whatever else happens goes into the book of the run."""

    book: Book
    grades: dict[str, Grade] = field(default_factory=dict)

    def enter(self, key: str, grade: Grade, receipts: Iterable[Receipt] = ()) -> None:
        """Take a word; the first on a canary stands."""
        self.grades.setdefault(key, grade)

    def note(self, code: str, message: str, details: str = "") -> None:
        """Enter a warning of the run."""
        self.book.note(code, message, details)

    def stop(self, error: RubricEngineError) -> None:
        """Enter what ended the run early."""
        self.book.stop(error)
