"""The claims of an answer, against what the task gives and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.benchmarks.tasksets.answer import Claims
from rubric_engine.benchmarks.tasksets.derived import MOST_PAIRED, of_table, of_text, steps
from rubric_engine.benchmarks.tasksets.grounding import claims_of
from rubric_engine.benchmarks.tasksets.task import SetTask
from tests.benchmarks.tasksets.example import task

RUNS = """group,seed,kg
drip,1,21.0
drip,2,19.4
drip,3,22.6
flood,1,20.0
flood,2,20.6
flood,3,18.2
"""
PROSE = "Drip lines took 31 % less water, in another trial 18 % less; 40 farms were asked."


def found(answer: str, texts: Mapping[str, str] | None = None, **more: Any) -> Claims | None:
    texts = texts or {}
    return claims_of(SetTask.model_validate(task(resources=list(texts), **more)), texts, answer)


def loose(answer: str, texts: Mapping[str, str] | None = None, **more: Any) -> tuple[int, Any]:
    """How many claims there are, and which have no ground."""
    claims = found(answer, texts, **more)
    assert claims is not None
    assert claims.ungrounded == len(claims.named)
    return claims.claims, list(claims.named)


@pytest.mark.parametrize(
    ("answer", "claims", "without"),
    [
        # as it stands, at its rounding
        ("Plot 1 gave 21.0 kg, or 21 kg.", 1, []),
        ("Plot 1 gave 21.3 kg.", 1, ["21.3"]),
        # summaries, of all rows and of a group: 121.8 / 6, 63.0 / 3, 58.8 / 3, medians, totals
        ("The mean is 20.3 kg: 21.0 kg under drip, 19.6 kg under flood.", 3, []),
        ("The medians are 21.0 and 20.0; in all 121.8 kg.", 3, []),
        # sd of 21.0, 19.4, 22.6: sqrt((0 + 2.56 + 2.56) / 2)
        ("The standard deviation under drip is 1.60 kg.", 1, []),
        # one step between two summaries of a kind: 21.0 - 19.6, 21.0 / 19.6 - 1
        ("Drip gave 1.4 kg or 7.1 % more.", 2, []),
        ("Drip gave 2.7 kg or 9.3 % more.", 2, ["2.7", "9.3 %"]),
        # arithmetic that is shown, and that is wrong, or begins with a made-up number
        ("(21.0 + 19.4) / 2 = 20.2, 20.2 * 19.4 = 391.88, so 391.88 kg.", 6 + 1, []),
        ("21.0 * 19.4 = 408.4, so 408.4 kg.", 3 + 1, ["408.4", "408.4"]),
        ("21.7 * 19.4 = 420.98, so 420.98 kg.", 3 + 1, ["21.7", "420.98", "420.98"]),
        # files
        ("See `data/runs.csv`, `runs.csv` and `data/more.csv`.", 3, ["data/more.csv"]),
        ("Nothing is claimed.", 0, []),
    ],
)
def test_figures_of_a_table_bear_a_claim_out(answer: str, claims: int, without: list[str]) -> None:
    assert loose(answer, {"data/runs.csv": RUNS}) == (claims, without)


@pytest.mark.parametrize(
    ("more", "answer", "claims", "without"),
    [
        # background, constraints and question; another number has no ground
        ({"background": PROSE}, "31 % of 40.0 farms; 57 %.", 3, ["57 %"]),
        ({"background": PROSE, "constraints": ["Use 0.25"]}, "With 0.25.", 1, []),
        # one step, between numbers of one unit only: 31 - 18 points; 40 farms less 31 % is none
        ({"background": PROSE}, "13 points more. 9.0 farms.", 2, ["9.0"]),
        ({"background": "12 farms of 40 farms."}, "That is 30 %.", 1, []),
        # the reference, which the agent was not shown: who is right invents nothing
        ({"reference": "0.713"}, "It is 0.713 or 0.9.", 2, ["0.9"]),
        ({"reference": ["It names 0.713"]}, "It is 0.71.", 1, []),
        # what rules take for right: 64 within a tenth, and texts that are to be found
        (
            {"judge": {"method": "rules", "rules": [
                {"name": "number_close", "equals": 64, "rel": 0.1}
            ]}},
            "63.5 plots, 57.7 % or 80.5 plots", 3, ["80.5"],
        ),
        (
            {"judge": {"method": "rules", "rules": [{"name": "contains", "text": "7.25"}]}},
            "7.25 and 7.35", 2, ["7.35"],
        ),
        # Chinese has no spaces around numbers
        ({"background": "\u574721.5\u514b"}, "\u662f21.5\u514b\u975e23.5\u514b", 2, ["23.5"]),
        # values of JSON in a fence, and cells of a table
        (
            {"background": PROSE, "expected_output": {"type": "json"}},
            '```json\n{"a": [0.31, {"b": "18 %"}], "c": 0.77, "d": true}\n```', 3, ["0.77"],
        ),
        (
            {"background": PROSE, "expected_output": {"type": "csv"}},
            "a,b\n0.31,0.78\n", 2, ["0.78"],
        ),
    ],
)  # fmt: skip
def test_what_was_asked_and_what_is_right_bear_a_claim_out(
    more: dict[str, Any], answer: str, claims: int, without: list[str]
) -> None:
    assert loose(answer, **more) == (claims, without)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"question": "Is 0.05 enough?"},
        {"background": "No number is here.", "reference": "None here."},
        {"background": PROSE, "expected_output": {"type": "code"}},
    ],
)
def test_where_nothing_could_bear_a_number_out_nothing_is_said(more: dict[str, Any]) -> None:
    assert found("It is 0.951, as `a.csv` has it.", **more) is None


def test_files_are_held_against_resources_only() -> None:
    assert loose("I would write `plan.csv`.", background=PROSE) == (0, [])


def test_only_a_few_claims_are_named_and_all_are_counted() -> None:
    answer = " and ".join(f"{number}.55" for number in range(100, 130))
    claims = found(answer, background=PROSE)
    assert claims is not None
    assert (claims.claims, claims.ungrounded, len(claims.named)) == (30, 30, 10)


def test_of_many_figures_no_two_are_taken_together() -> None:
    few = list(map(float, range(1, MOST_PAIRED + 1)))
    assert set(steps(few)) >= {11.0, 5.0, 6.0, 5 / 6}
    assert list(steps([*few, 0.5])) == []
    assert of_text("1 kg, 2 kg, 3 m") == tuple(steps([1.0, 2.0]))


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(["text", "json", "csv"]))
def test_no_answer_and_no_resource_breaks_the_look_at_it(
    answer: str, resource: str, kind: str
) -> None:
    claims = found(answer, {"a.csv": resource}, expected_output={"type": kind})
    assert claims is not None
    assert claims.ungrounded <= claims.claims
    assert all(map(math.isfinite, of_table(resource)))


@pytest.mark.parametrize(
    "answer",
    [
        "(" * 150 + "1" + ")" * 150 + " + 21.0 = 22.0",
        "21.0 / (21.0 - 21.0) = 0.0",
        "21.0 ** 21.0 ** 21.0 = 1.0",
        "21.0 (21.0) = 1.0",
        "21.0 + 1j = 2.0",
        "= = =\n1 = 1 = 1",
    ],
)
def test_working_that_is_no_arithmetic_bears_nothing_out(answer: str) -> None:
    claims = found(f"{answer}\nSo it is 147.5 kg.", {"runs.csv": RUNS})
    assert claims is not None
    assert "147.5" in claims.named
