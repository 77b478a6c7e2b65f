"""Measuring a judge: every labelled leaf of every case is graded, and set beside its label.

from rubric_engine.judgeeval import evaluate, load_cases

evaluation = evaluate("rules", load_cases(), sandbox="local")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rubric_engine.connection import NO_LIMIT, Spending
from rubric_engine.grading import MET_FROM
from rubric_engine.isolation import Sandbox
from rubric_engine.judgeeval.cases import LabelledCase, load_cases
from rubric_engine.judgeeval.evaluation import Evaluation
from rubric_engine.judgeeval.judged import unjudged
from rubric_engine.judgeeval.preparing import (
    AnyJudge,
    asked_leaves,
    identify,
    require_submissions,
    require_threshold,
)
from rubric_engine.judgeeval.series import Series
from rubric_engine.judgeeval.single import Judging
from rubric_engine.judgeeval.watching import Watcher
from rubric_engine.model import ChatModel
from rubric_engine.threads import run_anywhere


def evaluate(
    judge: AnyJudge,
    cases: Iterable[LabelledCase] | None = None,
    *,
    name: str | None = None,
    model: str | Mapping[str, Any] | ChatModel | None = None,
    sandbox: str | Sandbox | None = None,
    sample: int | None = None,
    seed: int = 0,
    threshold: float = MET_FROM,
    spending: Spending = NO_LIMIT,
    runs: str | Path | None = "runs",
    out: str | Path | None = None,
    command: str | None = None,
    watcher: Watcher | None = None,
) -> Evaluation:
    """Measure a judge on labelled cases.

    A case whose submission or sandbox fails stays in with all its leaves, ungraded; so do cases
    that a cap or a provider left unreached. Only labelled leaves are asked about.

    Args:
        judge: Name or path of a judge card, a card, a judge, or one made of labels.
        cases: What to measure it on; the shipped cases by default.
        name: What tables call it; the judge's and the model's names by default.
        model: What it asks in place of its card's model, as for `grade`.
        sandbox: Where submissions run that were not run elsewhere; None runs nothing.
        sample: How many labelled leaves to ask about, drawn in proportion; all by default.
        seed: The same seed draws the same leaves.
        threshold: Score from which on a leaf counts as met.
        spending: What all cases together may spend.
        runs: Folder of the runs and the ledger of paid calls; None keeps none of a free judge's.
        out: Folder to keep the evaluation in. One that stopped early is gone on with there, and
            nothing is paid for twice.
        command: The command that made it, to be kept.
        watcher: Is told how it goes.

    Returns:
        The evaluation. Its `exit_code` tells whether leaves have no grade through a failure.

    Raises:
        CaseError: There is no case, or a judge that reads submissions meets one without.
        LabelsError: No case has a label.
        UsageError: `out` holds another evaluation, or the threshold is out of range.
        RubricEngineError: What fails for every case alike, such as a missing key.
    """
    return run_anywhere(
        aevaluate(
            judge,
            cases,
            name=name,
            model=model,
            sandbox=sandbox,
            sample=sample,
            seed=seed,
            threshold=threshold,
            spending=spending,
            runs=runs,
            out=out,
            command=command,
            watcher=watcher,
        )
    )


async def aevaluate(
    judge: AnyJudge,
    cases: Iterable[LabelledCase] | None = None,
    *,
    name: str | None = None,
    model: str | Mapping[str, Any] | ChatModel | None = None,
    sandbox: str | Sandbox | None = None,
    sample: int | None = None,
    seed: int = 0,
    threshold: float = MET_FROM,
    spending: Spending = NO_LIMIT,
    runs: str | Path | None = "runs",
    out: str | Path | None = None,
    command: str | None = None,
    watcher: Watcher | None = None,
) -> Evaluation:
    """Measure a judge on labelled cases; see `evaluate`."""
    require_threshold(threshold)
    everything = load_cases() if cases is None else tuple(cases)
    identity, reads = identify(judge, model)
    require_submissions(everything, needed=reads)
    asked, drew = asked_leaves(everything, sample, seed)
    fresh = {case.name: unjudged(case, asked[case.name]) for case in everything}
    start = Evaluation(
        name=name or " ".join([identity.name, *identity.models]),
        judge=identity,
        command=command,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=version("rubric-engine"),
        threshold=threshold,
        sample=drew,
        fresh=spending.fresh,
        sandbox=sandbox if isinstance(sandbox, str | None) else sandbox.name,
        cases=tuple(each.result for each in fresh.values()),
        leaves=tuple(leaf for each in fresh.values() for leaf in each.leaves),
    )
    kept = Path(runs) if runs is not None and reads else None
    series = Series(
        cases=everything,
        judge=judge,
        how=Judging(model=model, sandbox=sandbox, runs=kept, spending=spending),
        out=Path(out) if out is not None else None,
        watcher=watcher or Watcher(),
    )
    return await series.carry_out(start)
