"""Evaluations: drawn ones with hostile names, and ones with planted errors on labelled trees."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from hypothesis import strategies as st

from rubric_engine.grading import Grade
from rubric_engine.judgeeval import (
    CaseResult,
    CaseRoot,
    Evaluation,
    JudgeIdentity,
    LeafResult,
    Sample,
    root_of,
)
from tests.judgeeval.conftest import Tree

HOSTILE = (
    "<script>alert(1)</script>",
    "]]>&\"'--><!--",
    "x" * 300,
    "W" * 300,
    "\u202egnp.exe\x1b[31m\n\ud800",
    "שופט בינה מלאכותית",
    "提交物动量法在病态二次问题上的复现实验",
    "$\\frac{1}{2}$ {body} %s",
    "=HYPERLINK(A1)",
    "",
)

NAMES = st.sampled_from(HOSTILE) | st.text(max_size=12).filter(lambda name: "\0" not in name)
SHARES = st.floats(0, 1)


def case(name: str, leaves: int, **more: object) -> CaseResult:
    """The facts of one case."""
    facts: dict[str, object] = {
        "name": name,
        "task": "t",
        "rubric_sha256": "0",
        "labels_sha256": "0",
        "annotator": "a1",
        "submission_sha256": None,
        "leaves": leaves,
        "labelled": leaves,
        "asked": leaves,
        "finished": True,
    }
    return CaseResult.model_validate(facts | more)


def evaluation(
    name: str, cases: Iterable[CaseResult], leaves: Iterable[LeafResult], **more: object
) -> Evaluation:
    """One judge's evaluation."""
    facts: dict[str, object] = {
        "name": name,
        "judge": JudgeIdentity(name=name, fingerprint="f"),
        "made_at": "2026-01-01T00:00:00Z",
        "version": "0",
        "cases": tuple(cases),
        "leaves": tuple(leaves),
    }
    return Evaluation.model_validate(facts | more)


@st.composite
def drawn_leaf(draw: st.DrawFn, home: str, number: int) -> LeafResult:
    """A leaf that may lack its label, its grade, its probability and its price."""
    score = draw(SHARES | st.none())
    return LeafResult(
        case=home,
        key=f"n{number}",
        parent=f"p{draw(st.integers(0, 2))}",
        category=draw(st.sampled_from(["Code Development", *HOSTILE])),
        worth=draw(SHARES),
        label=draw(st.sampled_from([0.0, 1.0, None])),
        others=draw(st.dictionaries(st.sampled_from(HOSTILE[:3]), SHARES, max_size=2)),
        status="ungradeable" if score is None else "graded",
        score=score,
        probability=draw(SHARES | st.none()),
        reason="infra" if score is None else None,
        cost=draw(st.sampled_from([None, 0.0, 1e-9, 0.03, 4e5])),
    )


@st.composite
def drawn_evaluations(draw: st.DrawFn) -> list[Evaluation]:
    """Up to three evaluations of up to three cases."""
    homes = draw(st.lists(NAMES, max_size=3, unique=True))
    return [draw(_drawn(homes)) for _ in range(draw(st.integers(0, 3)))]


@st.composite
def _drawn(draw: st.DrawFn, homes: list[str]) -> Evaluation:
    leaves, cases = [], []
    priced = draw(st.sampled_from([None, 0.0, 1e-9, 0.03, 4e5]))
    for home in homes:
        own = [draw(drawn_leaf(home, i)) for i in range(draw(st.integers(0, 6)))]
        leaves += [leaf if priced is None else leaf.model_copy(update={"cost": priced})
                   for leaf in own]  # fmt: skip
        low, high = sorted([draw(SHARES), draw(SHARES)])
        root = CaseRoot(human=draw(SHARES), low=low, high=high, leaf_error=draw(SHARES))
        cases.append(
            case(
                home,
                len(own),
                root=draw(st.sampled_from([root, None])),
                trouble=draw(st.sampled_from([None, "it broke"])),
                finished=draw(st.booleans()),
            )
        )
    sample = draw(st.sampled_from([None, Sample(size=3, of=9, seed=1)]))
    return evaluation(draw(NAMES), cases, leaves, sample=sample)


def planted(
    trees: Mapping[str, Tree],
    name: str,
    wrong: float,
    *,
    usd: float | None = None,
    crash: str | None = None,
    probabilities: bool = False,
    second: bool = False,
    finished: bool = True,
) -> Evaluation:
    """A judge that has a share of the labels of trees wrong.

    Args:
        trees: Labelled trees by name.
        name: Of the evaluation.
        wrong: Chance of a wrong grade.
        usd: Dollars for each tree.
        crash: Tree on which no leaf gets a grade.
        probabilities: Give some.
        second: Add a second annotator, who differs on a tenth of the leaves.
        finished: Whether every case was judged to its end.
    """
    leaves, cases = [], []
    for tree in trees.values():
        luck = random.Random(f"{name} {tree.name}")
        own = [
            LeafResult(
                case=tree.name,
                key=key,
                parent=tree.rubric.parent(key) or key,
                category=tree.rubric[key].task_category or "",
                worth=tree.worth[key],
                label=label,
                others={"b": 1 - label if luck.random() < 0.1 else label} if second else {},
                status="ungradeable" if tree.name == crash else "graded",
                score=None if tree.name == crash else said,
                probability=0.2 + 0.6 * said if probabilities else None,
                reason="infra" if tree.name == crash else None,
                cost=None if usd is None else usd / len(tree.scores),
            )
            for key, label in zip(tree.rubric.leaves(), tree.scores, strict=True)
            for said in [1 - label if luck.random() < wrong else label]
        ]
        leaves += own
        cases.append(case(tree.name, len(own), root=_root(tree, own), finished=finished))
    return evaluation(name, cases, leaves)


def _root(tree: Tree, leaves: Iterable[LeafResult]) -> CaseRoot:
    grades = {leaf.key: Grade.graded(leaf.score) for leaf in leaves if leaf.score is not None}
    root = root_of(tree.rubric, tree.labels, grades, submission=tree.name)
    assert root is not None
    return CaseRoot(
        human=root.human, low=root.low, high=min(1.0, root.high), leaf_error=root.leaf_error
    )
