"""The table of measured judges that ships: its commands still give it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_evaluation
from tests.cli.conftest import ROOT, Command
from tests.sparrow import sparrow

__all__ = ["sparrow"]

RESULTS = ROOT / "judgeeval" / "results"
JUDGES = sorted(path.name for path in RESULTS.iterdir() if path.is_dir())
FREE = [name for name in JUDGES if name not in ("rules", "sparrow-decider")]


def test_the_table_in_the_readme_is_what_report_prints(command: Command) -> None:
    printed = command("judgeeval", "report", RESULTS).out
    table = printed[: printed.index("F1: macro")].rstrip()
    assert table in (RESULTS / "README.md").read_text()


def test_every_command_stands_in_the_readme_and_names_no_place_of_a_machine() -> None:
    text = (RESULTS / "README.md").read_text()
    for name in JUDGES:
        kept = load_evaluation(RESULTS / name)
        assert kept.complete
        assert kept.command is not None
        assert kept.command in text
        assert "/" not in kept.command.replace(f"judgeeval/results/{name}", "")


@pytest.mark.parametrize("name", FREE)  # what rules say is told by tests/test_shipped.py
def test_the_command_gives_the_same_again(command: Command, name: str) -> None:
    kept = load_evaluation(RESULTS / name)
    words = shlex.split(kept.command or "")[1:]
    words[words.index("-o") + 1] = "again"
    assert command(*words).code == kept.exit_code
    again = load_evaluation("again")
    assert again.leaves == kept.leaves
    assert [case.root for case in again.cases] == [case.root for case in kept.cases]


@pytest.mark.slow
def test_a_decision_model_says_about_the_same_again(command: Command, sparrow: str) -> None:
    kept = load_evaluation(RESULTS / "sparrow-decider")
    words = shlex.split(kept.command or "")[1:]
    words[words.index("-o") + 1] = "again"
    case = "heavy-ball-full"  # of twelve, each of which is run first
    assert command(*words, ROOT / "judgeeval" / case, "--base-url", sparrow).code == 0
    before = [leaf for leaf in kept.leaves if leaf.case == case]
    # The code in the fences is this machine's, and the model reads it along with all else.
    pairs = list(zip(load_evaluation("again").leaves, before, strict=True))
    assert all(leaf.score is not None for leaf, _ in pairs)
    assert sum(leaf.score == before.score for leaf, before in pairs) > 0.9 * len(pairs)


def test_rules_never_disagree_with_a_label_that_they_grade() -> None:
    graded = [leaf for leaf in load_evaluation(RESULTS / "rules").leaves if leaf.score is not None]
    assert len(graded) > 500
    assert all(leaf.score == leaf.label for leaf in graded)


def test_a_wheel_s_worth_of_results_stays_small() -> None:
    size = sum(path.stat().st_size for path in RESULTS.rglob("*") if path.is_file())
    assert size < 2_000_000
    facts = json.loads((Path(RESULTS) / "rules" / "evaluation.json").read_text())
    assert len(facts["cases"]) == 12
