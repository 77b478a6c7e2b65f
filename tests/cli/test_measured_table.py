"""The table of measured judges that ships: its commands still give it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from rubric_engine.judgeeval import load_evaluation
from tests.cli.conftest import ROOT, Command
from tests.sparrow import robot, sparrow

__all__ = ["robot", "sparrow"]

RESULTS = ROOT / "judgeeval" / "results"
JUDGES = sorted(path.name for path in RESULTS.iterdir() if path.is_dir())
FREE = [name for name in JUDGES if name != "rules" and not name.startswith("sparrow")]


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


@pytest.mark.slow
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
@pytest.mark.parametrize("name", ["sparrow-decider", "sparrow-cascade", "sparrow-panel"])
def test_decision_models_say_about_the_same_again(
    command: Command, sparrow: str, robot: str, name: str
) -> None:
    for card, address in (("sparrow-decider", sparrow), ("sparrow-robot", robot)):
        copy_at(command, card, address)
    kept = load_evaluation(RESULTS / name)
    words = shlex.split(kept.command or "")[1:]
    words[words.index("-o") + 1] = "again"
    case = "heavy-ball-full"  # of twelve, each of which is run first
    code = next(each.exit_code for each in kept.cases if each.name == case)
    assert command(*words, ROOT / "judgeeval" / case).code == code
    before = [leaf for leaf in kept.leaves if leaf.case == case]
    # The code in the fences is this machine's, and a model reads it along with all else.
    pairs = list(zip(load_evaluation("again").leaves, before, strict=True))
    assert sum(leaf.score == before.score for leaf, before in pairs) > 0.9 * len(pairs)


def copy_at(command: Command, card: str, address: str) -> None:
    """A copy of a shipped card here, which its name finds first, and which asks elsewhere."""
    assert command("judges", "new", card, "--from", card).code == 0
    file = Path("judges") / card / "judge.yaml"
    file.write_text(re.sub(r"base_url: .*", f"base_url: {address}", file.read_text()))


def test_rules_never_disagree_with_a_label_that_they_grade() -> None:
    graded = [leaf for leaf in load_evaluation(RESULTS / "rules").leaves if leaf.score is not None]
    assert len(graded) > 500
    assert all(leaf.score == leaf.label for leaf in graded)


def test_a_wheel_s_worth_of_results_stays_small() -> None:
    size = sum(path.stat().st_size for path in RESULTS.rglob("*") if path.is_file())
    assert size < 2_000_000
    facts = json.loads((Path(RESULTS) / "rules" / "evaluation.json").read_text())
    assert len(facts["cases"]) == 12
