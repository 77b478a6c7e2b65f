"""The results of a run over a set of tasks, as values and as the file `results.json`."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rubric_engine.benchmarks.kept_values import Amount, ExitCode, RunName
from rubric_engine.benchmarks.results_folder import read_kept, read_results, write_results
from rubric_engine.benchmarks.tasksets.answer import AgentAnswer
from rubric_engine.benchmarks.tasksets.task import Autonomy
from rubric_engine.grading import Fraction, Score

_NEAR = 1e-9
"""What rounding may do to scores."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _require_order(score: Score | None) -> None:
    if score is None:
        return
    if (score.low is None) != (score.high is None):
        raise ValueError("a score has both `low` and `high`, or neither")
    if score.low is not None and score.high is not None and score.low > score.high + _NEAR:
        raise ValueError("`low` of a score is above its `high`")


def _require_once(names: Iterable[str | int], what: str) -> None:
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise ValueError(f"the {what} {twice[0]!r:.80} stands twice")


class LeafResult(_Value):
    """One thing that was judged: its score, and those of repeated judgements."""

    key: str
    category: str
    worth: float = Field(allow_inf_nan=False)
    score: Fraction | None = None
    samples: tuple[Fraction, ...] = ()
    sd: Fraction | None = Field(default=None, description="Standard deviation of the samples.")
    reason: str | None = None


class AnswerResult(AgentAnswer):
    """An answer and what judging it gave.

    Attributes:
        score: Its score; None where nothing was judged.
        leaves: What was judged.
        run: Name of the run that judged it.
        finished: Whether nothing is left to judge.
        trouble: Why judging failed or stopped.
        exit_code: What that makes of the command; 0 where nothing.
    """

    score: Score | None = None
    leaves: tuple[LeafResult, ...] = ()
    run: RunName | None = None
    finished: bool = False
    trouble: str | None = None
    exit_code: ExitCode = 0

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _require_order(self.score)
        if self.claims is not None and self.claims.ungrounded > self.claims.claims:
            raise ValueError("there are more claims without ground than claims")
        return self

    @property
    def whole(self) -> float | None:
        """The score, where all that is judged has a grade."""
        if self.score is None or self.score.low != self.score.high:
            return None
        return self.score.value

    @property
    def range(self) -> tuple[float, float]:
        """What the score is at least and at most; all where nothing is known."""
        score = self.score
        if score is None or score.low is None or score.high is None:
            return 0.0, 1.0
        return score.low, score.high


class TaskResult(_Value):
    """A task with its answers."""

    task_id: str
    sha256: str
    version: str | None = None
    phase: str
    domain: str
    difficulty: str
    autonomy: Autonomy | None = None
    answers: tuple[AnswerResult, ...] = ()
    score: Score | None = None
    samples: tuple[Fraction | None, ...] = ()

    @model_validator(mode="after")
    def _of_one_task(self) -> Self:
        _require_order(self.score)
        if any(answer.task != self.task_id for answer in self.answers):
            raise ValueError(f"an answer to another task than {self.task_id!r:.80}")
        _require_once([answer.sample for answer in self.answers], "sample")
        return self


class SetFacts(_Value):
    """The set."""

    name: str
    sha256: str
    version: str | None = None


class AgentFacts(_Value):
    """Whose answers they are."""

    name: str
    kind: Literal["chat", "own"]
    fingerprint: str
    base_url: str | None = None


class JudgeFacts(_Value):
    """Who judged what rules cannot tell; no fingerprint where nobody did."""

    name: str
    fingerprint: str | None = None
    models: tuple[str, ...] = ()


class Settings(_Value):
    """What was asked for."""

    samples: int = 1
    filters: tuple[str, ...] = ()
    limit: int | None = None


class Results(_Value):
    """All of a run."""

    results: Literal[1] = 1
    status: Literal["running", "stopped", "done"] = "running"
    task_set: SetFacts
    agent: AgentFacts
    judge: JudgeFacts
    settings: Settings = Settings()
    run: RunName
    made_at: str
    engine: str
    command: str | None = None
    cost: Mapping[str, Mapping[str, Amount]] = {}
    stopped: str | None = None
    exit_code: ExitCode = 0
    tasks: tuple[TaskResult, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        _require_once((task.task_id for task in self.tasks), "task")
        return self

    @property
    def answers(self) -> tuple[AnswerResult, ...]:
        """Every answer, task by task."""
        return tuple(answer for task in self.tasks for answer in task.answers)


def score_of(answers: Iterable[AnswerResult]) -> Score | None:
    """The mean score of a task's answers; each without a score is unknown, and no zero.

    Returns:
        Value: the mean of the whole scores, None without one; low and high: if every unknown were
        as bad or as good as can be; coverage: mean over the answers. None without an answer.
    """
    every = list(answers)
    if not every:
        return None
    whole = [answer.whole for answer in every if answer.whole is not None]
    ranges = [answer.range for answer in every]
    return Score(
        value=math.fsum(whole) / len(whole) if whole else None,
        low=math.fsum(low for low, _ in ranges) / len(every),
        high=math.fsum(high for _, high in ranges) / len(every),
        coverage=math.fsum(a.score.coverage if a.score else 0.0 for a in every) / len(every),
    )


def dump_results(results: Results, folder: Path) -> None:
    """Write `results.json`; see `write_results`."""
    write_results(results, folder, begins=results.status == "running")


def load_results(path: str | os.PathLike[str]) -> Results:
    """Read the results of a run; of one that goes on or was killed, what there is so far.

    Args:
        path: `results.json`, or the folder that holds it.

    Raises:
        RunError: It cannot be read, or holds something else.
    """
    fix = "rubric-engine bench run TASKS ... -o DIR   makes one"
    found = read_results(path, Results, of="a run over a set", code="E632", fix=fix)
    if found.status != "running":
        return found
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    return so_far(found, read_kept(folder, AnswerResult, lambda kept: (kept.task, kept.sample)))


def so_far(results: Results, kept: Mapping[tuple[str, int], AnswerResult]) -> Results:
    """Results with the answers that were kept since they were written.

    Args:
        results: As they were written when the run began.
        kept: Answers, by task and sample.
    """
    tasks = []
    for task in results.tasks:
        answers = tuple(kept.get((each.task, each.sample), each) for each in task.answers)
        tasks.append(task_result(task, answers))
    return results.model_copy(update={"tasks": tuple(tasks)})


def task_result(task: TaskResult, answers: Sequence[AnswerResult]) -> TaskResult:
    """A task with these answers in place of its own."""
    scores = tuple(answer.whole for answer in answers)
    found = {"answers": tuple(answers), "score": score_of(answers), "samples": scores}
    return task.model_copy(update=found)
