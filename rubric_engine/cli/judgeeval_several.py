"""Several judges measured by one command: who, kept where, and what is left to spend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.judgeeval_setting import REPLAY, Chosen, folder_of, judge_of

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
    return tuple(judge_of(name, cases, rates, seed=seed, model=model, dry=dry) for name in names)


def folders_of(
    judges: Sequence[Chosen], name: str | None, output: Path | None
) -> dict[Path, Chosen]:
    """The judges by the folders of their results.

    Args:
        judges: The judges.
        name: Value of `--name`.
        output: Value of `-o`: the folder of one judge's result, or that which holds several.

    Raises:
        UsageError: Several judges would have one name, or one folder.
    """
    from rubric_engine.errors import UsageError

    if len(judges) == 1:
        return {output or folder_of(name or judges[0].name): judges[0]}
    if name is not None:
        raise UsageError(f"--name names one judge, and {len(judges)} are measured")
    found: dict[Path, Chosen] = {}
    for judge in judges:
        own = folder_of(judge.name)
        folder = own if output is None else output / own.name
        if folder in found:
            raise UsageError(
                f"two of the judges would be kept in {folder}",
                fix=["measure them by two commands, each with a folder of its own: -o DIR"],
            )
        found[folder] = judge
    return found


def left_for(
    folder: Path, spending: Spending, others: Sequence[Path], done: Mapping[Path, Evaluation]
) -> Spending:
    """What one judge may spend of what all may: the rest of the others, as the caps are for all.

    Args:
        folder: Where its result is kept.
        spending: What all may spend.
        others: The folders of all.
        done: The evaluations of this command so far; what earlier ones kept counts as well.
    """
    from rubric_engine.judgeeval import load_evaluation
    from rubric_engine.judgeeval.results import FACTS
    from rubric_engine.judgeeval.series import left

    kept = {
        other: load_evaluation(other)
        for other in others
        if other not in done and not spending.fresh and (other / FACTS).is_file()
    }
    spent = [one for other, one in {**kept, **done}.items() if other != folder]
    return left(spending, [case for one in spent for case in one.cases])
