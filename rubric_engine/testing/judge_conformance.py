"""What every judge promises, shown by letting one grade small cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rubric_engine.canary_case import canary_pool
from rubric_engine.errors import InputError, JudgeCardError, Place
from rubric_engine.judge import Judge, JudgeCard, JudgeContext
from rubric_engine.testing.judge_bench import Bench, scripted_context
from rubric_engine.testing.judge_cases import judge_cases
from rubric_engine.testing.patience import LONGEST_S, Patience

UNTRIED = "not tried"
"""What is said of promises after one over which a judge did not end."""


@dataclass(frozen=True)
class JudgePromise:
    """Something that every judge keeps.

    Attributes:
        says: What is promised.
        holds: Asserts it of a judge on its bench.
    """

    says: str
    holds: Callable[[Bench], None]


@dataclass(frozen=True)
class Kept:
    """How a judge did by one promise.

    Attributes:
        says: What was promised.
        broken: Why it does not hold, in one line; None where it does.
    """

    says: str
    broken: str | None


def check_judge(
    judge: str | Path | JudgeCard | Judge,
    promises: Sequence[JudgePromise] | None = None,
    *,
    context: JudgeContext | None = None,
    patience: float = LONGEST_S,
) -> None:
    """Run a judge through what every one promises; it takes seconds and asks no real model.

    Give a name, a path or a card where you can: only then is the judge made anew, with other cards
    and with a model that falls silent. A judge that is handed in as it is must have a model that
    answers the same prompt in the same way, such as a `ScriptedModel`.

    Args:
        judge: What `load_judge` takes.
        promises: What to check; all of `JUDGE_PROMISES` by default.
        context: What it is made with; by default its models are scripted ones.
        patience: Seconds that it may take over the few leaves of a case. One that takes longer is
            tried no further, for what blocks cannot be ended.

    Raises:
        AssertionError: It breaks promises; all of them are named.
        JudgeCardError: There is no such judge, or its card is wrong.
        InputError: It does not fit the small rubric at all, as labels of another rubric.

    Example:
        >>> check_judge("all-met")
    """
    tried = try_judge(judge, promises, context=context, patience=patience)
    broken = [kept for kept in tried if kept.broken]
    named = "\n".join(f"- {kept.says}: {kept.broken}" for kept in broken)
    assert not broken, f"the judge breaks {len(broken)} promises:\n{named}"


def try_judge(
    judge: str | Path | JudgeCard | Judge,
    promises: Sequence[JudgePromise] | None = None,
    *,
    context: JudgeContext | None = None,
    patience: float = LONGEST_S,
) -> list[Kept]:
    """How a judge does by each promise; arguments and errors as `check_judge`."""
    from rubric_engine.testing.judge_promises import JUDGE_PROMISES

    chosen = JUDGE_PROMISES if promises is None else promises
    with _bench(judge, context or scripted_context(), Patience(patience)) as bench:
        _require_fit(bench)
        kept: list[Kept] = []
        for promise in chosen:
            untried = bench.patience.lost is not None and any(each.broken for each in kept)
            kept.append(Kept(promise.says, UNTRIED if untried else _broken(bench, promise)))
        return kept


@contextmanager
def _bench(
    judge: str | Path | JudgeCard | Judge, context: JudgeContext, patience: Patience
) -> Iterator[Bench]:
    try:
        made, card, context = patience.call(lambda: _made(judge, context))
    except AssertionError as error:
        raise JudgeCardError(f"the judge is not made: {error}") from None
    with judge_cases() as cases:
        yield Bench(made, cases, card, context, patience)


def _made(
    judge: str | Path | JudgeCard | Judge, context: JudgeContext
) -> tuple[Judge, JudgeCard | None, JudgeContext]:
    """A judge, the card that it is made of, and what it is made with."""
    from rubric_engine.judges import load_judge
    from rubric_engine.judges.registry import find_card

    card = judge if isinstance(judge, JudgeCard) else None
    if isinstance(judge, str | Path):
        card, file = find_card(str(judge))
        if file is not None:
            context = replace(context, folder=file.parent, place=Place(str(file)))
    return load_judge(judge if card is None else card, context=context), card, context


def _require_fit(bench: Bench) -> None:
    """An input error of a judge is about what it was made with, not about what it promises."""
    try:
        canary_pool(bench.judge)
        bench.said(bench.fresh(), bench.cases.ran)
    except InputError:
        raise
    except Exception:  # noqa: BLE001, S110  # each promise that this breaks will tell
        pass


def _broken(bench: Bench, promise: JudgePromise) -> str | None:
    """Why a promise is broken, in one line; None where it is kept."""
    try:
        promise.holds(bench)
    except AssertionError as error:
        return str(error).partition("\n")[0] or "it does not hold"
    except Exception as error:  # noqa: BLE001  # whatever a judge raises breaks it
        first = str(error).partition("\n")[0]
        return f"it raises {type(error).__name__}: {first}"
    return None
