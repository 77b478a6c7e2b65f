"""The order in which groups are sent."""

from __future__ import annotations

from rubric_engine.evidence import Group, Part
from rubric_engine.evidence.receipt import Receipt
from rubric_engine.judges.simple.sending import in_order


def group(top: str, code: str, log: str | None = None) -> Group:
    parts = [Part("docs", "docs"), Part("code", code)]
    parts += [Part("log", log)] if log is not None else []
    return Group("Any", top, (), tuple(parts), Receipt())


def test_the_largest_prefix_goes_ahead_and_each_waits_for_what_it_extends() -> None:
    small, base, more = group("a", "one"), group("b", "two"), group("c", "two", "log")
    twin = group("d", "two", "log")
    pending = {small: ["1", "2"], base: ["3"], more: ["4", "5"], twin: ["6"]}
    order = list(in_order(pending))
    assert order == [(more, None), (twin, None), (small, more.key), (base, more.key)]


def test_what_extends_another_waits_for_it() -> None:
    large, base, more = group("a", "one"), group("b", "two"), group("c", "two", "log")
    order = list(in_order({large: ["1", "2"], base: ["3"], more: ["4"]}))
    assert order == [(large, None), (base, large.key), (more, base.key)]


def test_nothing_to_send_is_no_order() -> None:
    assert list(in_order({})) == []
