"""Results of a grading that somebody edited: refused with their place, never reckoned with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.expbench.grading.results import (
    AnswerOutcome,
    ExpResults,
    LeafOutcome,
    dump_exp_results,
    load_exp_results,
)
from rubric_engine.errors import RunError
from rubric_engine.metrics import Standing

LEAF = LeafOutcome(key="d", category="Design", requirements="It is right", worth=1.0, score=1.0)
ANSWER = AnswerOutcome(
    task="c/p/0",
    paper="c/p",
    kind=1,
    leaves=(LEAF,),
    standings={"Design": Standing(leaves=1, met=1, failed=0, low=1.0, high=1.0)},
    run="r-c-p-0",
)
WHOLE = ExpResults(
    status="done",
    judge="rules",
    run="r",
    made_at="",
    engine="0",
    cost={"usd": 1.0},
    answers=(ANSWER, ANSWER.model_copy(update={"task": "c/p/1"})),
)

Edit = Callable[[dict[str, Any]], object]


def _standing(**values: float) -> Edit:
    return lambda found: found["answers"][0]["standings"]["Design"].update(values)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    dump_exp_results(WHOLE, tmp_path)
    assert load_exp_results(tmp_path) == WHOLE


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda found: found["answers"].append(found["answers"][0]), "stands twice"),
        (lambda found: found["cost"].update(usd=float("nan")), "cost"),
        (lambda found: found["cost"].update(usd=-1.0), "cost"),
        (lambda found: found.update(tau=float("inf")), "tau"),
        (lambda found: found.update(tau=0.0), "tau"),
        (lambda found: found.update(run="/tmp/x"), "run"),
        (lambda found: found["answers"][0].update(run="../../x"), "run"),
        (lambda found: found["answers"][0].update(run=".."), "run"),
        (lambda found: found["answers"][0]["leaves"][0].update(worth=float("inf")), "worth"),
        (lambda found: found["answers"][0]["leaves"][0].update(score=1.5), "score"),
        (_standing(low=0.9, high=0.1), "does not add up"),
        (_standing(low=float("nan")), "does not add up"),
        (_standing(high=7.0), "does not add up"),
        (_standing(met=3), "does not add up"),
        (_standing(leaves=-1, met=-1), "does not add up"),
    ],
)
def test_what_was_edited_is_refused(tmp_path: Path, edit: Edit, says: str) -> None:
    found = WHOLE.model_dump(mode="json")
    edit(found)
    (tmp_path / "results.json").write_text(json.dumps(found))
    with pytest.raises(RunError, match=says) as refused:
        load_exp_results(tmp_path)
    assert refused.value.code == "E605"
