"""Why leaves failed: two passes, and what unreadable replies become."""

from __future__ import annotations

from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.grading import ExpResults
from rubric_engine.benchmarks.expbench.grading.results import AnswerOutcome, LeafOutcome, Mark
from rubric_engine.benchmarks.expbench.taxonomy import find_taxonomy, load_taxonomy
from rubric_engine.benchmarks.expbench.taxonomy.failures import (
    failures,
    leaf_batches,
    task_batches,
)
from rubric_engine.benchmarks.expbench.taxonomy.foreseeing import foresee_taxonomy
from rubric_engine.benchmarks.expbench.taxonomy.merging import (
    Book,
    Insights,
    Merged,
    NewCause,
    Put,
)
from rubric_engine.benchmarks.expbench.taxonomy.values import Row
from rubric_engine.benchmarks.expbench.taxonomy.writing import keep_taxonomy
from rubric_engine.connection import Spending
from rubric_engine.errors import BudgetError, ProviderError, RunError
from rubric_engine.model import Refused, Unavailable
from rubric_engine.testing import ScriptedModel, ScriptedServer
from rubric_engine.testing.scripted_model import ModelAnswer, ModelCall


def answer(number: int, *leaves: tuple[str, str, float | None], why: str = "") -> AnswerOutcome:
    return AnswerOutcome(
        task=f"c/p/{number}",
        paper="c/p",
        kind=1,
        answer="whole",
        execution=Mark(value=False, why=why) if why else Mark(),
        leaves=tuple(
            LeafOutcome(
                key=key, category=category, requirements=f"{key} is right", worth=1.0, score=score
            )
            for key, category, score in leaves
        ),
    )


def results(*answers: AnswerOutcome) -> ExpResults:
    return ExpResults(judge="j", run="r", made_at="", engine="0", answers=answers)


TWELVE = results(
    *(
        answer(at, ("d", "Design", 0.0), ("i", "Implementation", 0.5), ("c", "Conclusion", 1.0))
        for at in range(11)
    ),
    answer(11, ("d", "Design", None), why="the patch does not apply"),
)
"""Eleven answers with two failures each, and one with a patch that does not apply."""


def test_what_failed_and_in_which_batches() -> None:
    found = failures(TWELVE)
    assert len(found) == 23
    assert (found[-1].category, found[-1].explanation) == ("Execution", "the patch does not apply")
    assert [len(batch) for batch in leaf_batches(found)] == [2] * 11 + [1]
    assert [len(batch) for batch in task_batches(found)] == [20, 3]
    many = failures(results(answer(0, *((f"k{at}", "Design", 0.0) for at in range(23)))))
    assert [len(batch) for batch in leaf_batches(many)] == [10, 10, 3]


def say(call: ModelCall) -> ModelAnswer:
    """Two insights a question, none of question 3, and `Scope` merged into `Design` at last."""
    asked = call.messages[-1].content
    if call.schema is Insights:
        if "# Question c/p/3\n" in asked:
            return Refused("it would rather not")
        told = [{"number": 1, "insight": "Too few settings."}]
        told += [{"number": 2, "insight": "A step is left out."}] if "Failure 2" in asked else []
        return {"insights": told}
    if "so far: none" in asked:
        put = [{"number": at, "cause": "scope" if at % 2 else "Steps"} for at in range(1, 18)]
        new = [{"name": "Scope", "says": "Too little."}, {"name": "Steps", "says": "Left out."}]
        return {"new": new, "put": put, "merged": []}
    assert "- Scope: Too little." in asked
    return {
        "new": [{"name": "Coverage", "says": "What is covered."}],
        "put": [{"number": 1, "cause": "Coverage"}, {"number": 2, "cause": "No such"}],
        "merged": [{"name": "Scope", "into": "Coverage"}, {"name": "Nothing", "into": "Steps"}],
    }


def test_insights_are_merged_batch_by_batch_and_what_is_unread_is_unknown(tmp_path: Path) -> None:
    found = find_taxonomy(TWELVE, ScriptedModel(say), runs=tmp_path)
    assert [cause.name for cause in found.causes] == ["Steps", "Coverage"]
    # Question 3 has no causes, and of the 20 in the first batch the reply puts 17.
    whys = {leaf.id: leaf.why for leaf in found.failures if leaf.cause == "unknown"}
    assert {"c/p/3 d", "c/p/3 i"} <= set(whys)
    assert whys["c/p/3 d"] == "refused"
    assert found.unknown == len(whys) == 5
    assert list(found.rows()) == [
        Row("Design", "Coverage", 9, 9 / 11), Row("Design", "unknown", 2, 2 / 11),
        Row("Implementation", "Steps", 8, 8 / 11), Row("Implementation", "unknown", 3, 3 / 11),
        Row("Execution", "Coverage", 1, 1.0),
    ]  # fmt: skip
    assert load_taxonomy(keep_taxonomy(found, tmp_path)) == found


LONG = "The number of settings that were tried is lower than what the paper "


@pytest.mark.parametrize(
    ("names", "causes"),
    [
        ((f"{LONG}asks", f"{LONG}shows"), 2),
        ((f"{LONG}asks", f"{LONG.upper()}ASKS"), 1),
        (("un\u200bknown", "\uff35nknown"), 0),
        (("Sco\u200bpe", "scope"), 1),
    ],
)
def test_names_of_causes_are_told_apart_as_they_are_read(
    names: tuple[str, str], causes: int
) -> None:
    one, other = failures(results(answer(0, ("d", "Design", 0.0), ("i", "Design", 0.0))))
    book = Book()
    book.add(
        [one, other],
        Merged(
            new=[NewCause(name=name, says="") for name in names],
            put=[Put(number=at, cause=name) for at, name in enumerate(names, 1)],
            merged=[],
        ),
    )
    found = {cause.name for cause in book.causes.values()}
    assert len(found) == causes
    assert all(len(name) <= 60 for name in found)
    assert {leaf.cause for leaf in book.failures} == (found or {"unknown"})
    # What later replies are shown is a name that they can give.
    for name in found:
        book.add([one], Merged(new=[], put=[Put(number=1, cause=name)], merged=[]))
        assert book.failures[-1].cause == name


def test_nothing_is_asked_twice_and_a_missing_reply_stops_it(tmp_path: Path) -> None:
    first = ScriptedModel(say)
    find_taxonomy(TWELVE, first, runs=tmp_path)
    again = ScriptedModel(say)
    find_taxonomy(TWELVE, again, runs=tmp_path)
    assert (len(first.calls), len(again.calls)) == (14, 0)
    down = ScriptedModel(lambda call: Unavailable("down"))
    with pytest.raises(ProviderError, match="down"):
        find_taxonomy(TWELVE, down, runs=tmp_path / "other")
    with pytest.raises(RunError, match="no taxonomy"):
        load_taxonomy(tmp_path / "none.json")


def test_a_cap_holds_and_an_estimate_comes_before(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        price = {"input": 1, "output": 10}
        model = {"name": "m", "base_url": server.base_url, "price": price}
        foresight = foresee_taxonomy(TWELVE, model, runs=tmp_path)
        assert (foresight.calls, foresight.paid) == (14, 0)
        assert not server.requests
        with pytest.raises(BudgetError):
            find_taxonomy(TWELVE, model, runs=tmp_path, spending=Spending(max_cost=0.000_1))
        assert not server.requests
        find_taxonomy(TWELVE, model, runs=tmp_path)
        foresight = foresee_taxonomy(TWELVE, model, runs=tmp_path)
        assert foresight.paid >= 12
