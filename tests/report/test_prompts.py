"""Prompts and answers that a page holds, out of a real ledger."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from rubric_engine import Grade
from rubric_engine.ledger import Call, Entry, Ledger
from rubric_engine.model import Message
from rubric_engine.report import RunMaterial, Said, page_run, read_run
from rubric_engine.report.prompts import Prompts
from tests.report.made import made

PAPER = "the paper " * 500


async def _stored(ledger: Ledger, leaf: str) -> str:
    """Store a call about a leaf; gives its key."""
    messages = (
        Message(role="system", content=PAPER),
        Message(role="user", content=f"is {leaf} there?"),
    )
    call = Call({"model": "m"}, messages, None, 0)
    claim = await ledger.claim(call.key)
    assert not isinstance(claim, Entry)
    await ledger.commit(claim, Entry(key=call.key, text=f"{leaf}: yes"), call)
    return call.key


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> RunMaterial:
    """A run of which two leaves were asked about."""
    run, report = made(tmp_path_factory.mktemp("asked"), {})
    with Ledger.open(run.parent / "ledger.sqlite") as ledger:
        keys = {leaf: asyncio.run(_stored(ledger, leaf)) for leaf in ("solve", "one")}
    grades = {leaf: Grade.graded(1, calls=(key,)) for leaf, key in keys.items()}
    return read_run(run, report=replace(report, grades={**report.grades, **grades}))


def leaf_of(material: RunMaterial, key: str, **how: Any) -> dict[str, Any]:
    """A leaf's details."""
    at = list(material.report.rubric).index(key)
    return page_run(material, **how).chunks[0][str(at)]


def test_prompts_are_held_only_when_they_are_asked_for(material: RunMaterial) -> None:
    bare = leaf_of(material, "solve")
    assert (bare["prompt"], "asked" in bare) == (False, False)
    assert bare["note"].startswith(f"rubric-engine show --prompt {material.name} solve")
    served = page_run(material, served=True).chunks[0]
    assert [one["prompt"] for one in served.values()].count(True) == 2
    assert leaf_of(material, "solve", served=True)["note"] is None


def test_a_message_that_leaves_share_stands_with_the_first(material: RunMaterial) -> None:
    first = leaf_of(material, "solve", prompts=True)["asked"]
    at = list(material.report.rubric).index("solve")
    assert first["prompt"] == [f"--- system\n{PAPER}", "--- user\nis solve there?"]
    assert first["answer"] == "--- answer\nsolve: yes"
    assert leaf_of(material, "one", prompts=True)["asked"] == {
        "prompt": [[at, 0], "--- user\nis one there?"],
        "answer": "--- answer\none: yes",
    }


def test_one_leaf_has_its_prompt_whole(material: RunMaterial) -> None:
    assert material.asked is not None
    assert material.asked("one") == {
        "prompt": f"--- system\n{PAPER}\n\n--- user\nis one there?",
        "answer": "--- answer\none: yes",
    }
    assert material.asked("run") == {"prompt": "", "answer": ""}


def test_what_stands_once_takes_room_once() -> None:
    prompts = Prompts(lambda leaf: Said(("p" * 90, leaf), "a"), most=100)
    assert prompts.of(1, "one") == {"prompt": ["p" * 90, "one"], "answer": "a"}
    assert prompts.of(2, "two") == {"prompt": [[1, 0], "two"], "answer": "a"}
    assert prompts.of(3, "three") == {"prompt": [[1, 0], "three"], "answer": "a"}
    assert prompts.of(4, "four") is None


def test_a_message_twice_in_one_prompt_stands_there_once() -> None:
    prompts = Prompts(lambda leaf: Said(("same", "same"), ""))
    assert prompts.of(7, "leaf") == {"prompt": ["same", [7, 0]], "answer": ""}
