from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.judges.rules.python_source import read_module
from tests.judges.desk import grade_of, result_of, written

METHODS = '''"""heavy_ball = 1 in a docstring"""
import numpy as np
import numpy.linalg as la
from numpy.linalg import solve as s, norm
from .problems import quadratic as q
from . import tuning

BETA, (GAMMA, *REST) = 0.9, (1, 2, 3)
RATE: float = 0.1
UNSET: float
# def commented(): pass


def heavy_ball(x):
    LOCAL = 1

    def inner():
        return s(x)

    return inner() + np.linalg.norm(x) + q(x)


class Method:
    order = 2

    def step(self):
        return self.model.forward().backward()

    class Inner:
        async def go(self):
            tuning.best()


if RATE:
    def guarded(): ...
    FALLBACK = la.inv(1)
'''

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["def not_code(): pass"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "import pandas as pd\n"]},
            {"cell_type": "code", "source": "!pip install x\ndef plot():\n    pd.read_csv('a')"},
        ]
    }
)

FILES: dict[str, str | bytes] = {
    "src/methods.py": METHODS,
    "src/old.py": "print 'python 2'\n",
    "src/nul.py": "x = 1\0\n",
    "src/escape.py": "pattern = '\\d'\n",
    "src/mark.py": "\ufeffdef marked(): pass\n",
    "src/crlf.py": "def one():\r\n    pass\r\n\r\ndef two():\r\n    pass\r\n",
    "src/deep.py": "x = " + "(" * 500 + ")" * 500,
    "src/deeper.py": "x = " + "-" * 100_000 + "1",
    "book.ipynb": NOTEBOOK,
    "broken.ipynb": '{"cells": [1, 2]}',
    "script": "def no_suffix(): pass\n",
    "README.md": "def in_prose(): pass\n",
}


def defines(name: str, kind: str = "any", file: str = "**") -> dict[str, Any]:
    return {"python_defines": {"file": file, "name": name, "type": kind}}


def calls(name: str, inside: str | None = None, file: str = "**") -> dict[str, Any]:
    return {"python_calls": {"file": file, "name": name, "inside": inside}}


MET = [
    defines("heavy_ball"),
    defines("heavy_ball", "function"),
    defines("inner", "function"),
    defines("Method", "class"),
    defines("Method.step", "function"),
    defines("Method.Inner", "class"),
    defines("Method.Inner.go", "function"),
    defines("Method.order", "constant"),
    defines("BETA", "constant"),
    defines("GAMMA", "constant"),
    defines("REST", "constant"),
    defines("RATE", "constant"),
    defines("guarded", "function"),
    defines("FALLBACK", "constant"),
    defines("pattern"),
    defines("marked"),
    defines("two"),
    defines("plot"),
    defines("no_suffix", file="script"),
    calls("s"),
    calls("solve"),
    calls("linalg.solve"),
    calls("np.linalg.solve"),
    calls("numpy.linalg.solve"),
    calls("solve", "heavy_ball"),
    calls("solve", "inner"),
    calls("solve", "heavy_ball.inner"),
    calls("norm", "heavy_ball"),
    calls("np.linalg.norm"),
    calls("numpy.linalg.inv"),
    calls("la.inv"),
    calls("quadratic"),
    calls("problems.quadratic"),
    calls("best", "Method"),
    calls("tuning.best", "Method.Inner.go"),
    calls("best", "Inner.go"),
    calls("backward", "Method.step"),
    calls("self.model.forward"),
    calls("pandas.read_csv", "plot"),
    calls("pd.read_csv"),
]

NOT_MET = [
    (defines("heavy_ball", "class"), "heavy_ball is a function in src/methods.py"),
    (defines("heavyball"), "did you mean 'heavy_ball'?"),
    (defines("step"), "did you mean 'Method.step'?"),
    (defines("LOCAL", "constant"), "not in"),
    (defines("UNSET", "constant"), "not in"),
    (defines("commented"), "not in"),
    (defines("not_code"), "not in"),
    (defines("in_prose"), "not in"),
    (defines("no_suffix"), "not in"),
    (defines("np"), "not in"),
    (defines("x", file="none/*.py"), "no Python file matches none/*.py"),
    (defines("x", file="README.md/*"), "no Python file"),
    (defines("nothing", file="src/old.py"), "src/old.py does not parse"),
    (defines("nothing", file="src/nul.py"), "src/nul.py does not parse"),
    (defines("nothing", file="src/deep.py"), "src/deep.py does not parse"),
    (defines("nothing", file="src/deeper.py"), "src/deeper.py does not parse"),
    (defines("nothing", file="broken.ipynb"), "broken.ipynb does not parse"),
    (calls("heavy_ball"), "not in"),
    (calls("olve"), "not in"),
    (calls("scipy.linalg.solve"), "not in"),
    (calls("solve", "Method"), "called at src/methods.py:18, outside Method"),
]


@pytest.mark.parametrize("check", MET, ids=str)
def test_code_defines_and_calls(tmp_path: Path, check: dict[str, Any]) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert result.score == 1.0, result.found
    assert result.citations


@pytest.mark.parametrize(("check", "found"), NOT_MET, ids=str)
def test_code_does_not_define_or_call(tmp_path: Path, check: dict[str, Any], found: str) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert result.score == 0.0
    assert found in result.found


def test_places_are_cited(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", FILES)
    (cited,) = grade_of([defines("two")], submission).citations
    assert (str(cited), cited.quote) == ("src/crlf.py:4", "def two():")
    (cited,) = grade_of([defines("plot")], submission).citations
    assert (str(cited), cited.quote) == ("book.ipynb", None)


def test_a_source_too_large_to_parse_is_a_limit_unless_the_name_is_elsewhere(
    tmp_path: Path,
) -> None:
    submission = written(tmp_path / "s", {"a.py": "x = 1\n", "big.py": "y = 1\n" * 100_000})
    assert grade_of([defines("x")], submission).score == 1.0
    assert grade_of([defines("y")], submission).reason == "check_limit"


def test_sources_too_large_together_are_a_limit(tmp_path: Path) -> None:
    files = {f"{number}.py": "y = 1\n" * 80_000 for number in range(42)}
    submission = written(tmp_path / "s", files | {"src/a.py": "x = 1\n"})
    assert grade_of([defines("y", file="*.py")], submission).reason == "check_limit"
    assert grade_of([defines("x", file="src")], submission).score == 1.0


def test_no_number_and_no_length_of_names_makes_a_hint_slow(tmp_path: Path) -> None:
    source = "".join(f"{'n' * 90}{number} = 1\n" for number in range(3000)) + "q" * 20_000 + " = 1"
    result = result_of(defines("n" * 95), written(tmp_path / "s", {"a.py": source}))
    assert "did you mean 'nnn" in result.found


def test_warnings_of_someone_elses_code_stay_quiet() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_module("a = '\\d'; b = 1 is 1").error is None


def test_long_chains_are_read_without_recursion() -> None:
    source = "a" + ".b" * 400 + "()\n" + "x = 1" + " + 1" * 900
    module = read_module(source)
    assert module.error is None or "nested" in module.error


@given(text=st.text(st.characters(), max_size=300), notebook=st.booleans())
def test_no_text_breaks_the_reader(text: str, notebook: bool) -> None:
    module = read_module(text, notebook=notebook)
    assert module.error is None or module.error.startswith("does not parse")


@given(cells=st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)
    | st.dictionaries(st.sampled_from(["cells", "cell_type", "source"]), inner)))  # fmt: skip
def test_no_notebook_breaks_the_reader(cells: object) -> None:
    module = read_module(json.dumps({"cells": cells}), notebook=True)
    assert module.error is None or module.error.startswith("does not parse")
