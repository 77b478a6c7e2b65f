"""Words of several judges in one sentence, and the reason where none of them is a grade."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubric_engine.grading import MISSING_WORK, NOBODY_TRIED, REASONS, Grade, Reason

_RUN_STOPPED: tuple[Reason, ...] = ("budget", "cancelled")


def stopped(words: Iterable[Grade]) -> Reason | None:
    """Why a result has to wait: the run was stopped before all was said, and a resume goes on."""
    reasons = {word.reason for word in words}
    return next((reason for reason in _RUN_STOPPED if reason in reasons), None)


def why_none(words: Sequence[Grade]) -> Reason:
    """The reason of a leaf that nobody graded.

    One that a resume may mend goes first, then what failed; that nobody tried is said only where
    it is true of all. The order of the words does not matter.
    """
    reasons = {word.reason for word in words}
    for group in (MISSING_WORK, frozenset(REASONS) - NOBODY_TRIED, NOBODY_TRIED):
        for reason in REASONS:
            if reason in group and reason in reasons:
                return reason
    return "needs_model"


def why_undecided(words: Iterable[Grade]) -> Reason:
    """The reason of a leaf on which a vote gave no result: `split`, unless a vote is missing.

    What a judge that could not be asked would have said may decide; so a resume asks it.
    """
    missing = [word for word in words if word.reason in MISSING_WORK]
    return why_none(missing) if missing else "split"


def in_short(grade: Grade) -> str:
    """A word in a word: its score, or why there is none."""
    if grade.score is not None:
        return f"{grade.score:.3g}"
    return grade.reason or "not applicable"


def tally(names: Sequence[str], words: Sequence[Grade]) -> str:
    """Who said what, in the order of the names; such as "1 by a, b; 0 by c"."""
    by_word: dict[str, list[str]] = {}
    for name, word in zip(names, words, strict=True):
        by_word.setdefault(in_short(word), []).append(name)
    return "; ".join(f"{word} by {', '.join(who)}" for word, who in by_word.items())
