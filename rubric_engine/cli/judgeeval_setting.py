"""What is settled before a judge is measured: the cases, the judge, the sandbox, the cost."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.candidate import Candidate
    from rubric_engine.cli.sandboxing import Box, Wanted
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight, Promised
    from rubric_engine.isolation import Sandbox
    from rubric_engine.judgeeval.cases import LabelledCase
    from rubric_engine.judgeeval.planted import Planted
    from rubric_engine.sandbox.docker import OnProgress

MAJORITY, REPLAY = "majority", "replay"
"""Names of judges that are made of the labels; no card is looked up for them."""


@dataclass(frozen=True)
class Chosen:
    """The judge that is measured.

    Attributes:
        judge: What `evaluate` takes.
        candidate: The same, loaded to see what it would ask; None for one made of labels.
    """

    judge: str | Planted
    candidate: Candidate | None = None

    @property
    def pays(self) -> bool:
        """Whether it asks a model."""
        return self.candidate is not None and bool(self.candidate.models)

    @property
    def name(self) -> str:
        """What tables call it where nobody says otherwise."""
        if self.candidate is None:
            return str(getattr(self.judge, "name", self.judge))
        models = dict.fromkeys(config.name for config in self.candidate.models)
        return " ".join([self.candidate.judge.card.name, *models])


def judge_of(
    name: str,
    cases: Sequence[LabelledCase],
    rates: Mapping[str, float],
    *,
    seed: int,
    threshold: float,
    model: Mapping[str, Any],
    dry: bool,
) -> Chosen:
    """Find the judge.

    Args:
        name: Value of `--judge`.
        cases: What it is measured on.
        rates: Rates of planted errors, by name of `planted.replay`'s parameters.
        seed: Seed of planted errors.
        threshold: Score from which on a label is met.
        model: What flags say of the model.
        dry: Nothing will be sent, so no key is needed.

    Raises:
        CredentialsError: A model is to be asked, and there is no key for it.
        JudgeCardError: There is no such judge, or its card is wrong.
    """
    from rubric_engine.candidate import load_candidate
    from rubric_engine.judgeeval.planted import majority, replay
    from rubric_engine.models.credentials import find_key

    if name == MAJORITY:
        return Chosen(majority(cases, threshold=threshold))
    if name == REPLAY:
        return Chosen(replay(seed=seed, threshold=threshold, **rates))
    candidate = load_candidate(name, model=model)
    for config in () if dry else candidate.models:
        find_key(config)
    return Chosen(name, candidate)


def limited(
    cases: Sequence[LabelledCase], time_limit: float | None, memory: float | None
) -> tuple[LabelledCase, ...]:
    """The cases with the limits of a run that flags name."""
    from rubric_engine.cli.sandboxing import Wanted, spec_with

    if time_limit is None and memory is None:
        return tuple(cases)
    wanted = Wanted(time_limit=time_limit, memory=memory)
    return tuple(
        replace(case, task=replace(case.task, limits=spec_with(case.task.spec, wanted).limits))
        for case in cases
    )


def warn_of_cases(cases: Sequence[LabelledCase], *, silent: bool) -> None:
    """Say on stderr what a judge will not be given, such as a paper that is not at hand."""
    from rubric_engine.cli.output import note, printable

    for case in () if silent else cases:
        for text in case.notes:
            note(f"warning: {printable(case.name)}: {printable(text)}")


def box_of(
    wanted: Wanted, cases: Sequence[LabelledCase], judges: Sequence[Chosen], tell: OnProgress
) -> Box:
    """The sandbox; where nobody named one, only cases that need a run get one."""
    from rubric_engine.cli.sandboxing import find_box

    def needed() -> bool:
        loaded = [each.candidate.judge for each in judges if each.candidate is not None]
        if not any(getattr(judge, "reads_run", True) for judge in loaded):
            return False
        return any(_needs_run(case) for case in cases)

    return find_box(wanted, cases[0].path if cases else Path(), needed=needed, tell=tell)


def _needs_run(case: LabelledCase) -> bool:
    rubric = case.task.rubric
    here = not case.elsewhere and case.absence is None
    return here and any(rubric.needs_run(key) for key in case.labelled)


def foreseen(
    cases: Sequence[LabelledCase],
    chosen: Chosen,
    box: Sandbox | None,
    spending: Spending,
    runs: Path,
    *,
    sample: int | None,
    seed: int,
    promised: Promised,
) -> Foresight:
    """What measuring the judge would take, all cases together; `promised` as for `foresee`.

    Raises:
        CaseError: A case has no submission.
        UsageError: A cap could not hold.
    """
    from rubric_engine.dry_run import together
    from rubric_engine.judgeeval.preparing import asked_leaves, require_submissions

    candidate = chosen.candidate
    if candidate is None or not candidate.models:
        return together([])
    require_submissions(cases, needed=True)
    asked, _ = asked_leaves(cases, sample, seed)
    one: Callable[[LabelledCase], Foresight] = lambda case: _foreseen(  # noqa: E731
        case, asked[case.name], candidate, box, spending, runs, promised
    )
    return together([one(case) for case in cases if asked[case.name]])


def _foreseen(
    case: LabelledCase,
    keys: frozenset[str],
    candidate: Candidate,
    box: Sandbox | None,
    spending: Spending,
    runs: Path,
    promised: Promised,
) -> Foresight:
    from rubric_engine.case import Case
    from rubric_engine.cli.settling import foreseen_run
    from rubric_engine.dry_run import foresee

    task = replace(case.task, only=tuple(key for key in case.labelled if key in keys))
    submission, execution = case.load()
    run = execution or foreseen_run(box, submission, task.spec, runs)
    case_of = Case(task, submission, run)
    # What --fresh asks anew, it asks anew for each judge.
    shared = None if spending.fresh else promised
    return foresee(candidate, case_of, runs=runs, spending=spending, promised=shared)


def folder_of(name: str, places: Sequence[Path], sample: int | None, seed: int) -> Path:
    """Where a result is kept by default: ./results, under a name that is one for any system.

    What else tells it from another of the judge stands in it: whose cases, and the sample.
    """
    parts = [name, *(place.resolve().name for place in places[:_MOST_PLACES])]
    if sample is not None:
        parts.append(f"sample-{sample}" + (f"-seed-{seed}" if seed else ""))
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", " ".join(parts)).strip("-.")
    return Path("results") / (plain[:_LONGEST] or "judge")


_MOST_PLACES = 2
_LONGEST = 100


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["rubric-engine", *sys.argv[1:]])
