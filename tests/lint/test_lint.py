import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from rubric_engine.criterion import Criterion
from rubric_engine.lint import RULES, lint
from rubric_engine.rubric import Rubric
from rubric_engine.rubric_file import load_rubric
from tests.strategies import ANY_WEIGHTS, chain, flat, group, leaf, rubrics

LONG_ENOUGH = "The update is implemented as in equation 2 of the paper"
RESULTS = "Result Analysis"


def _text(words: str, **more: Any) -> Criterion:
    return leaf("a", requirements=words, **more)


def _codes(rubric: Rubric) -> set[str]:
    return {finding.code for finding in lint(rubric)}


@pytest.mark.parametrize(
    ("code", "criterion"),
    [
        ("R101", _text("An appropriate learning rate is used for the optimiser")),
        ("R101", _text("The method is reasonably robust against perturbations")),
        ("R101", _text("Seeds, data sets, etc. are logged by the training script")),
        ("R102", _text("Data is loaded, the model is trained and its loss is plotted")),
        ("R102", _text("The data are loaded; the loss of the model is plotted")),
        ("R102", _text("The model is fitted and then evaluated on the test data")),
        ("R102", _text("Weights are saved. Losses are saved. A plot is made of both")),
        ("R103", _text("x" * 401)),
        ("R104", _text("Adam is used")),
        ("R105", _text("The estimate is somewhat close to the true parameter", category=RESULTS)),
        ("R106", _text("The learning rate should be decayed during the training")),
        ("R107", _text("The above is repeated on the validation part of the data")),
        ("R107", _text("An ablation of this method is implemented for the test data")),
        ("R108", _text("The baseline has been trained on the whole training set")),
        ("R118", _text("The loss is $L(w) as in the second equation of the paper")),
    ],
)
def test_wording(code: str, criterion: Criterion) -> None:
    assert code in _codes(flat(criterion, leaf("b", requirements=LONG_ENOUGH)))


@pytest.mark.parametrize(
    "criterion",
    [
        _text(LONG_ENOUGH),
        _text("A reasonable learning rate between 0.1 and 0.5 is used"),
        _text("Accuracy of A is higher than that of B on both data sets", category=RESULTS),
        _text("The final loss is 0.05 on the convection problem of 3.2", category=RESULTS),
        _text("The baseline has been trained on the training set", category="Code Execution"),
        _text("The loss $L(w)$ costs \\$5 an hour to compute on one GPU"),
    ],
)
def test_nothing_to_say_on_the_wording(criterion: Criterion) -> None:
    worded = {code for code in RULES if code < "R109" or code == "R118"}
    assert not worded & _codes(flat(criterion, leaf("b", requirements=LONG_ENOUGH)))


def _siblings(*weights: float) -> list[Criterion]:
    return [leaf(f"l{index}", weight=weight) for index, weight in enumerate(weights)]


@pytest.mark.parametrize(
    ("code", "rubric"),
    [
        ("R109", flat(leaf("a", requirements="The  Same"), leaf("b", requirements="the same"))),
        ("R110", flat(*_siblings(2, 2, 2, 2, 2))),
        ("R111", flat(*_siblings(9, *[1] * 19))),
        ("R112", flat(*_siblings(1, 0.00001))),
        ("R113", flat(leaf("a"))),
        ("R114", flat(*_siblings(*range(1, 17)))),
        ("R116", chain(10)),
        ("R117", flat(*_siblings(9, 1))),
        ("R119", flat(*_siblings(1, 0))),
        ("R120", flat(*_siblings(1, 1, 1), leaf("r", weight=9, category=RESULTS))),
    ],
)
def test_shape(code: str, rubric: Rubric) -> None:
    assert code in _codes(rubric)


@pytest.mark.parametrize(
    ("code", "rubric"),
    [
        ("R109", flat(leaf("a"), leaf("b"))),
        ("R110", flat(*_siblings(2, 2, 2, 2))),
        ("R110", flat(*_siblings(2, 2, 2, 2, 3))),
        ("R111", flat(*_siblings(3, *[1] * 19))),
        ("R111", flat(*_siblings(9, *[1] * 18))),
        ("R113", flat(*_siblings(1, 1))),
        ("R114", flat(*_siblings(*range(1, 16)))),
        ("R116", chain(9)),
        ("R117", flat(*_siblings(8, 2))),
    ],
)
def test_just_short_of_a_finding(code: str, rubric: Rubric) -> None:
    assert code not in _codes(rubric)


SOURCE_ONLY = [{"python_calls": {"name": "f"}}, {"file_exists": {"file": "src/a.py"}}]


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("R132", {"category": "Code Execution", "checks": SOURCE_ONLY}),
        ("R132", {"category": "Code Execution", "checks": [{"not": {"any": SOURCE_ONLY}}]}),
        ("R133", {"depends_on": ["root"]}),
        ("R134", {"scale": [{"score": 0, "says": "no"}, {"score": 0.5, "says": "half"}]}),
        ("R135", {"evidence": ["../secrets/*.py"]}),
        ("R135", {"checks": [{"all": [{"file_exists": {"file": "src/../../x"}}]}]}),
    ],
)
def test_fields(code: str, fields: dict[str, Any]) -> None:
    assert code in _codes(flat(leaf("a", **fields), leaf("b")))


@pytest.mark.parametrize(
    "fields",
    [
        {"checks": SOURCE_ONLY},
        {"category": "Code Execution"},
        {"category": "Code Execution", "checks": [*SOURCE_ONLY, {"exit_code": {}}]},
        {"category": RESULTS, "checks": [{"sql": {"query": "select 1 from 'x.csv'"}}]},
        {"category": RESULTS, "checks": [{"file_exists": {"file": "results/*.csv"}}]},
        {"depends_on": ["b"]},
        {"scale": [{"score": 0, "says": "no"}, {"score": 1, "says": "yes"}]},
        {"evidence": ["src/**/*.py", "notes..md"]},
    ],
)
def test_nothing_to_say_on_the_fields(fields: dict[str, Any]) -> None:
    found = _codes(flat(leaf("a", **fields), leaf("b")))
    assert not {code for code in found if code > "R130"}


def test_at_least_more_than_there_are() -> None:
    assert "R136" in _codes(flat(*_siblings(1, 1), root=group("root", aggregate="at_least(3)")))
    assert "R136" not in _codes(flat(*_siblings(1, 1), root=group("root", aggregate="at_least(2)")))


def test_patterns_are_tried_by_what_the_caller_passes() -> None:
    checks = [
        {"any": [{"contains": {"file": "a", "regex": "(?=x)"}}]},
        {"log_contains": {"regex": "fine"}},
        {"number": {"log": True, "regex": "(?<=x)", "equals": 1}},
        {"contains": {"file": "a", "text": "(?="}},
    ]
    rubric = flat(leaf("a", checks=checks))

    def refuse(pattern: str) -> str | None:
        return "no look-around" if "(?" in pattern else None

    found = [one for one in lint(rubric, {"pattern": refuse}) if one.code == "R131"]
    assert [one.message for one in found] == [
        "pattern '(?=x)' is refused: no look-around",
        "pattern '(?<=x)' is refused: no look-around",
    ]
    assert {one.level for one in found} == {"error"}
    assert "R131" not in _codes(rubric)


def test_findings_come_in_document_order() -> None:
    rubric = flat(
        leaf("z", requirements="Short; should be"), leaf("a", requirements="The above is ok")
    )
    found = [(finding.key, finding.code) for finding in lint(rubric) if finding.key != "root"]
    assert found == [
        ("z", "R102"),
        ("z", "R104"),
        ("z", "R106"),
        ("a", "R104"),
        ("a", "R107"),
    ]


@pytest.mark.parametrize("code", RULES)
def test_every_rule_explains_itself(code: str) -> None:
    rule = RULES[code]
    assert rule.code == code
    assert re.fullmatch(r"R1\d\d", code)
    assert len(rule.explanation) > len(rule.title)
    assert rule.explanation != rule.title


@settings(deadline=None)
@given(rubrics(weights=ANY_WEIGHTS))
def test_any_rubric_can_be_linted(rubric: Rubric) -> None:
    for finding in lint(rubric):
        assert finding.key in rubric
        assert finding.level == RULES[finding.code].level


def test_a_long_chain_is_linted_in_one_walk() -> None:
    found = Counter(finding.code for finding in lint(chain(50_000)))
    assert found["R116"] == 1
    assert found["R113"] == 49_999


def test_a_view_without_leaves_has_nothing_to_lint() -> None:
    assert lint(flat(leaf("a")).subset(category="Ablation")) == []


COUNTS = {
    "bbox": {"R101": 1, "R109": 1, "R118": 24},
    "lca-on-the-line": {"R102": 20, "R103": 47, "R112": 1, "R114": 10},
    "pinn": {"R103": 260, "R106": 255, "R112": 1, "R120": 3},
    "rice": {"R110": 14, "R120": 2},
    "semantic-self-consistency": {"R106": 2, "R114": 1},
    "stochastic-interpolants": {"R103": 8, "R104": 1},
}


@pytest.mark.parametrize("name", COUNTS)
def test_respected_rubrics_are_not_shouted_at(name: str, paperbench_papers: Path) -> None:
    rubric = load_rubric(paperbench_papers / name / "rubric.json")
    found = Counter(finding.code for finding in lint(rubric))
    assert {code: found[code] for code in COUNTS[name]} == COUNTS[name]
    loud = {code for code in found if RULES[code].level != "info"}
    assert all(found[code] <= 0.05 * len(rubric.leaves()) for code in loud)
    assert not {code for code in found if RULES[code].level == "error"}
