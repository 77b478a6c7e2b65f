"""The cards of vendors, each against a server that deviates as that vendor does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rubric_engine import Spending, grade
from rubric_engine.candidate import load_candidate
from rubric_engine.errors import CredentialsError
from rubric_engine.judges.registry import find_card
from rubric_engine.lookup import shipped
from rubric_engine.models.credentials import NO_KEY, find_key
from rubric_engine.result import Report
from rubric_engine.spending import price_of
from rubric_engine.testing import VENDORS, ScriptedServer, Vendor
from rubric_engine.testing.judge_cases import Cases, judge_cases

HOSTED = {
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
}
OWN = {"vllm": 8000, "ollama": 11434, "llamacpp": 8080}
CARDS = [*HOSTED, *OWN]

KNOWN: list[tuple[str, str, Vendor]] = [
    *((card, card, VENDORS[card]) for card in CARDS),
    ("openrouter", "no schemas", replace(VENDORS["openrouter"], json_schema="ignored")),
    ("vllm", "errors in a field", VENDORS["vllm-nested"]),
    ("ollama", "thoughts in the text", replace(VENDORS["ollama"], reasoning="think")),
    ("llamacpp", "an older one", VENDORS["llamacpp-older"]),
]  # fmt: skip
"""Card, what is known of its endpoint, and a server that is so."""


def hardest(vendor: Vendor) -> Vendor:
    """The same, taking no schema, only the old name of the limit, and counting nothing."""
    return replace(
        vendor,
        json_schema="refused",
        json_object="refused",
        output_limits=("max_tokens",),
        other_limits="refused",
        usage="none",
    )


@pytest.fixture(scope="module")
def cases() -> Iterator[Cases]:
    with judge_cases() as made:
        yield made


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for card in CARDS:
        (config,) = load_candidate(card).models
        monkeypatch.setenv(config.key_env, "a-key-for-tests")


def graded(card: str, server: ScriptedServer, cases: Cases, folder: Path, **more: Any) -> Report:
    return grade(
        cases.ran.task,
        cases.ran.submission,
        judge=card,
        model={"base_url": server.base_url, "max_connections": 1, **more},
        execution=cases.ran.execution,
        run_dir=folder / "runs" / "one",
        spending=Spending(),
    )


@pytest.mark.parametrize("card", CARDS)
def test_a_card_names_its_endpoint_and_its_key(card: str, monkeypatch: pytest.MonkeyPatch) -> None:
    candidate = load_candidate(card)
    (config,) = candidate.models
    monkeypatch.delenv(config.key_env, raising=False)
    if card in HOSTED:
        assert (config.base_url, config.key_env) == HOSTED[card]
        with pytest.raises(CredentialsError, match=config.key_env):
            find_key(config)
        assert price_of(config) is not None
    else:
        assert config.base_url == f"http://localhost:{OWN[card]}/v1"
        assert find_key(config) == NO_KEY
        assert price_of(config) is None  # a server of one's own is unpriced, never free
    assert candidate.judge.card.fingerprint not in {
        load_candidate(other).judge.card.fingerprint for other in ("simple", "thorough")
    }


def test_no_prompt_stands_twice(root: Path) -> None:
    for card in CARDS:
        assert list((root / "judges" / card).glob("*.jinja2")) == []


def test_no_vendor_s_card_is_left_out_here() -> None:
    chat = {name for name in shipped("judges") if find_card(name)[0].kind == "simple"}
    assert chat - {"answers", "simple", "thorough"} == set(CARDS)


@pytest.mark.parametrize(("card", "known", "vendor"), KNOWN, ids=[f"{c}-{k}" for c, k, _ in KNOWN])
@pytest.mark.usefixtures("keys")
def test_a_card_grades_at_its_vendor(
    card: str, known: str, vendor: Vendor, cases: Cases, tmp_path: Path
) -> None:
    with ScriptedServer(vendor=vendor, keep_bodies=True) as server:
        report = graded(card, server, cases, tmp_path)
    assert report.stopped is None
    assert report.statuses["graded"] == len(report.grades)
    assert "W215" not in {warning.code for warning in report.warnings}  # nothing was refused
    assert report.cost["calls"] >= len(report.grades)
    assert (report.cost.get("uncounted_tokens", 0) > 0) == (vendor.usage == "none")


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.usefixtures("keys")
def test_a_card_finds_a_way_where_little_is_taken(card: str, cases: Cases, tmp_path: Path) -> None:
    with ScriptedServer(
        vendor=hardest(VENDORS[card]),
        keep_bodies=True,
        fault_at={1: "429_bare"},
        fault_where={"falls by half": "prompt_filter"},
    ) as server:
        report = graded(card, server, cases, tmp_path)
        last = server.requests[-1].body or {}
    reasons = {key: found.reason for key, found in report.grades.items() if found.reason}
    assert reasons == {"halved": "refused"}  # what is said of one leaf stays with it
    assert report.statuses["graded"] == len(report.grades) - 1
    assert "max_tokens" in last
    assert not {"max_completion_tokens", "response_format"} & set(last)
    assert server.stats().requests <= len(report.grades) + 4  # each refusal is learnt once
