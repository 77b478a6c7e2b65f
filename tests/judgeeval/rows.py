"""Small pairs, made by hand or drawn."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from rubric_engine.judgeeval import Pair, Pairs

Score = float | None


def pair(
    number: int,
    label: Score,
    grade: Score,
    *,
    submission: str = "s",
    parent: str = "p",
    category: str = "Code Development",
    worth: float = 0.01,
    probability: float | None = None,
    cost: float | None = None,
) -> Pair:
    """One row."""
    return Pair(f"n{number}", submission, parent, category, worth, label, grade, probability, cost)


def pairs(labels: Sequence[Score], grades: Sequence[Score], **more: object) -> Pairs:
    """Rows of one submission that share their worth, two leaves to a group."""
    worth = 1 / max(len(labels), 1)
    return Pairs.of(
        pair(i, y, r, worth=worth, parent=f"p{i // 2}", **more)  # type: ignore[arg-type]
        for i, (y, r) in enumerate(zip(labels, grades, strict=True))
    )


VERDICTS = st.sampled_from([0.0, 1.0])


@st.composite
def drawn_pairs(
    draw: st.DrawFn,
    *,
    labels: st.SearchStrategy[Score] = VERDICTS,
    grades: st.SearchStrategy[Score] = VERDICTS,
    fewest: int = 0,
    submissions: int = 3,
) -> Pairs:
    """Pairs of a few submissions, groups and categories; worths are random and sum to 1."""
    size = draw(st.integers(fewest, 40))
    homes = draw(st.lists(st.integers(0, submissions - 1), min_size=size, max_size=size))
    weights = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    totals = [sum(w for w, h in zip(weights, homes, strict=True) if h == s) for s in range(9)]
    return Pairs.of(
        pair(
            i,
            draw(labels),
            draw(grades),
            submission=f"s{home}",
            parent=f"p{draw(st.integers(0, 4))}",
            category=draw(st.sampled_from(["Code Development", "Result Analysis"])),
            worth=weight / (totals[home] or 1),
        )
        for i, (home, weight) in enumerate(zip(homes, weights, strict=True))
    )
