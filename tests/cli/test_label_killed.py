"""`label serve` killed at any moment while labels come quickly."""

from __future__ import annotations

import http.client
import json
import random
import threading
from itertools import count
from pathlib import Path

import pytest

from rubric_engine.labels import load_label_rows
from tests.cli.conftest import Command, Start

pytestmark = pytest.mark.slow

ROUNDS = 6


def test_every_label_that_was_answered_is_there_after_each_kill(
    start: Start, command: Command, rubric: Path, submission: Path
) -> None:
    chance, numbers, answered = random.Random(0), count(), dict[str, int]()
    for _ in range(ROUNDS):
        process, browser = start("label", "serve", submission, "--rubric", rubric, "--as", "a1")
        desk = browser.ask("/api/desk").json
        kept = {key: int(label["reason"].split()[0]) for key, label in desk["labels"].items()}
        assert all(kept[key] >= number for key, number in answered.items())
        version = desk["version"]
        threading.Timer(chance.uniform(0.01, 0.3), process.kill).start()
        try:
            while True:
                key, number = chance.choice(["code", "prose", "run"]), next(numbers)
                reason = f"{number} {'方法 ' * chance.randrange(3000)}"
                sent = {"version": version, "key": key, "verdict": "not_met", "reason": reason}
                version = browser.post("/api/labels", sent).json["version"]
                answered[key] = number
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            process.wait()
    rows = load_label_rows(Path("labels/small-sub/a1.jsonl")).rows
    assert len(answered) == 3
    assert len(rows) >= len(answered)
