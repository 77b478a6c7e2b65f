"""The judge of a task keeps what every judge promises, and the rubric is what the task says."""

from __future__ import annotations

import pytest

from rubric_engine.benchmarks.tasksets import load_task_set
from rubric_engine.benchmarks.tasksets.as_rubric import engine_task, rubric_of
from rubric_engine.benchmarks.tasksets.judging import card_for
from rubric_engine.testing import check_judge
from tests.benchmarks.tasksets.example import TASKS

TASK_SET = load_task_set(TASKS)


@pytest.mark.parametrize("task_id", ["literature-1", "hypothesis-2"])
def test_rules_alone_and_rules_before_a_model_keep_every_promise(task_id: str) -> None:
    check_judge(card_for(TASK_SET[task_id], "answers"))


def test_every_task_makes_a_rubric_whose_worths_are_its_weights() -> None:
    for task in TASK_SET:
        rubric = rubric_of(task)
        apart = task.judge.method == "rule_and_llm"
        assert rubric[rubric.root].aggregate == ("min" if apart else None)
        if not apart:
            assert sum(rubric.worth(leaf) for leaf in rubric.leaves()) == pytest.approx(1)
    worths = {
        key: rubric_of(TASK_SET["writing-2"]).worth(key) for key in ("point-1", "rule-1-length")
    }
    assert worths == {"point-1": pytest.approx(0.5), "rule-1-length": pytest.approx(0.25)}


def test_dimensions_have_the_scale_that_their_text_names() -> None:
    ten = rubric_of(TASK_SET["hypothesis-2"])["dimension-\u53ef\u68c0\u9a8c\u6027"]
    assert [step.score for step in ten.scale] == [at / 10 for at in range(11)]
    assert ten.note_to_judge is not None
    quarters = rubric_of(TASK_SET["writing-1"])["dimension-Clear"]
    assert [step.score for step in quarters.scale] == [0, 0.25, 0.5, 0.75, 1]


def test_the_judge_is_shown_the_reference_and_what_was_asked() -> None:
    task = engine_task(TASK_SET["literature-2"], TASK_SET.texts)
    assert "which may explain it" in str(task.judge_addendum)
    assert "Do the trials agree" in str(task.paper)
    assert set(task.attachments) == {"resources/abstracts.md"}
