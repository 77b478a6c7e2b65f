"""Errors of the monitor, EXP-Bench, sets of tasks, runs and sandboxes name what mends them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rubric_engine
from rubric_engine import errors
from rubric_engine.benchmarks.expbench.grading.applying import apply_patch
from rubric_engine.benchmarks.tasksets.comparing import compare_results
from rubric_engine.benchmarks.tasksets.identity import asked_of
from rubric_engine.benchmarks.tasksets.results import Results
from rubric_engine.errors import RubricEngineError, StorageError, UsageError
from rubric_engine.judge import JudgeContext
from rubric_engine.monitoring.cards import load_monitor

PACKAGE = Path(rubric_engine.__file__).parent
PARTS = ("benchmarks", "monitor", "monitored", "monitoring", "runs")
COMMANDS = ("bench", "expbench", "monitor", "sandboxing", "settling")
CODE = re.compile(r"E5[89]\d|E6[0-3]\d")
ERRORS = {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, RubricEngineError)
}


def of_these_parts(file: Path) -> bool:
    inner = file.relative_to(PACKAGE)
    return inner.parts[0] in PARTS or (inner.parts[0] == "cli" and inner.stem.startswith(COMMANDS))


def mends(fix: ast.expr | None) -> bool:
    """Whether something is given that mends it; what is computed may be."""
    if isinstance(fix, ast.List | ast.Tuple):
        return any(not isinstance(one, ast.Constant) or one.value for one in fix.elts)
    return fix is not None and not isinstance(fix, ast.Constant)


def made(file: Path) -> Iterator[tuple[str, bool]]:
    """The errors that a module makes, each with its place and whether it names what mends it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ERRORS:
            continue
        given = {one.arg: one.value for one in node.keywords}
        code = given.get("code")
        ours = isinstance(code, ast.Constant) and CODE.fullmatch(str(code.value))
        if ours or of_these_parts(file):
            yield f"{file.relative_to(PACKAGE)}:{node.lineno}", mends(given.get("fix"))


def test_every_error_of_these_parts_names_what_mends_it() -> None:
    found = [one for file in sorted(PACKAGE.rglob("*.py")) for one in made(file)]
    assert len(found) > 50
    assert [place for place, mended in found if not mended] == []


@pytest.mark.parametrize(
    ("fix", "is_one"),
    [("['x']", True), ("mends", True), ("[*mends]", True), ("[]", False), ("()", False),
     ("['']", False), ("None", False), ("''", False)],
)  # fmt: skip
def test_what_is_empty_mends_nothing(fix: str, is_one: bool) -> None:
    assert mends(ast.parse(fix, mode="eval").body) is is_one


def test_an_agent_that_is_none() -> None:
    with pytest.raises(UsageError) as caught:
        asked_of(3)  # type: ignore[arg-type]
    assert caught.value.looked
    assert "package.module:function" in caught.value.fix[0]


def test_results_without_a_common_task() -> None:
    one = Results.model_validate(
        {"run": "r", "made_at": "today", "engine": "1", "tasks": [], "judge": {"name": "rules"}}
        | {"task_set": {"name": "s", "sha256": "0"}}
        | {"agent": {"name": "a", "kind": "own", "fingerprint": "0"}}
    )
    with pytest.raises(UsageError) as caught:
        compare_results(one, one)
    assert caught.value.code == "E635"
    assert "bench run" in caught.value.fix[0]


def test_a_monitor_that_may_ask_nobody() -> None:
    with pytest.raises(UsageError) as caught:
        load_monitor("monitor", JudgeContext(folder=Path()))
    assert "--judge monitor" in caught.value.fix[0]


def test_git_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StorageError) as caught:
        apply_patch(tmp_path / "changes.patch", tmp_path)
    assert (caught.value.code, caught.value.looked) == ("E618", (f"looked for git in {tmp_path}",))
    assert "git --version" in caught.value.fix[0]
