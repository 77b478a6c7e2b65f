"""Small YAML files as pydantic models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from rubric_engine.errors import TaskError
from rubric_engine.rubric_file import load_model

Write = Callable[[str | bytes], Path]


class Label(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdict: Literal["met", "not_met"]
    score: float | None = None
    reason: str = ""


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str = "none"
    skip: tuple[str, ...] = ()
    count: int = 3
    flag: bool = False
    level: Literal[1, "high", True] = 1
    labels: dict[str, Label] = {}
    either: int | str | None = None
    free: Any = None
    path: Path | None = None


def load(path: Path) -> Settings:
    return load_model(path, Settings, error=TaskError, code="E411")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("# nothing\n", {}),
        ("title: 010\nskip: [no, 1]\n", {"title": "010", "skip": ("no", "1")}),
        ("skip:\nlabels: ~\n", {}),
        ("count: 010\nflag: true\n", {"count": 10, "flag": True}),
        ("level: high\n", {"level": "high"}),
        ("level: 1\n", {"level": 1}),
        ("either: 5\n", {"either": 5}),
        ("either: '5'\n", {"either": "5"}),
        ("either: null\n", {"either": None}),
        ("free: [1, no, {a: null}]\n", {"free": [1, "no", {"a": None}]}),
        ("path: 2024\n", {"path": Path("2024")}),
        ('{"title": "x", "count": 4}', {"title": "x", "count": 4}),
    ],
)
def test_values_parse_by_type(write: Write, text: str, expected: dict[str, Any]) -> None:
    assert load(write(text)) == Settings(**expected)


def test_nested_models(write: Write) -> None:
    settings = load(write("labels:\n  a: {verdict: met, score: 1e0, reason: no}\n"))
    assert settings.labels == {"a": Label(verdict="met", score=1.0, reason="no")}


@pytest.mark.parametrize(
    ("text", "line", "column", "said", "hint"),
    [
        ("titel: x\n", 1, 1, "unknown key 'titel'", "did you mean 'title'?"),
        ("title: a\ntitle: b\n", 2, 1, "duplicate key 'title'", "keep one of the two"),
        ("flag: yes\n", 1, 7, "flag: true or false is due here, found 'yes'", None),
        ("count: 1.5\n", 1, 8, "count: a whole number is due here, found 1.5", None),
        ("skip: abc\n", 1, 7, "skip: a list is due here, found 'abc'", "write it as [one, two]"),
        ("level: hihg\n", 1, 8, "level: 'hihg' is none of 1, high, True", "did you mean 'high'?"),
        ("labels:\n  a: {verdict: mett}\n", 2, 16, "labels.a.verdict", "did you mean 'met'?"),
        ("labels:\n  a: {}\n", 2, 6, "'labels.a.verdict' is missing", None),
        ("labels:\n  a: x\n", 2, 6, "labels.a: a mapping is due here", None),
        ("- a\n", 1, 1, "a mapping of keys is due here, found a list", None),
        ("free: " + "[" * 80 + "]" * 80, 1, 1, "nested too deeply", None),
        ("free: *x\n", 1, 7, "aliases (*x) are not allowed", "write the value out"),
        ("title: 'x\n", 2, 1, "not valid YAML", "mend line 2"),
    ],
)
def test_problems_have_places(
    write: Write, text: str, line: int, column: int, said: str, hint: str | None
) -> None:
    with pytest.raises(TaskError) as caught:
        load(write(text))
    (problem,) = caught.value.problems
    assert problem.place is not None
    assert (problem.place.line, problem.place.column) == (line, column)
    assert said in problem.message
    assert problem.hint == hint
    assert caught.value.code == problem.code == "E411"


def test_all_problems_at_once(write: Write) -> None:
    with pytest.raises(TaskError, match="and 2 more problems") as caught:
        load(write("flag: 1\ncount: x\nskip: 2\n"))
    assert [p.place.line for p in caught.value.problems if p.place] == [1, 2, 3]


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"\[E411\] file not found"):
        load(tmp_path / "task.yaml")
