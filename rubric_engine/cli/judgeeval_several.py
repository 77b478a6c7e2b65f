"""Several judges measured by one command: who, kept where, and what is left to spend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.judgeeval_setting import REPLAY, Chosen, judge_of

if TYPE_CHECKING:
    from rubric_engine.connection import Spending
    from rubric_engine.judgeeval.cases import LabelledCase
    from rubric_engine.judgeeval.evaluation import Evaluation


def judges_of(
    names: Sequence[str],
    cases: Sequence[LabelledCase],
    rates: Mapping[str, float],
    *,
    seed: int,
    threshold: float,
    model: Mapping[str, Any],
    dry: bool,
) -> tuple[Chosen, ...]:
    """Find the judges; arguments as `judge_of`.

    Raises:
        CredentialsError: A model is to be asked, and there is no key for it.
        JudgeCardError: There is no such judge, or its card is wrong.
        UsageError: Planted errors are asked for, and no judge plants any.
    """
    from rubric_engine.errors import UsageError

    if REPLAY not in names and any(rates.values()):
        raise UsageError(f"--miss, --false-alarm and --hole go with --judge {REPLAY}")
    return tuple(
        judge_of(name, cases, rates, seed=seed, threshold=threshold, model=model, dry=dry)
        for name in names
    )


def folders_of(
    judges: Sequence[Chosen],
    name: str | None,
    output: Path | None,
    place: Callable[[str], Path],
) -> dict[Path, Chosen]:
    """The judges by the folders of their results.

    Args:
        judges: The judges.
        name: Value of `--name`.
        output: Value of `-o`: the folder of one judge's result, or that which holds several.
        place: Where the result of a judge of some name is kept where `-o` says nothing.

    Raises:
        UsageError: Several judges would have one name, or one folder.
    """
    from rubric_engine.errors import UsageError

    if len(judges) == 1:
        return {output or place(name or judges[0].name): judges[0]}
    if name is not None:
        raise UsageError(f"--name names one judge, and {len(judges)} are measured")
    found: dict[Path, Chosen] = {}
    for judge in judges:
        own = place(judge.name)
        folder = own if output is None else output / own.name
        if folder in found:
            raise UsageError(
                f"two of the judges would be kept in {folder}",
                fix=["measure them by two commands, each with a folder of its own: -o DIR"],
            )
        found[folder] = judge
    return found


def left_for(
    folder: Path,
    spending: Spending,
    others: Iterable[Path],
    done: Mapping[Path, Evaluation],
    runs: Path,
) -> Spending:
    """What one judge may spend of what all may: what the others leave, as the caps are for all.

    Args:
        folder: Where its result is kept.
        spending: What all may spend.
        others: The folders of all.
        done: The evaluations of this command so far; what earlier ones kept counts as well.
        runs: Folder of the runs and the ledger.
    """
    from rubric_engine.judgeeval import load_evaluation
    from rubric_engine.judgeeval.results import FACTS
    from rubric_engine.judgeeval.spent import left_of, spent_on

    kept = [
        done[other] if other in done else load_evaluation(other)
        for other in others
        if other != folder and (other in done or (other / FACTS).is_file())
    ]
    return left_of(spending, [spent_on(case, runs) for one in kept for case in one.cases])
