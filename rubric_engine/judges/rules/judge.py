"""The rules judge: facts that a program can establish, without a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from rubric_engine.case import Case
from rubric_engine.criterion import Criterion
from rubric_engine.grading import Grade
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.rules.combine import grade_of
from rubric_engine.judges.rules.evaluate import evaluate
from rubric_engine.judges.rules.sql_desk import SqlDesk
from rubric_engine.judges.rules.view import Sight, sights

CARD = JudgeCard(name="rules", kind="rules")


class RulesJudge:
    """Grades leaves by their `checks`; a leaf without checks is for a model.

    It keeps nothing between two calls, and the order of leaves does not matter.

    Args:
        card: The card that defines it.
    """

    def __init__(self, card: JudgeCard = CARD) -> None:
        self.card = card

    async def grade(
        self, leaves: Sequence[Criterion], case: Case, *, sample: int = 0
    ) -> AsyncIterator[tuple[str, Grade]]:
        """Grade leaves; see `rubric_engine.judge.Judge`. Every sample is the same."""
        seen = await asyncio.to_thread(sights, case)
        with SqlDesk() as desk:
            for leaf in leaves:
                sight = seen[case.task.rubric.needs_run(leaf.key)]
                yield leaf.key, await asyncio.to_thread(_grade, leaf, sight, desk)


def _grade(leaf: Criterion, sight: Sight, desk: SqlDesk) -> Grade:
    if not leaf.checks:
        return Grade.ungradeable("needs_model", "the leaf has no checks")
    sight = replace(sight, partial_credit=leaf.partial_credit)
    return grade_of(leaf, [evaluate(check, sight, desk) for check in leaf.checks])
