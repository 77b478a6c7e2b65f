"""Twenty answers with known parts give the table that is computed by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.benchmarks.expbench.grading import (
    ExpResults,
    grade_answers,
    load_exp_results,
    summarise,
)
from rubric_engine.benchmarks.expbench.grading.parts import (
    CATEGORY_OF,
    JUDGED,
    PARTS,
    Part,
    parts_of,
)
from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    Mark,
    MonitorMark,
)
from rubric_engine.benchmarks.expbench.grading.summary import by_paper
from rubric_engine.metrics import Standing
from tests.benchmarks.expbench.twenty import ByScript, judge_model, write_twenty

T, F, N = True, False, None

MARKS = (
    # D, I, C, E, M
    (T, T, T, T, T), (T, T, T, T, T), (T, F, T, T, T), (F, T, T, F, T),
    (T, T, F, T, T), (F, F, F, F, T), (T, T, T, F, N), (T, T, T, T, F),
    (N, T, N, T, T), (N, T, T, T, T), (T, T, N, T, T), (T, N, T, N, N),
    (N, N, N, N, N), (T, T, T, N, N), (T, T, T, T, N), (F, F, T, T, T),
    (T, N, T, T, T), (F, T, T, T, F), (F, F, F, T, T), (T, T, T, T, T),
)  # fmt: skip

TABLE = {
    # name: how many hold, of how many of which it is defined
    "D": (12, 17), "I": (13, 17), "C": (14, 17), "E": (14, 17), "M": (13, 15),
    "C.D": (10, 16), "I.E": (10, 16), "All": (7, 14), "All.E": (5, 13),
    "MD": (7, 13), "MDC": (5, 12), "MDCI": (3, 11), "MDCIE": (3, 12),
    "D %": (13.5, 17), "I %": (14, 16), "C %": (14, 17),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[ExpResults, Path]:
    """The twenty answers, graded, and the folder that holds all of it."""
    folder = tmp_path_factory.mktemp("twenty")
    write_twenty(folder)
    results = grade_answers(
        folder / "answers",
        folder / "tasks",
        model=judge_model(),
        repos=folder / "repos",
        sandbox=ByScript(),
        runs=folder / "runs",
        out=folder / "out",
    )
    return results, folder


def in_order(results: ExpResults) -> list[tuple[bool | None, ...]]:
    """The marks by number of the question."""
    by_number = {int(one.task.rpartition("/")[2]): one for one in results.answers}
    return [tuple(by_number[at].marks(1.0).values()) for at in range(len(by_number))]


def test_each_part_of_each_answer_is_as_it_is_known(graded: tuple[ExpResults, Path]) -> None:
    for at, (found, known) in enumerate(zip(in_order(graded[0]), MARKS, strict=True)):
        assert found == known, (
            at,
            [one for one in graded[0].answers if one.task.endswith(f"/{at}")],
        )


def test_the_table_is_the_one_computed_by_hand(graded: tuple[ExpResults, Path]) -> None:
    summary = summarise(graded[0].answers)
    assert (summary.questions, summary.papers) == (20, 5)
    assert summary.answers == {"whole": 15, "part": 4, "none": 1}
    rows = {row.name: row for _, row in summary.rows()}
    assert set(rows) == set(TABLE)
    for name, (held, defined) in TABLE.items():
        row = rows[name]
        assert row.value is not None
        assert row.value * row.n == pytest.approx(held), name
        assert row.n == defined, name
        assert row.undefined == 20 - defined
        if "%" not in name:
            assert row.low == pytest.approx(held / 20)
            assert row.high == pytest.approx((held + 20 - defined) / 20)
        assert row.interval.low is not None
        assert row.interval.high is not None
        assert row.interval.low <= row.value <= row.interval.high


def test_what_is_read_back_is_what_was_written(graded: tuple[ExpResults, Path]) -> None:
    assert load_exp_results(graded[1] / "out") == graded[0]


def outcome(marks: Mapping[Part, bool | None]) -> AnswerOutcome:
    """An answer whose parts stand like that."""
    known = {
        CATEGORY_OF[part]: Mark(value=marks[part]).standing or Standing(1, 0, 0, 0.0, 1.0)
        for part in JUDGED
    }
    e, m = Mark(value=marks["E"]), MonitorMark(value=marks["M"])
    return AnswerOutcome(task="a/b/0", paper="a/b", kind=1, standings=known, execution=e, monitor=m)


@given(st.fixed_dictionaries({part: st.sampled_from([T, F, N]) for part in PARTS}), st.randoms())
def test_a_conjunction_fails_with_one_part_and_never_changes_once_it_is_decided(
    marks: dict[Part, bool | None], random: Random
) -> None:
    found = outcome(marks).metrics(1.0)
    filled = {p: random.choice((T, F)) if v is None else v for p, v in marks.items()}
    whole = outcome(filled).metrics(1.0)
    for name, value in found.items():
        parts = {marks[part] for part in parts_of(name)}
        assert value is (F if F in parts else N if N in parts else T)
        assert value in (None, whole[name])


def test_intervals_are_by_paper() -> None:
    found = by_paper([1.0, 0.0, 1.0, 1.0, 1.0, 0.0], ["a", "a", "b", "b", "c", "c"])
    assert found.units == 3
    assert (found.low, found.high) == (0.0, 1.0)  # 2/3 +- 0.72, cut
    values, papers = [0.5, 0.5, 0.6, 0.4, 0.5, 0.8], ["a", "a", "b", "b", "c", "c"]
    near = by_paper(values, papers)
    # Residuals of the mean 0.55 by paper: -0.1, -0.1, 0.2.
    half = 4.30265 * math.sqrt(3 / 2) * math.sqrt(0.06) / 6
    assert near.low == pytest.approx(0.55 - half, abs=1e-5)
    assert near.high == pytest.approx(0.55 + half, abs=1e-5)
    assert by_paper([1.0, 0.0], ["a", "a"]).why == "one paper says nothing of new ones"
    assert by_paper([1.0, 1.0], ["a", "b"]).why == "nothing shows how far papers differ"
    assert by_paper([], []).low is None


def test_tables_without_an_answer_have_no_figure() -> None:
    empty = summarise([])
    assert {row.value for _, row in empty.rows()} == {None}
