"""Values that were worked out from files: made once, and waited for only by who wants them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from rubric_engine.web.viewing.known import Known


def test_a_value_is_made_once_for_each_stamp_and_can_be_forgotten() -> None:
    made: list[str] = []
    known: Known[str] = Known(10)

    def get(name: str, stamp: int) -> str:
        def make() -> str:
            made.append(name)
            return name

        return known.get(name, (stamp,), make)

    assert [get("a", 1), get("a", 1), get("b", 1), get("a", 2)] == ["a", "a", "b", "a"]
    assert made == ["a", "b", "a"]
    known.keep(["a"])
    assert known.held("a", (2,)) == "a"
    assert known.held("a", (1,)) is known.held("b", (1,)) is None


def test_who_wants_another_value_does_not_wait_until_one_is_made() -> None:
    known: Known[str] = Known(10)
    begun, ready, made = threading.Event(), threading.Event(), list[str]()

    def slow() -> str:
        begun.set()
        assert ready.wait(20)
        made.append("slow")
        return "slow"

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(known.get, "a", (1,), slow)
        assert begun.wait(20)
        assert known.get("b", (1,), lambda: "quick") == "quick"
        second = pool.submit(known.get, "a", (1,), slow)
        ready.set()
        assert (first.result(20), second.result(20)) == ("slow", "slow")
    assert made == ["slow"]


def test_what_cannot_be_made_keeps_nobody_waiting() -> None:
    known: Known[str] = Known(10)

    def fails() -> str:
        raise ValueError("damaged")

    with pytest.raises(ValueError, match="damaged"):
        known.get("a", (1,), fails)
    assert known.get("a", (1,), lambda: "mended") == "mended"


def test_the_values_that_were_asked_for_longest_ago_go_first() -> None:
    known: Known[str] = Known(2)
    for name in ("a", "b", "a", "c"):
        known.get(name, (1,), lambda name=name: name)  # type: ignore[misc]
    assert [known.held(name, (1,)) for name in "abc"] == ["a", None, "c"]
