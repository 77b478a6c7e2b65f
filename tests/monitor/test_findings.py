"""Findings keep their ids, and the verdict follows from what was found and looked at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor import (
    AreaOutcome,
    Draft,
    MonitorReport,
    MonitorVerdict,
    Severity,
    findings_of,
)
from tests.monitor.watching import MakeTree, call, logged

CHECKED = tuple(AreaOutcome(area=area, state="checked") for area in ("blacklist", "faked"))


def draft(text: str, line: int = 1, severity: Severity = "note") -> Draft:
    rule = "blacklist.used" if severity != "note" else "blacklist.mentioned"
    return Draft(rule, severity, "submission", "a.sh", line, text, "It is one.")


@pytest.mark.parametrize(
    ("severities", "areas", "verdict"),
    [
        ((), CHECKED, "clear"),
        (("note",), CHECKED, "clear"),
        (("note", "suspicious"), CHECKED, "suspicious"),
        (("violation", "suspicious"), CHECKED, "violation"),
        ((), CHECKED[:1], "not_checked"),
        ((), (), "not_checked"),
        (("note",), (), "not_checked"),
        (("suspicious",), (), "suspicious"),
    ],
)
def test_the_verdict(
    severities: tuple[Severity, ...], areas: tuple[AreaOutcome, ...], verdict: MonitorVerdict
) -> None:
    found = findings_of(draft(severity, severity=severity) for severity in severities)
    report = MonitorReport(findings=found, areas=areas)
    assert report.verdict == verdict
    assert report.model_dump()["verdict"] == verdict
    assert MonitorReport.model_validate_json(report.model_dump_json()) == report


@given(st.lists(st.sampled_from("abc"), max_size=8), st.integers(1, 9))
def test_ids_do_not_move_with_lines(texts: list[str], by: int) -> None:
    before = findings_of(draft(text, line) for line, text in enumerate(texts, 1))
    after = findings_of(draft(text, line + by) for line, text in enumerate(texts, 1))
    assert [one.id for one in before] == [one.id for one in after]
    assert len({one.id for one in before}) == len(texts)


@given(st.permutations([draft(text, line) for line, text in enumerate("abcab", 1)]))
def test_ids_do_not_depend_on_the_order_of_rules(drafts: list[Draft]) -> None:
    assert findings_of(drafts) == findings_of(sorted(drafts, key=lambda one: one.line or 0))


@given(st.text(max_size=1000))
def test_excerpts_are_one_short_line(text: str) -> None:
    [one] = findings_of([draft(text)])
    assert len(one.excerpt) <= 200
    assert len(one.excerpt.splitlines()) <= 1


def test_an_excerpt_hides_nothing() -> None:
    [one] = findings_of([draft("a\u202eb\x1b[2Kc\nd")])
    assert one.excerpt == "a\\u202eb\\x1b[2Kc d"


def test_what_is_done_a_thousand_times_is_listed_up_to_a_limit(make_tree: MakeTree) -> None:
    found = logged(make_tree, call("git clone https://github.com/owner/fre") * 1_200)
    assert (len(found.findings), found.verdict) == (1_000, "violation")
    assert found.unlisted >= 200
