"""What a card may say, as the page lists it, and what is said of a slip in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine import JudgeCard, JudgeContext, ModelConfig, grade, load_task
from rubric_engine.errors import JudgeCardError, UsageError
from rubric_engine.judges import load_judge
from rubric_engine.judges.settings import settings_of
from rubric_engine.judges.simple.settings import EvidenceSettings, SimpleSettings
from tests.judges.reference import reference, shown

MODEL_KEYS = f"keys of 'model': {', '.join(ModelConfig.model_fields)}"
PLACE = JudgeContext().place


def refused(folder: Path, settings: str, kind: str = "simple") -> JudgeCardError:
    """The error about a card with some settings from its third line on."""
    (folder / "judge.yaml").write_text(f"judge: 1\nkind: {kind}\n{settings}\n")
    with pytest.raises(JudgeCardError) as caught:
        load_judge(folder, context=JudgeContext())
    return caught.value


def test_the_page_lists_every_key() -> None:
    assert shown() == reference().strip(), "run `python -m tests.judges.reference`"


def test_a_slip_in_the_model_is_placed_and_meets_the_models_own_keys(tmp_path: Path) -> None:
    error = refused(tmp_path, "model: {name: m, temprature: 1}")
    assert error.message == "model: unknown key 'temprature'"
    assert (error.place.line, error.place.column) == (3, 18) if error.place else False
    assert list(error.looked) == [MODEL_KEYS]
    assert error.fix[0] == "did you mean 'temperature'?"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("model: gpt-5", "model: a mapping is due here, found 'gpt-5'"),
        ("model: {name: ''}", "model.name: must not be empty"),
        ("model: {temperature: 1}", "'model.name' is missing"),
        ("model: {name: m, temperature: no}", "temperature: a number is due here, found 'no'"),
        ("model: {name: m, timeout: 0}", "model.timeout: must be greater than 0"),
        ("model: {name: m, price: {input: 1}}", "'model.price.output' is missing"),
        ("model: {name: m}\nevidence: some", "evidence: a mapping is due here, found 'some'"),
        ("model: {name: m}\nevidence: {selection: x}", "evidence.selection: 'x' is none of"),
        ("model: {name: m}\nevidence: {max_chars: some}",
         "evidence.max_chars: must be a whole number of at least 1000, or all"),
        ("model: {name: m}\nevidence: {max_chars: 999}", "at least 1000, or all"),
        ("model: {name: m}\nevidence: {max_chars: true}", "at least 1000, or all"),
        ("model: {name: m}\nprompts: {systm: a}", "prompts: unknown key 'systm'"),
        ("model: {name: m}\nprompt: {}", "unknown key 'prompt'"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_told_in_our_words(tmp_path: Path, settings: str, said: str) -> None:
    error = refused(tmp_path, settings)
    assert said in error.message
    assert error.place
    assert error.place.line is not None


@pytest.mark.parametrize("judges", ["rules", "[]", "[1]", "[{a: b}]"])
def test_members_of_a_cascade_are_told_in_our_words(tmp_path: Path, judges: str) -> None:
    message = refused(tmp_path, f"judges: {judges}", "cascade").message
    assert "due here" in message or "must not be empty" in message


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    error = refused(tmp_path, "model: {nme: m}\nevidence: {selction: ranked}")
    assert [problem.message for problem in error.problems] == [
        "'model.name' is missing",
        "model: unknown key 'nme'",
        "evidence: unknown key 'selction'",
    ]
    assert [problem.hint for problem in error.problems[1:]] == [
        "did you mean 'name'?",
        "did you mean 'selection'?",
    ]


@pytest.mark.parametrize("said", ["all", {"max_chars": "all"}])
def test_evidence_all_has_a_short_spelling(said: object) -> None:
    card = JudgeCard.model_validate({"kind": "simple", "model": {"name": "m"}, "evidence": said})
    settings = settings_of(card, SimpleSettings, PLACE)
    assert settings.evidence == EvidenceSettings(max_chars="all")


FOREIGN = """
from rubric_engine import ModelConfig

def make(card, context):
    return ModelConfig.model_validate(card.settings["model"])
"""


def test_a_judge_of_ones_own_that_reads_settings_is_told_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "reads_settings_module.py").write_text(FOREIGN)
    monkeypatch.syspath_prepend(tmp_path)
    error = refused(tmp_path, "model: {temprature: 1}", "reads_settings_module:make")
    assert "'name' is missing; unknown key 'temprature'" in error.message
    assert "Extra inputs" not in str(error)


def test_a_slip_in_the_model_that_is_given_is_no_fault_of_the_card(root: Path) -> None:
    with pytest.raises(UsageError, match="unknown key 'temprature'") as caught:
        grade(
            load_task("heavy-ball"),
            root / "judgeeval/heavy-ball-full/submission",
            judge="simple",
            model={"temprature": 1},
        )
    assert caught.value.fix == ("did you mean 'temperature'?",)
