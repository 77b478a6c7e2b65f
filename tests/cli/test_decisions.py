"""A decision model from the command line: one request, its price before it, its facts after."""

from __future__ import annotations

import shutil
from pathlib import Path

from rubric_engine.testing import ScriptedServer
from tests.cli.conftest import ROOT, Command

SUBMISSION = ROOT / "judgeeval" / "heavy-ball-full" / "submission"


def test_all_leaves_are_graded_in_one_request(command: Command) -> None:
    with ScriptedServer() as server:
        words = ["grade", SUBMISSION, "--task", "heavy-ball", "--sandbox", "none"]
        words += ["--judge", "decision", "--base-url", server.base_url]
        foreseen = command(*words, "--dry-run")
        assert server.stats().requests == 0
        done = command(*words)
        assert server.stats().requests == 1
    assert foreseen.code == done.code == 0
    assert "all together      1" in foreseen.out
    assert "1 call + 0 replayed" in done.out
    shown = command("show", "latest", "hb-faithful").out
    assert "The model gives a probability of 0.204 that this is met" in shown
    assert "shown alike to all leaves: docs, code, script, produced, log" in shown
    prompt = command("show", "latest", "hb-faithful", "--prompt").out
    assert "--- answer: answer" in prompt
    assert '{"probability": 0.2039}' in prompt


def test_an_expected_score_is_printed_with_its_deviation(command: Command) -> None:
    with ScriptedServer() as server:
        mine = Path(shutil.copytree(ROOT / "judges" / "decision", "mine")) / "judge.yaml"
        mine.write_text(mine.read_text().replace("expected: false", "expected: true"))
        words = ["--judge", mine, "--base-url", server.base_url, "--sandbox", "none"]
        done = command("grade", SUBMISSION, "--task", "heavy-ball", *words)
    assert "points, taking leaves as independent" in done.out
    assert "W217" in done.out
