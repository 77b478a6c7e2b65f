"""Judging case after case, each kept as soon as it is done, and going on where that stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rubric_engine.connection import Spending
from rubric_engine.errors import (
    BudgetError,
    CredentialsError,
    ProviderError,
    SubmissionError,
    UsageError,
)
from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED, REASONS
from rubric_engine.judgeeval.case_result import CaseResult, LeafResult
from rubric_engine.judgeeval.cases import HandedIn, LabelledCase
from rubric_engine.judgeeval.evaluation import Evaluation, Sample
from rubric_engine.judgeeval.judged import Judged
from rubric_engine.judgeeval.planted import Planted
from rubric_engine.judgeeval.preparing import AnyJudge
from rubric_engine.judgeeval.result_folder import writing
from rubric_engine.judgeeval.results import FACTS, load_evaluation, save_evaluation
from rubric_engine.judgeeval.single import Judging, failed, judge_one
from rubric_engine.judgeeval.spent import left_of, spent_in, spent_on
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
        with writing(self.out, self.cases):
            standing = self._standing(start)
            parts = parts_of(standing)
            for case, fresh in zip(self.cases, parts_of(start).values(), strict=True):
                found = await self._next(case, fresh, parts, standing)
                if found.result.exit_code in _ENDS_ALL:
                    break
            return whole(standing, parts)

    async def _next(
        self, case: LabelledCase, fresh: Judged, parts: dict[str, Judged], standing: Evaluation
    ) -> Judged:
        """Judge a case where it is not done; `parts` holds how it stands, and is kept."""
        before = parts[case.name]
        try:
            handed_in = case.load()
        except SubmissionError as error:
            parts[case.name] = failed(fresh, error)
            self._keep(standing, parts)
            self.watcher.end(parts[case.name].result)
            return parts[case.name]
        changed = self._changed(case, before, handed_in)
        if not changed and self._is_done(before, fresh):
            self.watcher.kept(before.result)
            return before
        parts[case.name] = self._begun(case, before, fresh, handed_in, changed=changed)
        self._keep(standing, parts)
        self.watcher.begin(case, parts[case.name].asked)
        judge = self.judge.make(case) if isinstance(self.judge, Planted) else self.judge
        how = replace(self.how, judge=judge, spending=self._left(case.name, parts))
        found = await judge_one(case, parts[case.name], handed_in, how, self.watcher)
        parts[case.name] = found
        self._keep(standing, parts)
        self.watcher.end(found.result)
        return found

    def _left(self, name: str, parts: Mapping[str, Judged]) -> Spending:
        """What the run of one case may spend: what other cases, and earlier runs of it, left."""
        own, runs = parts[name].result, self.how.runs
        spent = [spent_on(part.result, runs) for other, part in parts.items() if other != name]
        return left_of(self.how.spending, [*spent, (own.paid_before, own.tokens_before)])

    def _standing(self, start: Evaluation) -> Evaluation:
        """The evaluation that is gone on with: the one in the folder, else a new one."""
        if self.out is None or not is_file(self.out / FACTS):
            return start
        known = load_evaluation(self.out, torn=True)
        told, what = unlike(known, start), "another evaluation"
        if start.fresh and not told and (known.complete or not known.fresh):
            what = "an evaluation that --fresh would replace"
            told = ["without --fresh it is gone on with"]
        if told:
            raise UsageError(
                f"{self.out} holds {what}",
                code="E007",
                looked=told,
                fix=[
                    "name another folder with -o DIR",
                    f"rm -r {self.out}   forgets the table; answers that were paid for stay on"
                    " record",
                ],
            )
        return known

    def _is_done(self, part: Judged, fresh: Judged) -> bool:
        """Whether nothing is left to ask; leaves that the file has lost are to be asked again."""
        if not part.result.finished or part.result.trouble is not None:
            return False
        again = _FAILURES if self.how.spending.retry_failed else MISSING_WORK
        return part.keys == fresh.keys and not any(leaf.reason in again for leaf in part.leaves)

    def _changed(self, case: LabelledCase, part: Judged, handed_in: HandedIn) -> bool:
        """Whether the submission is another one than was begun with."""
        judged = part.result.submission_sha256
        return judged is not None and judged != case.sha256_of(handed_in)

    def _begun(
        self,
        case: LabelledCase,
        before: Judged,
        fresh: Judged,
        handed_in: HandedIn,
        *,
        changed: bool,
    ) -> Judged:
        """The case with the run that it is judged in; a run that kept nothing is begun anew."""
        run, runs = before.result.run, self.how.runs
        facts: dict[str, Any] = {"submission_sha256": case.sha256_of(handed_in)}
        if runs is not None:
            goes_on = run is not None and is_file(runs / run / LIST) and not changed
            facts |= self._going_on(before.result) if goes_on else self._anew(case, before.result)
        return replace(fresh, result=fresh.result.model_copy(update=facts))

    def _going_on(self, before: CaseResult) -> dict[str, Any]:
        names = ("run", "paid_before", "tokens_before")
        return {name: getattr(before, name) for name in names}

    def _anew(self, case: LabelledCase, before: CaseResult) -> dict[str, Any]:
        dollars, tokens = spent_in(before.run, self.how.runs)
        return {
            "run": new_run_name(case.task.name),
            "paid_before": before.paid_before + dollars,
            "tokens_before": before.tokens_before + tokens,
        }

    def _keep(self, standing: Evaluation, parts: Mapping[str, Judged]) -> None:
        if self.out is not None:
            save_evaluation(whole(standing, parts), self.out)


def parts_of(found: Evaluation) -> dict[str, Judged]:
    """An evaluation case by case, in order."""
    leaves: dict[str, list[LeafResult]] = {case.name: [] for case in found.cases}
    for leaf in found.leaves:
        leaves[leaf.case].append(leaf)
    return {case.name: Judged(case, tuple(leaves[case.name])) for case in found.cases}


def whole(evaluation: Evaluation, parts: Mapping[str, Judged]) -> Evaluation:
    """The evaluation put together of its cases."""
    return evaluation.model_copy(
        update={
            "cases": tuple(part.result for part in parts.values()),
            "leaves": tuple(leaf for part in parts.values() for leaf in part.leaves),
        }
    )


def unlike(known: Evaluation, start: Evaluation) -> list[str]:
    """In words, how an evaluation differs from what is to be evaluated now; empty if nowhere."""
    facts: dict[str, Callable[[Evaluation], object]] = {
        "judge": lambda each: (each.judge.fingerprint, each.judge.models),
        "threshold": lambda each: each.threshold,
        "sample": lambda each: each.sample,
        "sandbox": lambda each: each.sandbox,
        "cases": lambda each: [case.name for case in each.cases],
        "rubrics": lambda each: [case.rubric_sha256 for case in each.cases],
        "labels": lambda each: [case.labels_sha256 for case in each.cases],
        "tasks": lambda each: [case.inputs_sha256 for case in each.cases],
    }
    return [
        _words(what, of(known), of(start)) for what, of in facts.items() if of(known) != of(start)
    ]


def _words(what: str, there: object, now: object) -> str:
    if isinstance(there, list | tuple):
        return f"{what}: others than now"
    return f"{what}: {_told(there)} there, {_told(now)} now"


def _told(value: object) -> str:
    if isinstance(value, Sample):
        return f"{value.size} of {value.of} leaves (seed {value.seed})"
    return "none" if value is None else str(value)
