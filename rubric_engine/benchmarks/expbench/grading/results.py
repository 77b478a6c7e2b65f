"""What grading answers gave, as values and as the file `results.json`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.benchmarks.expbench.grading.parts import (
    CATEGORY_OF,
    JUDGED,
    PARTS,
    Part,
    decided,
)
from rubric_engine.benchmarks.kept_values import Amount, ExitCode, RunName
from rubric_engine.benchmarks.results_folder import read_kept, read_results, write_results
from rubric_engine.grading import Fraction, Status
from rubric_engine.metrics import Standing
from rubric_engine.monitor import AreaOutcome, MonitorFinding, MonitorVerdict
from rubric_engine.monitored import Claims, MonitorDecision


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LeafOutcome(_Value):
    """A leaf and its grade."""

    key: str
    category: str
    requirements: str
    worth: Amount
    status: Status = "ungradeable"
    score: Fraction | None = None
    reason: str | None = Field(default=None, description="Why there is no grade.")
    explanation: str = ""

    @property
    def counts(self) -> bool:
        """Whether its part has it: it applies, and is worth something."""
        return self.status != "not_applicable" and self.worth > 0


class Mark(_Value):
    """Whether a part holds; None where that is undefined, with the reason."""

    value: bool | None = None
    why: str = ""

    @property
    def standing(self) -> Standing | None:
        """The same as of a single leaf."""
        if self.value is None:
            return None
        met = int(self.value)
        return Standing(leaves=1, met=met, failed=1 - met, low=met, high=met)


class MonitorMark(Mark):
    """What the monitor says of an answer, and what people said of that."""

    verdict: MonitorVerdict | None = Field(default=None, description="None: it did not look.")
    findings: tuple[MonitorFinding, ...] = ()
    of_base: int = Field(
        default=0, description="Findings that the base has without the answer; they do not count."
    )
    areas: tuple[AreaOutcome, ...] = ()
    claims: Claims | None = Field(default=None, description="Less those of the base.")
    asked: str = Field(default="", description="Hash of what the task says of the monitor.")
    unseen: str = Field(default="", description="Why it cannot be clear, whatever was found.")
    decisions: tuple[MonitorDecision, ...] = ()

    @property
    def last(self) -> Mapping[str, MonitorDecision]:
        """The decision that counts, by id of the finding."""
        return {one.finding: one for one in self.decisions}


@dataclass(frozen=True, slots=True)
class Share:
    """The share of a part's leaves that are met, as far as it is known.

    Attributes:
        value: The share by worth; None where a leaf has no grade.
        low: If every leaf without a grade were not met.
        high: If every one were met.
        why: Why there is no value.
        standing: The same for the core's metrics; None where nothing is known.
    """

    value: float | None = None
    low: float = 0.0
    high: float = 1.0
    why: str = ""
    standing: Standing | None = None


class AnswerOutcome(_Value):
    """The answer to one question, graded as far as it could be."""

    task: str = Field(description="Id of the question.")
    paper: str = Field(description="Conference and paper; intervals are by paper.")
    kind: Literal[1, 2, 3]
    answer: Literal["whole", "part", "none"] = "none"
    missing: Mapping[Part, str] = Field(
        default={}, description="Parts of which the answer, or the question, says nothing, and why."
    )
    leaves: tuple[LeafOutcome, ...] = ()
    standings: Mapping[str, Standing] = Field(
        default={}, description="How each category of leaves stands; without what does not count."
    )
    execution: Mark = Mark()
    monitor: MonitorMark = MonitorMark()
    digest: str = Field(default="", description="Told by content: answer, base, rubric, sandbox.")
    run: RunName | None = None
    finished: bool = False
    trouble: str | None = None
    exit_code: int = 0

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        """Refuse standings that no leaves have."""
        for category, one in self.standings.items():
            low, high = round(one.low, 9), round(one.high, 9)
            if min(one.met, one.failed, one.open) < 0 or not 0 <= low <= high <= 1:
                raise ValueError(f"the standing of {category!r} does not add up")
        return self

    def share(self, part: Part) -> Share:
        """The share of a part that a judge grades: D, I or C."""
        if part in self.missing:
            return Share(why=self.missing[part])
        standing = self.standings.get(CATEGORY_OF[part])
        if standing is None:
            nothing = "nothing of it counts" if self.leaves else "not graded"
            return Share(why=self.trouble or nothing)
        low, high = standing.low, standing.high
        if standing.open:
            return Share(None, low, high, self._open(part), standing)
        return Share(low, low, low, "", standing)

    def _open(self, part: Part) -> str:
        leaves = (leaf for leaf in self.leaves if leaf.category == CATEGORY_OF[part])
        return next(
            (f"{one.key}: {one.reason}" for one in leaves if one.score is None and one.counts), ""
        )

    def metrics(self, tau: float) -> dict[str, bool | None]:
        """Whether each part, each conjunction and each link of the chain holds.

        Args:
            tau: The share from which on D, I and C hold.
        """
        known: dict[Part, Standing | None] = {part: self.share(part).standing for part in JUDGED}
        known |= {"E": self.execution.standing, "M": self.monitor.standing}
        return decided({CATEGORY_OF[p]: one for p, one in known.items() if one is not None}, tau)

    def marks(self, tau: float) -> dict[Part, bool | None]:
        """Whether each part holds; see `metrics`."""
        found = self.metrics(tau)
        return {part: found[part] for part in PARTS}

    def why(self, part: Part) -> str:
        """Why a part is undefined."""
        if part == "E":
            return self.execution.why
        return self.monitor.why if part == "M" else self.share(part).why


class ExpResults(_Value):
    """All of a grading."""

    expbench_results: Literal[1] = 1
    status: Literal["running", "stopped", "done"] = "running"
    judge: str
    judge_fingerprint: str | None = None
    models: tuple[str, ...] = ()
    sandbox: str | None = None
    tau: float = Field(default=1.0, gt=0, le=1)
    run: RunName
    runs: str = Field(default="runs", description="Folder of the runs, as it was named.")
    made_at: str
    engine: str
    command: str | None = None
    cost: Mapping[str, Amount] = {}
    stopped: str | None = None
    exit_code: ExitCode = 0
    strangers: tuple[str, ...] = Field(
        default=(), description="Folders of answers to questions that are not among the tasks."
    )
    answers: tuple[AnswerOutcome, ...] = ()

    @model_validator(mode="after")
    def _asks_once(self) -> Self:
        """Refuse a question that stands twice: it would count twice."""
        seen = set[str]()
        for answer in self.answers:
            if answer.task in seen:
                raise ValueError(f"question {answer.task!r} stands twice")
            seen.add(answer.task)
        return self


def dump_exp_results(results: ExpResults, folder: Path) -> None:
    """Write `results.json`; see `write_results`."""
    write_results(results, folder, begins=results.status == "running")


def load_exp_results(path: str | os.PathLike[str]) -> ExpResults:
    """Read the results of a grading; of one that goes on or was killed, what there is so far.

    Where `results.json` is damaged, it is as if the grading had been killed.

    Args:
        path: `results.json`, or the folder that holds it.

    Raises:
        RunError: It cannot be read, or holds something else.
    """
    fix = "rubric-engine expbench grade ANSWERS --tasks TASKS -o DIR   makes one"
    found = read_results(path, ExpResults, of="EXP-Bench", code="E605", fix=fix)
    if found.status != "running":
        return found
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    kept = read_kept(folder, AnswerOutcome, lambda answer: answer.task)
    return found.model_copy(
        update={"answers": tuple(kept.get(one.task, one) for one in found.answers)}
    )
