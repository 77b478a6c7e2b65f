from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rubric_engine._content import content_folder
from rubric_engine.errors import JudgeCardError, LabelsError
from rubric_engine.judge import JudgeCard
from rubric_engine.judges import ConstantJudge, LabelJudge, RandomJudge, RulesJudge, load_judge
from rubric_engine.lookup import planted
from rubric_engine.task import load_task


def card(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "judge.yaml").write_text(text)
    return folder


def test_the_shipped_judges(root: Path) -> None:
    kinds = {
        "rules": RulesJudge,
        "all-met": ConstantJudge,
        "all-not-met": ConstantJudge,
        "random": RandomJudge,
    }
    for name, kind in kinds.items():
        judge = load_judge(name)
        assert isinstance(judge, kind)
        assert judge.card.name == name
        assert judge.card.description
    met, not_met = load_judge("all-met"), load_judge("all-not-met")
    assert isinstance(met, ConstantJudge)
    assert isinstance(not_met, ConstantJudge)
    assert (met.score, not_met.score) == (1.0, 0.0)
    assert {path.parent.name for path in root.glob("judges/*/judge.yaml")} == {
        *kinds, "answers", "labels", "monitor", "simple", "thorough", "auto", "decision", "cascade",
        "panel",
        "sparrow-decider", "sparrow-robot", "sparrow-cascade", "sparrow-panel",
        "openai", "anthropic", "gemini", "openrouter", "vllm", "ollama", "llamacpp",
    }  # fmt: skip


def test_the_shipped_label_card_says_what_it_lacks(root: Path) -> None:
    with pytest.raises(JudgeCardError) as caught:
        load_judge("labels")
    assert "'labels' is missing" in caught.value.message
    assert str(caught.value.place).endswith("labels/judge.yaml")
    assert "Copy this folder" in (root / "judges/labels/judge.yaml").read_text()


def test_labels_stand_beside_the_card(tmp_path: Path) -> None:
    folder = card(tmp_path / "mine", "judge: 1\nkind: labels\nlabels: ../labels.yaml\n")
    (tmp_path / "labels.yaml").write_text(
        "annotator: me\nlabels:\n  a: {verdict: met, reason: seen}\n"
    )
    judge = load_judge(str(folder))
    assert isinstance(judge, LabelJudge)
    assert judge.grades["a"].score == 1.0
    (tmp_path / "labels.yaml").unlink()
    with pytest.raises(LabelsError):
        load_judge(folder)


def test_a_card_by_folder_by_file_and_by_name_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = card(tmp_path / "judges/half", "judge: 1\nkind: constant\nscore: 0.5\n")
    monkeypatch.chdir(tmp_path)
    for name in (str(folder), str(folder / "judge.yaml"), "half", "./judges/half", folder):
        judge = load_judge(name)
        assert isinstance(judge, ConstantJudge)
        assert (judge.score, judge.card.name) == (0.5, "half")


def test_no_card_of_a_submission_is_found_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card(tmp_path / "judges/rules", "judge: 1\nkind: constant\nscore: 1\n")
    monkeypatch.chdir(tmp_path)
    assert isinstance(load_judge("rules"), ConstantJudge)
    assert isinstance(load_judge("rules", untrusted=tmp_path), RulesJudge)


def test_what_ships_is_found_wherever_the_package_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    around = content_folder("judges").parent
    monkeypatch.chdir(around)
    assert isinstance(load_judge("rules", untrusted=Path()), RulesJudge)
    assert load_task("heavy-ball", untrusted=around.parent).name == "heavy-ball"
    assert planted(around / "docs", "rubrics", around)
    assert not planted(around / "rubrics" / "heavy-ball", "rubrics", around)


def test_a_judge_and_a_card_are_taken_as_they_are() -> None:
    judge = ConstantJudge(0.5)
    assert load_judge(judge) is judge
    loaded = load_judge(judge.card)
    assert isinstance(loaded, ConstantJudge)
    assert loaded.card == judge.card
    assert isinstance(load_judge(JudgeCard(kind="rules")), RulesJudge)
    with pytest.raises(JudgeCardError, match="is no judge"):
        load_judge(3)  # type: ignore[arg-type]
    with pytest.raises(JudgeCardError, match=r"RulesJudge is a class, .* RulesJudge\(\) makes"):
        load_judge(RulesJudge)  # type: ignore[arg-type]


OWN = """
from rubric_engine.errors import LabelsError
from rubric_engine.judges import RulesJudge

class Own(RulesJudge):
    pass

def nothing(card):
    return None

def a_class(card):
    return Own

def broken(card):
    raise RuntimeError("no luck")

class Hollow:
    @property
    def card(self):
        raise OSError("no card")

    def grade(self):
        pass

def hollow(card):
    return Hollow()

def with_word(card):
    raise LabelsError("a word of our own", code="E502")

class Plain:
    card = None

    def grade(self, leaves, case, *, sample=0):
        pass

number = 3
"""


def test_a_judge_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_judge_module.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    text = "judge: 1\nkind: own_judge_module:Own\ncolour: red\n"
    judge = load_judge(card(tmp_path / "own", text))
    assert type(judge).__name__ == "Own"
    assert judge.card.settings == {"colour": "red"}
    for kind, said in {
        "own_judge_module:Other": "has no attribute 'Other'",
        "no_such_module_here:Own": "No module named",
        "own_judge_module:number": "is of type int, no class",
        "own_judge_module:nothing": "makes is no judge: None",
        "own_judge_module:a_class": "makes a class, not a judge",
        "own_judge_module:broken": "makes no judge: RuntimeError: no luck",
        ":Own": "cannot be loaded",
        "own_judge_module:": "cannot be loaded",
    }.items():
        with pytest.raises(JudgeCardError, match=said):
            load_judge(JudgeCard(kind=kind))


def test_a_class_that_takes_no_argument_is_given_its_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plain_judge_module.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    judge = load_judge(card(tmp_path / "own", "judge: 1\nkind: plain_judge_module:Plain\n"))
    assert judge.card.name == "own"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("def f(:", "SyntaxError: "),
        ("raise BaseExceptionGroup('many', [ValueError()])", "ExceptionGroup: many"),
    ],
)
def test_whatever_a_foreign_module_raises_is_an_error_of_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, said: str
) -> None:
    (tmp_path / "broken_judge_module.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    folder = card(tmp_path / "own", "judge: 1\nkind: broken_judge_module:Own\n")
    with pytest.raises(JudgeCardError, match=f"cannot be loaded: {said}") as caught:
        load_judge(folder)
    assert caught.value.exit_code == 3
    assert caught.value.__cause__ is not None
    _register(tmp_path, "broken", "broken_judge_module:Own")
    for asked in ("broken", JudgeCard(kind="broken")):
        with pytest.raises(JudgeCardError, match=f"'broken' cannot be loaded: {said}"):
            load_judge(asked)


def test_a_foreign_judge_may_raise_our_errors_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wordy_judge_module.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(LabelsError, match="a word of our own"):
        load_judge(JudgeCard(kind="wordy_judge_module:with_word"))
    with pytest.raises(JudgeCardError):
        load_judge(JudgeCard(kind="wordy_judge_module:hollow"))


def _register(folder: Path, name: str, value: str) -> None:
    info = folder / f"{name}_judge-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-judge\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[rubric_engine.judges]\n{name} = {value}\n")


def test_a_kind_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "entry_judge_module.py").write_text(OWN)
    _register(tmp_path, "mine", "entry_judge_module:Own")
    monkeypatch.syspath_prepend(tmp_path)
    assert type(load_judge("mine")).__name__ == "Own"
    assert type(load_judge(JudgeCard(kind="mine"))).__name__ == "Own"
    monkeypatch.delitem(sys.modules, "entry_judge_module")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: constant\nscore: 2\n", "score: must be less than or equal to 1"),
        ("kind: constant\n", "'score' is missing"),
        ("kind: constant\nscore: 1\nscroe: 2\n", "unknown key 'scroe'"),
        ("kind: rules\nseed: 1\n", "unknown key 'seed'"),
        ("kind: random\nsead: 1\n", "unknown key 'sead'"),
        ("kind: ruls\n", "unknown kind 'ruls'; did you mean 'rules'?"),
        ("name: x\n", "kind"),
        ("kind: rules\njudge: 2\n", "judge"),
        ("- 1\n", "mapping"),
        ("kind: [\n", ""),
    ],
)
def test_a_wrong_card_is_an_error_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    folder = card(tmp_path / "wrong", text)
    with pytest.raises(JudgeCardError) as caught:
        load_judge(folder)
    error = caught.value
    assert error.exit_code == 3
    assert error.code == "E511"
    texts = [error.message, *(problem.message for problem in error.problems)]
    assert any(said in each for each in texts)
    places = [error.place, *(problem.place for problem in error.problems)]
    assert any(place and place.file.endswith("judge.yaml") for place in places)


@pytest.mark.parametrize(
    ("name", "meant"), [("ruels", "did you mean 'rules'?"), ("./none", ""), ("all-mett", "all-met")]
)
def test_an_unknown_judge_says_what_was_tried(name: str, meant: str) -> None:
    with pytest.raises(JudgeCardError) as caught:
        load_judge(name)
    assert meant in caught.value.message
    assert any("rules" in line for line in caught.value.looked)
    assert caught.value.fix


def test_a_folder_without_a_card_says_so(tmp_path: Path) -> None:
    with pytest.raises(JudgeCardError) as caught:
        load_judge(tmp_path)
    assert "judge.yaml" in str(caught.value)
