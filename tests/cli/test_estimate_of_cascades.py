"""What is foreseen of judges within judges, and of judges of other people's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubric_engine.testing import Fault, ScriptedServer
from tests.cli.conftest import Command, Outcome
from tests.cli.paying import LEAVES, Paying, paying, write_card

__all__ = ["paying"]

FOREIGN = """
from pydantic import TypeAdapter
from rubric_engine import Grade
from rubric_engine.model import ModelConfig

class Dear:
    def __init__(self, card, context):
        self.card = card
        self.model = context.connect(ModelConfig.model_validate(card.settings["model"]))

    async def grade(self, leaves, case, *, sample=0):
        for leaf in leaves:
            yield leaf.key, Grade.graded(1.0)
"""


def cascade(folder: Path, *members: str | Path) -> Path:
    folder.mkdir()
    listed = ", ".join(map(str, members))
    (folder / "judge.yaml").write_text(f"judge: 1\nkind: cascade\njudges: [{listed}]\n")
    return folder


class Graded:
    """Grades six leaves with any card."""

    def __init__(self, command: Command, paying: Paying) -> None:
        self._command, self._paying = command, paying

    def __call__(self, judge: Path, *flags: str) -> Outcome:
        paid = self._paying
        what = ("grade", paid.submission, "--rubric", paid.rubric, "--judge", judge)
        return self._command(*what, *flags)


@pytest.fixture
def graded(command: Command, paying: Paying) -> Graded:
    return Graded(command, paying)


def test_a_judge_deep_in_cascades_is_priced_and_asked_about(graded: Graded, tmp_path: Path) -> None:
    with ScriptedServer() as server:
        dear = write_card(tmp_path / "dear", server.base_url)
        nested = cascade(tmp_path / "outer", "rules", cascade(tmp_path / "inner", "rules", dear))
        told = graded(nested, "--dry-run", "--json").json
        assert (told["calls"], told["usd"]["low"] > 0) == (LEAVES, True)
        done = graded(nested, "--confirm-above", "0.001")
        assert (done.code, len(server.requests)) == (2, 0)


def test_a_judge_behind_one_that_pays_counts_in_the_upper_end(
    graded: Graded, tmp_path: Path
) -> None:
    def refuses(_: object) -> Fault:
        return Fault("refusal")

    with ScriptedServer(answer=refuses) as cheap, ScriptedServer() as dear:
        first = write_card(tmp_path / "first", cheap.base_url)
        second = write_card(tmp_path / "second", dear.base_url)
        both = cascade(tmp_path / "both", first, second)
        alone, told = (graded(card, "--dry-run", "--json").json for card in (first.parent, both))
        assert told["calls"] == 2 * alone["calls"] == 2 * LEAVES
        assert told["usd"]["low"] == alone["usd"]["low"]
        assert told["usd"]["high"] > 1.9 * alone["usd"]["high"]
        shown = graded(both, "--dry-run").out
        assert (told["least_calls"], "in all 6-12 calls   $" in shown) == (LEAVES, True)
        assert re.search(r"from none to all: .+\n\n.+\n.+\n.+   0-6 .+ \$0\.00-\$0\.\d", shown)
        assert "6-12 calls   up to ~" in graded(both, "--yes").err
        assert (len(cheap.requests), len(dear.requests)) == (LEAVES, LEAVES)
        again = graded(both, "--dry-run", "--json").json
    assert (again["calls"], again["replayed"]) == (0, LEAVES)


def test_what_may_be_asked_promises_nothing_to_who_asks_for_sure(
    graded: Graded, tmp_path: Path
) -> None:
    with ScriptedServer() as cheap, ScriptedServer() as dear:
        first = write_card(tmp_path / "first", cheap.base_url)
        second = write_card(tmp_path / "second", dear.base_url)
        both = cascade(tmp_path / "both", first, second)
        panel = tmp_path / "panel" / "judge.yaml"
        panel.parent.mkdir()
        panel.write_text(f"judge: 1\nkind: panel\njudges: [{both}, {second}]\n")
        told = graded(panel, "--dry-run", "--json").json
    assert told["least_calls"] == 2 * LEAVES


@pytest.mark.parametrize(("price", "code"), [(", price: {input: 1, output: 1}", 2), ("", 0)])
def test_what_a_judge_of_other_people_spends_nothing_limits(
    graded: Graded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, price: str, code: int
) -> None:
    (tmp_path / "dear_module.py").write_text(FOREIGN)
    monkeypatch.syspath_prepend(tmp_path)
    card = tmp_path / "own" / "judge.yaml"
    card.parent.mkdir()
    model = f"{{name: dear-1, base_url: 'http://127.0.0.1:9/v1'{price}}}"
    card.write_text(f"judge: 1\nkind: dear_module:Dear\nmodel: {model}\n")
    nested = cascade(tmp_path / "nested", "rules", card)
    done = graded(nested)
    assert done.code == code
    assert "what dear-1 will be asked nobody can tell before" in done.err
    assert ("an amount that nothing limits" in done.err) == (code == 2)
    assert graded(nested, "--yes").code == 0
    told = graded(nested, "--dry-run", "--json").json
    assert (told["unforeseen"], told["usd"]["high"]) == (["dear-1"], None)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ([], "   window 128,000 tokens (assumed; --context-window says otherwise)"),
        (["--context-window", "32000"], "   window 32,000 tokens\n"),
    ],
)
def test_the_window_that_is_taken_is_told(paying: Paying, flags: list[str], told: str) -> None:
    with ScriptedServer() as server:
        assert told in paying(server.base_url, "--dry-run", *flags).err
