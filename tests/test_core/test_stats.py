import math
from pathlib import Path

import pytest
from hypothesis import given

from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric
from rubric_engine.stats import rubric_stats, rubric_tree
from tests.strategies import chain, flat, group, leaf, rubrics

CODE, EXECUTION, RESULTS = "Code Development", "Code Execution", "Result Analysis"


@pytest.mark.parametrize(
    ("name", "nodes", "leaves", "depth", "fan", "counts", "effective", "top_10", "shares"),
    [
        ("bbox", 422, 279, 8, 10, (145, 81, 53), 123, 18, (46, 19, 35)),
        ("lca-on-the-line", 1048, 819, 6, 30, (403, 370, 46), 114, 18, (51, 19, 30)),
        ("pinn", 2551, 1963, 9, 9, (126, 1815, 22), 27, 55, (42, 14, 44)),
        ("rice", 489, 361, 6, 9, (178, 170, 13), 43, 43, (36, 17, 47)),
        ("semantic-self-consistency", 100, 77, 5, 21, (50, 21, 6), 41, 38, (61, 15, 24)),
        ("stochastic-interpolants", 94, 69, 6, 8, (58, 7, 4), 30, 50, (61, 13, 26)),
    ],
)
def test_the_figures_of_the_public_papers(
    name: str,
    nodes: int,
    leaves: int,
    depth: int,
    fan: int,
    counts: tuple[int, int, int],
    effective: int,
    top_10: int,
    shares: tuple[int, int, int],
    paperbench_papers: Path,
) -> None:
    stats = rubric_stats(load_rubric(paperbench_papers / name / "rubric.json"))
    rows = [stats.categories[category] for category in (CODE, EXECUTION, RESULTS)]
    assert (stats.nodes, stats.leaves, stats.groups) == (nodes, leaves, nodes - leaves)
    assert (stats.depth, stats.max_children) == (depth, fan)
    assert tuple(row.leaves for row in rows) == counts
    assert stats.effective_leaves == pytest.approx(effective, abs=0.5)
    assert stats.top_10 == pytest.approx(top_10, abs=0.51)
    assert [row.points for row in rows] == pytest.approx(shares, abs=0.51)


@given(rubrics())
def test_shares_add_up(rubric: Rubric) -> None:
    stats = rubric_stats(rubric)
    rows = stats.categories.values()
    assert math.fsum(row.points for row in rows) == pytest.approx(100)
    assert math.fsum(row.share_of_leaves for row in rows) == pytest.approx(1)
    assert 1 - 1e-9 <= stats.effective_leaves <= stats.leaves + 1e-9
    assert stats.top_10 <= 100 + 1e-9


def test_checks_and_tiny_leaves_are_counted() -> None:
    rubric = flat(
        leaf("a", weight=2, checks=[{"file_exists": {"file": "x"}}]),
        leaf("b", weight=2, category=RESULTS),
        leaf("c", weight=1, category="Ablation"),
        leaf("d", weight=0.0001),
    )
    stats = rubric_stats(rubric)
    assert stats.worth_under_checks == pytest.approx(40, abs=0.01)
    assert stats.tiny == 1
    assert list(stats.categories) == [CODE, RESULTS, "Ablation"]
    assert stats.categories[CODE].share_under_checks == pytest.approx(1, abs=0.001)
    assert stats.heaviest[0][0] == "a"


def test_a_view_without_leaves_has_no_figures() -> None:
    stats = rubric_stats(flat(leaf("a")).subset(category="Ablation"))
    assert (stats.nodes, stats.leaves, stats.effective_leaves) == (1, 0, 0.0)


def test_tree_rows_down_to_a_level() -> None:
    rubric = Rubric.build(
        [
            (None, group("root")),
            ("root", group("g", weight=3)),
            ("g", leaf("a")),
            ("g", leaf("b")),
            ("root", leaf("c")),
        ]
    )
    rows = [
        (row.key, row.level, row.worth, row.category, row.leaves) for row in rubric_tree(rubric, 2)
    ]
    assert rows == [("root", 1, 100, None, 3), ("g", 2, 75, None, 2), ("c", 2, 25, CODE, 0)]
    assert len(list(rubric_tree(rubric))) == 5


def test_levels_of_a_long_chain() -> None:
    rubric = chain(50_000)
    assert max(rubric.levels.values()) == rubric_stats(rubric).depth == 50_000
