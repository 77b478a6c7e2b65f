"""Hypothesis strategies for rubrics and grades, shared by the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hypothesis import strategies as st

from rubric_engine.criterion import Criterion
from rubric_engine.grading import REASONS, Grade
from rubric_engine.rubric import Rubric

CATEGORIES = ("Code Development", "Code Execution", "Result Analysis", "Ablation")
AGGREGATES = (None, "weighted_mean", "all", "any", "min", "product", "at_least(1)", "at_least(3)")

PLAIN_WEIGHTS = st.integers(1, 20).map(float)
"""Weights as rubrics have them."""

ANY_WEIGHTS = st.one_of(
    PLAIN_WEIGHTS,
    st.just(0.0),
    st.floats(0, 1.7e308, allow_nan=False, allow_infinity=False),
    st.sampled_from([5e-324, 1e-300, 1e-17, 1 + 2**-52, 1e17, 1.7e308]),
)
"""Every weight that the format allows, the hostile ones often."""

SCORES = st.one_of(
    st.integers(0, 8).map(lambda eighths: eighths / 8),
    st.floats(0, 1, allow_nan=False),
)


_NAMES = st.text("ab_-. é日😀!#{}]", min_size=1, max_size=6)
_WILD = st.sampled_from(["*", "?", "*.py", "[a-c]", "[!a]?", r"\*", r"\[x"])

GLOBS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "./", "/", "**/"]),
    st.lists(_NAMES | _WILD | st.just("**"), min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "/", "/**", "*"]),
)
"""Well-formed globs of files, odd characters and escapes among them."""


def leaf(
    key: str,
    *,
    weight: float = 1.0,
    category: str = "Code Development",
    **more: object,
) -> Criterion:
    """A leaf; `more` are further fields of a criterion."""
    fields = {
        "key": key,
        "id": key,
        "requirements": f"what {key} asks",
        "weight": weight,
        "task_category": category,
    }
    return Criterion.model_validate(fields | more)


def group(key: str, *, weight: float = 1.0, **more: object) -> Criterion:
    """A group; `more` are further fields of a criterion."""
    fields = {"key": key, "id": key, "requirements": f"what {key} asks", "weight": weight}
    return Criterion.model_validate(fields | more)


def flat(*leaves: Criterion, root: Criterion | None = None) -> Rubric:
    """A root with these leaves under it."""
    return Rubric.build([(None, root or group("root")), *(("root", one) for one in leaves)])


def chain(length: int) -> Rubric:
    """A path of so many criteria, the last of them a leaf."""
    nodes = [group(f"n{level}") for level in range(length - 1)] + [leaf(f"n{length - 1}")]
    above = [None, *(node.key for node in nodes)]
    return Rubric.build(zip(above, nodes, strict=False))


@st.composite
def rubrics(
    draw: st.DrawFn,
    *,
    weights: st.SearchStrategy[float] = PLAIN_WEIGHTS,
    aggregates: tuple[str | None, ...] = AGGREGATES,
    max_nodes: int = 25,
) -> Rubric:
    """Draw a rubric of any shape.

    Args:
        weights: Strategy of a criterion's weight.
        aggregates: What groups may have as `aggregate`.
        max_nodes: Upper bound of its size.
    """
    count = draw(st.integers(1, max_nodes))
    parents = [None, *(draw(st.integers(0, index - 1)) for index in range(1, count))]
    inner = set(parents)
    pairs: list[tuple[str | None, Criterion]] = []
    for index, above in enumerate(parents):
        weight = draw(weights)
        node = (
            group(f"n{index}", weight=weight, aggregate=draw(st.sampled_from(aggregates)))
            if index in inner
            else leaf(f"n{index}", weight=weight, category=draw(st.sampled_from(CATEGORIES)))
        )
        pairs.append((None if above is None else f"n{above}", node))
    return Rubric.build(pairs)


GRADES: st.SearchStrategy[Grade | None] = st.one_of(
    SCORES.map(Grade.graded),
    st.sampled_from(REASONS).map(Grade.ungradeable),
    st.just(Grade.not_applicable()),
    st.none(),
)
"""A grade of any status, or None for a leaf that has none."""


@st.composite
def graded_rubrics(
    draw: st.DrawFn,
    *,
    weights: st.SearchStrategy[float] = PLAIN_WEIGHTS,
    grades: st.SearchStrategy[Grade | None] = GRADES,
    aggregates: tuple[str | None, ...] = AGGREGATES,
) -> tuple[Rubric, dict[str, Grade]]:
    """Draw a rubric and grades for its leaves."""
    rubric = draw(rubrics(weights=weights, aggregates=aggregates))
    drawn = {key: draw(grades) for key in rubric.leaves()}
    return rubric, {key: grade for key, grade in drawn.items() if grade is not None}


def everywhere(rubric: Rubric, score: float) -> dict[str, Grade]:
    """The same score on every leaf."""
    return dict.fromkeys(rubric.leaves(), Grade.graded(score))


def filled(rubric: Rubric, grades: Mapping[str, Grade], score: float) -> dict[str, Grade]:
    """The grades, and `score` for every leaf that nobody graded."""
    return {
        key: grades[key]
        if key in grades and grades[key].status != "ungradeable"
        else Grade.graded(score)
        for key in rubric.leaves()
    }


VIEWS: dict[str, Callable[[Rubric], Rubric]] = {
    "itself": lambda rubric: rubric,
    **{
        name: (lambda rubric, name=name: rubric.subset(category=name))  # type: ignore[misc]
        for name in CATEGORIES
    },
    "without": lambda rubric: rubric.without(finegrained="absent"),
    "pruned to 1": lambda rubric: rubric.prune_to_depth(1),
    "pruned to 2": lambda rubric: rubric.prune_to_depth(2),
    "pruned subset": lambda rubric: rubric.subset(category="Ablation").prune_to_depth(2),
}
"""Every kind of view, by a name for the test's id."""
