"""Text that means harm, in every field that others fill: it shows as text."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rubric_engine.page import assemble
from tests.page.conftest import WIDE, Contexts, Open
from tests.page.made import made_page
from tests.page.shown import CHUNKS, LEAVES, NODES, RUN

EVIL = "</script><script>window.evil=1</script><img src=x onerror='window.evil=1'><svg onload=evil>"


HOSTILE = f"{EVIL} \u202egnp.exe\u2066 \0 \ud800 \ufeff"


def hostile(value: Any) -> Any:
    """The same shape with hostile text for every text that people wrote."""
    if isinstance(value, str):
        return value + HOSTILE
    if isinstance(value, dict):
        return {key: hostile(each) for key, each in value.items()}
    return [hostile(each) for each in value] if isinstance(value, list) else value


def watched() -> dict[str, Any]:
    """What a monitor found whose every text means harm."""
    texts = {name: f"{name}{HOSTILE}" for name in ("id", "rule", "path", "excerpt", "says")}
    finding = {**texts, "area": "model", "severity": "violation", "source": "agent_log", "line": 3}
    said = {"finding": texts["id"], "decision": "confirm", "why": HOSTILE, "by": HOSTILE, "at": ""}
    return {
        "verdict": "violation",
        "findings": [finding],
        "areas": [{"area": "faked", "state": "not_checked", "why": HOSTILE}],
        "claims": {"claims": 3, "ungrounded": 1, "share": 1 / 3},
        "decisions": [said, {**said, "finding": f"gone{HOSTILE}"}],
        "policy": "flag",
    }


def test_hostile_text_shows_as_text(open_page: Open) -> None:
    run, chunks = copy.deepcopy((RUN, CHUNKS))
    leaf = next(at for at in LEAVES if NODES["verdict"][at] == "not met")
    nodes = run["nodes"]
    for name in ("requirements", "key", "files"):
        nodes[name] = hostile(nodes[name])
    nodes["category"] = [each and each + EVIL for each in nodes["category"]]
    nodes["requirements"][leaf] = f"{HOSTILE} {'x' * 100_000} the end"
    for name in ("id", "title", "submission", "warnings", "injections", "judge", "provenance"):
        run[name] = hostile(run[name])
    run["monitor"] = watched()
    grade = chunks[0][str(leaf)]["grade"]
    for name in ("explanation", "judge"):
        grade[name] = hostile(grade[name])
    grade["citations"][0] |= {"path": f"a{HOSTILE}", "quote": "q" * 100_000}
    grade["citations"][0]["excerpt"]["lines"] = ["y" * 1_000_000, HOSTILE]
    chunks[0][str(leaf)]["label"] = {"verdict": "met", "reason": HOSTILE, "annotator": HOSTILE}
    window = open_page(assemble(made_page(run), [chunks], title=HOSTILE))
    page = window.page
    page.keyboard.press("n")
    page.wait_for_selector("#evidence")
    for fold in page.locator(".notes summary").all():
        fold.click()
    shown = page.inner_text("main")
    assert page.evaluate("window.evil") is None
    assert shown.count("<img src=x onerror='window.evil=1'>") > 10
    assert shown.count("confirmed by") == 2
    assert "listed no more" in shown
    assert r"\u{202e}gnp.exe\u{2066} \u{0} \u{d800} \u{feff}" in shown
    assert "\u202e" not in shown
    assert len(shown) < 200_000
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    page.click("#panel >> text=show all")
    assert "the end" in page.inner_text("#panel h2")


SURROGATE, NUL, BIDI = "\ud800", "\0", "\u202egnp.exe\u2066"
LONG = "x" * 1_000_000
BAD = f"<script>window.evil = 1</script>{SURROGATE}{NUL}{BIDI}\u2028\ufeff\x1b[31m"

TEXTS: tuple[tuple[str, ...], ...] = (
    ("title",), ("task",), ("submission",), ("id",), ("status",), ("annotator",), ("disqualified",),
    ("judge", "name"), ("judge", "models"), ("warnings", "message"), ("warnings", "code"),
    ("injections", "findings", "path"), ("injections", "findings", "kind"),
    ("injections", "findings", "excerpt"), ("provenance", "mode"), ("categories", "category"),
)  # fmt: skip


def spoil(value: Any, path: tuple[str, ...], text: str) -> Any:
    """The value with a text of others at a place."""
    if isinstance(value, list):
        return [spoil(each, path, text) for each in value]
    if not path:
        return text
    return {**value, path[0]: spoil(value.get(path[0], ""), path[1:], text)}


def spoiled(text: str) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    """A run and its chunks with a text in every field that others fill, and a leaf to open."""
    run, chunks = copy.deepcopy((RUN, CHUNKS))
    for path in TEXTS:
        run = spoil(run, path, text)
    leaf = run["nodes"]["verdict"].index("met")
    for column in ("key", "requirements", "category", "reason", "human"):
        run["nodes"][column][leaf] = text
    run["nodes"]["files"][leaf] = [text]
    _spoil_detail(chunks[0][str(leaf)], text)
    return run, chunks, leaf


def _spoil_detail(detail: dict[str, Any], text: str) -> None:
    grade = detail["grade"]
    for name in ("explanation", "judge", "reason"):
        grade[name] = text
    grade["citations"][0] |= {"path": text, "quote": text}
    grade["citations"][0]["excerpt"]["lines"] = [text]
    grade["members"] = [{"judge": text, "explanation": text, "score": 1.0, "reason": text}]
    grade["checks"] = [{"check": text, "looked_for": text, "found": text, "score": 0.0}]
    detail["label"] = {"verdict": "met", "reason": text, "annotator": text}
    detail["receipt"] = {
        "whole": [text], "cut": [{"path": text, "why": text}], "left_out": [], "counts": {},
        "unranked": text, "union": [text],
    }  # fmt: skip
    detail |= {"note": text, "asked": {"prompt": [text], "answer": text}}


@pytest.mark.parametrize(
    "text", [BAD, pytest.param(BAD + LONG, marks=pytest.mark.slow)], ids=["hostile", "a megabyte"]
)
def test_no_field_that_others_fill_breaks_the_page(
    contexts: Contexts, tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    run, chunks, leaf = spoiled(text)
    file = tmp_path_factory.mktemp("page") / "x.html"
    file.write_text(assemble(made_page(run), [chunks], title=text), encoding="utf-8")
    page = contexts(WIDE, "light", True).new_page()
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda said: trouble.append(said.text))
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready]")
    page.keyboard.press("*")
    page.locator(f"#row-{leaf} bdi").click()
    page.wait_for_selector("#evidence")
    for fold in page.locator(".notes summary").all():
        fold.click()
    shown = page.inner_text("body")
    assert shown.count("<script>window.evil = 1</script>\\u{d800}\\u{0}\\u{202e}gnp.exe") > 20
    assert not set(f"{SURROGATE}{NUL}\u202e\u2066\x1b") & set(shown)
    assert page.evaluate("window.evil") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE[0]
    assert len(shown) < 300_000
    assert trouble == []
    page.close()
