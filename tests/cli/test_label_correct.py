"""`label correct`: what is kept, and what is refused with a command that mends it."""

from __future__ import annotations

import json
from pathlib import Path

from rubric_engine.labels import load_labels
from tests.cli.conftest import Command


def test_a_correction_is_kept_as_not_blind(
    command: Command, rubric: Path, submission: Path
) -> None:
    assert command("grade", submission, "--rubric", rubric, "--sandbox", "none").code == 0
    how = ("label", "correct", "latest", "code", "--as", "a1")
    outcome = command(*how, "--verdict", "not_met", "--reason", "it lies", "--json").json
    row = json.loads(Path(outcome["file"]).read_text())
    assert (row["blind"], row["verdict"], row["annotator"]) == (False, "not_met", "a1")
    assert outcome["judge"] == "met"
    assert load_labels(outcome["file"]).grades() == {}
    assert "wants a reason" in command(*how, "--verdict", "not_met").err
    for place in ("none.py:1-2", "reproduce.sh:900-999"):
        done = command(*how, "--verdict", "met", "--cite", place)
        assert (done.code, "there is no such place" in done.err) == (2, True)
    assert command(*how, "--verdict", "met", "--cite", "reproduce.sh:1").code == 0
    assert "did you mean 'not_met'" in command(*how, "--verdict", "no", "--reason", "x").err
    near = command("label", "correct", "latest", "cod", "--as", "a1", "--verdict", "met")
    assert "did you mean 'code'?" in near.err
    report = command("report", "latest", "--labels", outcome["file"], "--format", "csv")
    assert report.code == 0


HOW = ("label", "correct", "latest", "code", "--as", "a1", "--verdict")

REFUSED = [
    (("not_met",), "not_met wants a reason", '--verdict not_met --reason "WHY"'),
    (("cannot_judge", "--reason", " "), "cannot_judge wants a reason", '--reason "WHY"'),
    (("met",), "met wants a reason, or a place", "--verdict met --cite src/a.py:3-9"),
    (("nope",), "--verdict must be 'met'", '--verdict cannot_judge --reason "WHY"'),
    (
        ("no", "--reason", "it lies"),
        "did you mean 'not_met'",
        "--verdict not_met --reason 'it lies'",
    ),
    (("met", "--cite", "a.py:0"), "--cite a.py:0: must be greater", "--cite PATH:FIRST-LAST"),
    (("met", "--cite", "a.py:9-2"), "there is no such place", "--cite PATH:FIRST-LAST"),
    (("met", "--reason", "a\0b"), "--reason: holds a NUL", "--reason TEXT"),
]


def test_what_is_refused_names_a_command_that_mends_it(
    command: Command, rubric: Path, submission: Path
) -> None:
    assert command("grade", submission, "--rubric", rubric, "--sandbox", "none").code == 0
    for more, why, fix in REFUSED:
        done = command(*HOW, *more)
        assert (done.code, why in done.err) == (2, True), done.err
        fixes = [line for line in done.err.splitlines() if line.startswith("  fix: ")]
        assert any(fix in line for line in fixes), done.err
    meant = command(*HOW, "no").err
    assert meant.count("fix:") == 1
    assert not Path("labels").exists()
