"""Judging case after case, each kept as soon as it is done, and going on where that stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rubric_engine.connection import Spending
from rubric_engine.errors import BudgetError, CredentialsError, ProviderError, UsageError
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED, REASONS
from rubric_engine.judgeeval.cases import LabelledCase
from rubric_engine.judgeeval.evaluation import CaseResult, Evaluation, LeafResult
from rubric_engine.judgeeval.planted import Planted
from rubric_engine.judgeeval.preparing import AnyJudge
from rubric_engine.judgeeval.results import FACTS, load_evaluation, save_evaluation
from rubric_engine.judgeeval.single import Judged, Judging, judge_one
from rubric_engine.judgeeval.watching import Watcher
from rubric_engine.kept.inputs import LIST
from rubric_engine.lookup import is_file
from rubric_engine.rundir import new_run_name

_ENDS_ALL = (BudgetError.exit_code, ProviderError.exit_code, CredentialsError.exit_code)
"""What ends one case so would end every next one."""

_FAILURES = frozenset(REASONS) - NOBODY_TRIED


@dataclass(frozen=True)
class Series:
    """Cases to judge.

    Attributes:
        cases: The cases.
        judge: The judge, or what makes one of each case.
        how: How, but for the judge.
        out: Where the evaluation is kept, or None.
        watcher: Is told how it goes.
    """

    cases: Sequence[LabelledCase]
    judge: AnyJudge
    how: Judging
    out: Path | None
    watcher: Watcher

    async def carry_out(self, start: Evaluation) -> Evaluation:
        """Judge every case that is not done.

        Args:
            start: The evaluation with every case unjudged.

        Raises:
            UsageError: The folder holds another evaluation.
        """
        standing = self._standing(start)
        fresh, parts = parts_of(start), parts_of(standing)
        for case in self.cases:
            if self._is_done(case, parts[case.name]):
                continue
            parts[case.name] = self._begun(case, parts[case.name], fresh[case.name])
            self._keep(standing, parts)
            found = await self._judge(case, parts)
            parts[case.name] = found
            self._keep(standing, parts)
            self.watcher.end(found.result)
            if found.result.exit_code in _ENDS_ALL:
                break
        return whole(standing, parts)

    async def _judge(self, case: LabelledCase, parts: Mapping[str, Judged]) -> Judged:
        before = parts[case.name]
        self.watcher.begin(case, frozenset(leaf.key for leaf in before.leaves))
        judge = self.judge.make(case) if isinstance(self.judge, Planted) else self.judge
        others = [part.result for name, part in parts.items() if name != case.name]
        how = replace(self.how, judge=judge, spending=left(self.how.spending, others))
        return await judge_one(case, before, how, self.watcher)

    def _standing(self, start: Evaluation) -> Evaluation:
        """The evaluation that is gone on with: the one in the folder, else a new one."""
        if self.out is None or not (self.out / FACTS).is_file() or self.how.spending.fresh:
            return start
        known = load_evaluation(self.out)
        if told := unlike(known, start):
            raise UsageError(
                f"{self.out} holds another evaluation",
                code="E007",
                looked=told,
                fix=["name another folder with -o DIR", f"rm -r {self.out}   forgets it"],
            )
        return known

    def _is_done(self, case: LabelledCase, part: Judged) -> bool:
        if not part.result.finished or part.result.trouble is not None:
            return False
        again = _FAILURES if self.how.spending.retry_failed else MISSING_WORK
        if any(leaf.reason in again for leaf in part.leaves):
            return False
        return not _changed(case, part)

    def _begun(self, case: LabelledCase, before: Judged, fresh: Judged) -> Judged:
        """The case with the run that it is judged in; a run that kept nothing is begun anew."""
        if self.how.runs is None:
            return before
        run = before.result.run
        if run is not None and is_file(self.how.runs / run / LIST) and not _changed(case, before):
            return before
        named = {"run": new_run_name(case.task.name)}
        return replace(fresh, result=fresh.result.model_copy(update=named))

    def _keep(self, standing: Evaluation, parts: Mapping[str, Judged]) -> None:
        if self.out is not None:
            save_evaluation(whole(standing, parts), self.out)


def _changed(case: LabelledCase, part: Judged) -> bool:
    """Whether the submission is another one than was judged."""
    judged = part.result.submission_sha256
    return judged is not None and case.load()[0].files.sha256 != judged


def parts_of(evaluation: Evaluation) -> dict[str, Judged]:
    """The evaluation case by case, in order."""
    leaves: dict[str, list[LeafResult]] = {case.name: [] for case in evaluation.cases}
    for leaf in evaluation.leaves:
        leaves[leaf.case].append(leaf)
    return {case.name: Judged(case, tuple(leaves[case.name])) for case in evaluation.cases}


def whole(evaluation: Evaluation, parts: Mapping[str, Judged]) -> Evaluation:
    """The evaluation put together of its cases."""
    return evaluation.model_copy(
        update={
            "cases": tuple(part.result for part in parts.values()),
            "leaves": tuple(leaf for part in parts.values() for leaf in part.leaves),
        }
    )


def left(spending: Spending, others: Sequence[CaseResult]) -> Spending:
    """What one case may spend of what all may: the rest of the others."""
    cost, tokens = spending.max_cost, spending.max_tokens
    if cost is not None:
        cost = max(0.0, cost - sum(each.paid or 0.0 for each in others))
    if tokens is not None:
        tokens = max(1, tokens - sum(each.tokens for each in others))
    return replace(spending, max_cost=cost, max_tokens=tokens)


def unlike(known: Evaluation, start: Evaluation) -> list[str]:
    """In words, how an evaluation differs from what is to be evaluated now; empty if nowhere."""
    facts: dict[str, Callable[[Evaluation], object]] = {
        "judge": lambda each: each.judge.fingerprint,
        "threshold": lambda each: each.threshold,
        "sample": lambda each: each.sample,
        "sandbox": lambda each: each.sandbox,
        "cases": lambda each: [case.name for case in each.cases],
        "rubrics": lambda each: [case.rubric_sha256 for case in each.cases],
        "labels": lambda each: [case.labels_sha256 for case in each.cases],
    }
    return [
        _words(what, of(known), of(start)) for what, of in facts.items() if of(known) != of(start)
    ]


def _words(what: str, there: object, now: object) -> str:
    if isinstance(there, list) or what == "judge":
        return f"{what}: others than now"
    return f"{what}: {there} there, {now} now"
