"""A template that fails: its file, its line, and what mends it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rubric_engine import grade, load_task
from rubric_engine.errors import JudgeCardError
from rubric_engine.judges.simple.templates import Templates
from rubric_engine.testing import ScriptedModel

FILE = Path("mine/system.jinja2")


def said(text: str) -> JudgeCardError:
    """The error of a template that is compiled and rendered with one value."""
    with pytest.raises(JudgeCardError) as caught:
        Templates({"system": text}, {"system": FILE}).render("system", {"word": "x"})
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("one\n{% if %}", 2, "is no template: Expected an expression"),
        ("one\ntwo\n{{ word", 3, "is no template: unexpected end of template"),
        ("\n\n{{ word | nofilter }}", 3, "No filter named 'nofilter'"),
        ("one\n{{ wrd }}", 2, "'wrd' is undefined"),
        ("one\n\n{{ word.nothing }}", 3, "has no attribute 'nothing'"),
        ("one\n{{ word + 1 }}", 2, "TypeError"),
        ("one\n{{ 1 / 0 }}", 2, "ZeroDivisionError"),
        ("one\n{% include 'other' %}", 2, "no loader"),
        ("one\n{{ word.__class__.__mro__ }}", 2, "unsafe"),
        ("{% for n in range(999999) %}{% endfor %}", 1, "Range too big"),
        ("{% macro m() %}\n{{ wrd }}\n{% endmacro %}\n\n{{ m() }}", 2, "'wrd' is undefined"),
    ],
)
def test_a_failing_template_is_placed(text: str, line: int, why: str) -> None:
    error = said(text)
    assert str(error.place) == f"{FILE}:{line}"
    assert why in error.message
    assert error.fix[0] == f"edit {FILE}"


def test_a_wrong_name_meets_those_that_there_are() -> None:
    assert said("{{ wrd }}").looked == ("names that this prompt is given: word",)


def test_a_template_that_fits_is_rendered() -> None:
    templates = Templates({"system": "a {{ word }}\n"}, {"system": FILE})
    assert templates.render("system", {"word": "<b>"}) == "a <b>"


@pytest.mark.parametrize("name", ["system", "paper", "part", "leaf"])
def test_a_card_of_ones_own_says_which_of_its_prompts_fails(
    root: Path, tmp_path: Path, make_tree: Callable[[dict[str, str | bytes]], Path], name: str
) -> None:
    card = tmp_path / "mine"
    shutil.copytree(root / "judges" / "simple", card)
    file = card / f"{name}.jinja2"
    lines = file.read_text().count("\n")
    with file.open("a") as text:
        text.write("{{ nonsense }}\n")
    with pytest.raises(JudgeCardError, match="'nonsense' is undefined") as caught:
        grade(
            load_task("heavy-ball"),
            make_tree({"a.py": "x = 1\n"}),
            judge=str(card),
            model=ScriptedModel(),
            run_dir=tmp_path / "runs" / "one",
        )
    assert str(caught.value.place) == f"{file}:{lines + 1}"
    assert caught.value.fix[-1].endswith(f"diff {file} {root / 'judges/simple' / file.name}")
