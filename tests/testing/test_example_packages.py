"""Packages of other people that add a judge and a task: installed offline, and found by name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine import grade, load_task
from rubric_engine.judge import JudgeCard
from rubric_engine.judges import load_judge
from rubric_engine.testing import check_judge

Install = Callable[[str], None]


@pytest.fixture
def install(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install an example package into a folder of its own, which is on the path until the end."""
    target = tmp_path / "site"

    def run(name: str) -> None:
        offline = ["--no-index", "--no-build-isolation", "--no-deps", "--quiet"]
        package = str(root / "tests" / "packages" / name)
        words = [sys.executable, "-m", "pip", "install", *offline, "-t", str(target), package]
        subprocess.run(words, check=True, capture_output=True)
        monkeypatch.syspath_prepend(target)

    return run


def test_a_package_adds_a_judge_that_keeps_every_promise(install: Install, tmp_path: Path) -> None:
    install("example_judge")
    check_judge("shared-words")
    check_judge(JudgeCard.model_validate({"kind": "shared-words", "share": 0.25}))
    card = tmp_path / "judges" / "strict" / "judge.yaml"
    card.parent.mkdir(parents=True)
    card.write_text("judge: 1\nkind: shared-words\nshare: 1\n")
    strict, plain = load_judge(card), load_judge("shared-words")
    assert (strict.card.name, plain.card.name) == ("strict", "shared-words")
    assert strict.card.fingerprint != plain.card.fingerprint


def test_a_package_adds_a_task(install: Install, tmp_path: Path) -> None:
    install("example_task")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "README.md").write_text("# Momentum\n")
    report = grade(load_task("tiny-task"), tmp_path / "sub", judge="all-met")
    assert {key: found.score for key, found in report.grades.items()} == {
        "momentum": 1.0,
        "velocity": 1.0,
    }
