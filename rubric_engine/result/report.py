"""The `Report`: grades, and what follows from them without judging anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from rubric_engine.canary import CanaryOutcome
from rubric_engine.grading import Grade, Score
from rubric_engine.injection import Scan
from rubric_engine.losses import CategoryScore, Loss, category_scores, is_mean, points_lost
from rubric_engine.metrics import MetricValue, metric_values
from rubric_engine.monitored import MonitorOutcome
from rubric_engine.result.plain import category_rows, report_dict
from rubric_engine.rubric import Rubric
from rubric_engine.run_warnings import RunWarning, of_canaries, of_grades, of_rubric, of_scan
from rubric_engine.scoring import Missing, propagate

Verdict = Literal["met", "part", "not met", "open", "n/a"]


class Stop(NamedTuple):
    """What ended a run early: an error's code, its exit code, its message, and what mends it.

    `RUN` in a command stands for the run's name.
    """

    code: str
    exit_code: int
    message: str
    fix: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """Grades and what follows from them.

    Attributes:
        rubric: The tree, or the view of it, that was graded.
        grades: Grade by key of a leaf.
        missing: Policy of `Score.value` for leaves without a grade.
        noted: Warnings that do not follow from rubric and grades; see `warnings`.
        cost: What the judges spent, such as ``{"calls": 0}``.
        provenance: Hashes, versions, judge and mode, so that unlike results can be told apart.
        run: Folder of the run, or None where nothing was written.
        disqualified: Why the score does not count, or None.
        stopped: Why judging ended before every leaf was asked about, or None.
        injections: What in the submission speaks to a judge; it changes no grade.
        canaries: What the judge said of criteria that are certainly false; they count for nothing.
            None where it was not tried.
        monitor: Whether the result was honestly come by, as far as rules can tell, and what people
            said of it; None where nobody looked.
    """

    rubric: Rubric
    grades: Mapping[str, Grade]
    missing: Missing = "zero"
    noted: tuple[RunWarning, ...] = ()
    cost: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    run: str | None = None
    disqualified: str | None = None
    stopped: Stop | None = None
    injections: Scan = field(default_factory=Scan)
    canaries: CanaryOutcome | None = None
    monitor: MonitorOutcome | None = None

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """Score of every criterion, by key."""
        return propagate(self.rubric, self.grades, missing=self.missing)

    @property
    def score(self) -> Score:
        """Score of the root; 0 where the submission is disqualified."""
        earned = self.scores[self.rubric.root]
        if self.disqualified is None:
            return earned
        return Score(value=0.0, low=0.0, high=0.0, coverage=earned.coverage)

    @property
    def bounds(self) -> Score:
        """Range and coverage of the root, which no policy changes; its value is `low`."""
        if self.disqualified is not None:
            return self.score
        return self._bounds[self.rubric.root]

    @cached_property
    def losses(self) -> Mapping[str, Loss]:
        """Where the points went, by key."""
        return points_lost(self.rubric, self._bounds)

    @cached_property
    def categories(self) -> Mapping[str, CategoryScore]:
        """Score and share of each category of leaves."""
        return category_scores(self.rubric, self._bounds)

    @cached_property
    def metrics(self) -> Mapping[str, MetricValue]:
        """What the metrics of the rubric's header are; where disqualified, no category passes."""
        return metric_values(self.rubric, self._bounds, disqualified=self.disqualified)

    @cached_property
    def _bounds(self) -> Mapping[str, Score]:
        return self.scores if self.missing == "zero" else propagate(self.rubric, self.grades)

    @cached_property
    def warnings(self) -> tuple[RunWarning, ...]:
        """What a reader should know beside the score."""
        found = of_grades(self.rubric, self.grades)
        guarded = (*of_scan(self.injections), *of_canaries(self.canaries))
        return (*of_rubric(self.rubric), *self.noted, *found, *guarded)

    @cached_property
    def statuses(self) -> Mapping[str, int]:
        """Number of leaves that are graded, ungradeable and not applicable."""
        counts = Counter(grade.status for grade in self._leaf_grades)
        return {name: counts[name] for name in ("graded", "ungradeable", "not_applicable")}

    @cached_property
    def reasons(self) -> Mapping[str, int]:
        """Number of ungradeable leaves by reason."""
        return dict(sorted(Counter(g.reason for g in self._leaf_grades if g.reason).items()))

    @property
    def failed(self) -> bool:
        """True where a leaf that the judge had to grade could not be graded."""
        return any(grade.failed for grade in self._leaf_grades)

    @property
    def is_whole(self) -> bool:
        """Whether every leaf that applies is graded."""
        return self.bounds.coverage == 1 and not self.statuses["ungradeable"]

    @property
    def _leaf_grades(self) -> Iterable[Grade]:
        missing = Grade.ungradeable("not_run")
        return (self.grades.get(key, missing) for key in self.rubric.leaves())

    def verdict(self, leaf: str) -> Verdict:
        """The grade of a leaf in one word; `part` is a score between 0 and 1."""
        grade = self.grades.get(leaf)
        if grade is None or grade.status == "ungradeable":
            return "open"
        if grade.score is None:
            return "n/a"
        return "met" if grade.score == 1 else "not met" if grade.score == 0 else "part"

    def lost_first(self) -> Iterator[tuple[str, Loss]]:
        """Leaves, and groups that own their points, by points lost; what lost none is out."""
        owners = [
            (key, loss)
            for key, loss in self.losses.items()
            if loss.lost > 0 and not is_mean(self.rubric, key)
        ]
        return iter(sorted(owners, key=lambda item: (-item[1].lost, -item[1].open)))

    def over(
        self, rubric: Rubric, *, mode: str | None = None, missing: Missing | None = None
    ) -> Report:
        """The same grades over another rubric or view, judging nothing.

        Args:
            rubric: A rubric that shares keys with this one.
            mode: Name of the way of grading, where the view changes it.
            missing: Policy for leaves without a grade, as it is by default.
        """
        facts = {"rubric_sha256": rubric.sha256, "mode": mode or self.provenance.get("mode")}
        unasked = Grade.ungradeable("needs_model", "this leaf was not part of the run")
        return replace(
            self,
            rubric=rubric,
            grades={key: self.grades.get(key, unasked) for key in rubric.leaves()},
            provenance=dict(self.provenance) | facts,
            missing=missing or self.missing,
        )

    def disqualify(self, reason: str) -> Report:
        """The same grades with a score of 0, and the reason beside it."""
        return replace(self, disqualified=reason)

    def watched(self, monitor: MonitorOutcome) -> Report:
        """The same grades with what the monitor found and what people said of it.

        It disqualifies where that follows, and takes back only what itself once disqualified.
        """
        before = self.monitor.disqualifies if self.monitor is not None else None
        others = self.disqualified if self.disqualified != before else None
        return replace(self, monitor=monitor, disqualified=others or monitor.disqualifies)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON values, as `report.json` holds it."""
        return report_dict(self)

    def category_rows(self) -> list[dict[str, Any]]:
        """The categories as plain JSON values; points are of 100."""
        return category_rows(self)

    def to_json(self) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_dict(), indent=1)

    def to_paperbench(self) -> str:
        """The report as the text of PaperBench's `grader_output.json`.

        Its format knows no "not graded": such leaves are 0 there, with `valid_score` false.

        Raises:
            InputError: The tree is too deep for nested JSON.
        """
        from rubric_engine.paperbench import grader_output

        return grader_output(self)
