import pytest
from pydantic import ValidationError

from rubric_engine.categories import BUILT_IN, Category, category

OWN = {"Ablation": Category(question="Is it ablated?", sees=("log",), needs_run=True)}


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_categories_stand_beside_own_ones(name: str) -> None:
    assert category(name, OWN) is category(name) is BUILT_IN[name]


def test_an_own_category_wins() -> None:
    own = {"Code Development": OWN["Ablation"]}
    assert category("Code Development", own) is own["Code Development"]
    assert category("Ablation", OWN) is OWN["Ablation"]


@pytest.mark.parametrize("name", ["Novel", "", None])
def test_an_unknown_category_sees_all_and_needs_no_run(name: str | None) -> None:
    row = category(name, OWN)
    assert set(row.sees) == {"code", "docs", "script", "log", "produced"}
    assert not row.needs_run


def test_code_is_judged_without_what_a_run_left() -> None:
    assert not {"log", "produced"} & set(BUILT_IN["Code Development"].sees)


def test_an_unknown_kind_of_evidence_is_refused() -> None:
    with pytest.raises(ValidationError):
        Category.model_validate({"question": "?", "sees": ["labels"]})
