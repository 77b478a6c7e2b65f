"""Findings in notebooks stand on the line of the file where a person finds them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor import monitor
from rubric_engine.monitor.notebook import cells_of
from tests.monitor.watching import LISTED, MakeTree, of_rule, ran, watched

VALUES = "a,b\n1,0.1234\n2,0.5678\n3,0.9123\n4,0.4567\n5,0.7891\n"
TABLE = "A = [0.1234, 0.5678, 0.9123, 0.4567, 0.7891]"
CASES = [
    ("blacklist.used", f"!git clone {LISTED}"),
    ("blacklist.used", f"os.system('git clone {LISTED}')"),
    ("blacklist.mentioned", f"# after {LISTED}"),
    ("faked.forged_time", "os.utime('a.csv', (0, 0))"),
    ("faked.forged_time", "!touch -d yesterday a.csv"),
    ("faked.literal_result", TABLE),
    ("looked_up.host", "!curl https://somewhere.net/x"),
    ("looked_up.git_history", "!git log -p"),
]


def cell(code: str, *, kind: str = "code", whole: bool = False) -> dict[str, Any]:
    """A cell; what it showed repeats its code."""
    source = code if whole else re.findall(r"[^\n]*\n|[^\n]+", code)
    shown = [{"output_type": "stream", "name": "stdout", "text": source}]
    return {"cell_type": kind, "metadata": {}, "outputs": shown, "source": source}


def notebook(cells: list[dict[str, Any]], indent: int | None = 1) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=indent)


@pytest.mark.parametrize(("rule", "code"), CASES)
@pytest.mark.parametrize("whole", [False, True])
def test_the_line_is_that_of_the_file(
    make_tree: MakeTree, rule: str, code: str, whole: bool
) -> None:
    cells = [
        cell("# " + code, kind="markdown"),
        cell("import os\nx = 1\n"),
        cell(f"import os\n\n{code}\ny = 2", whole=whole),
    ]
    text = notebook(cells)
    files = {"reproduce.sh": "python main.py\n", "main.py": "import numpy\n", "a.ipynb": text}
    left = make_tree({**files, "results/a.csv": VALUES}, "left")
    execution = ran(left, created=("results/a.csv",))
    [found] = of_rule(monitor(watched(make_tree(files), execution=execution)), rule)
    assert found.path == "a.ipynb"
    assert found.line is not None
    shown = text.split("\n")[found.line - 1]
    assert json.dumps(code)[1:-1] in shown
    assert ('"source"' in shown) == whole


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cells": 3}', '{"cells": [3, {}]}', "[[[[[[{}"])
def test_what_is_no_notebook_has_no_cells(text: str) -> None:
    assert cells_of(text) == []


def test_names_that_are_written_with_escapes_are_read() -> None:
    text = (
        notebook([cell("x = 1")]).replace('"cells"', '"c\\u0065lls"').replace("code", "c\\u006fde")
    )
    assert [each.code for each in cells_of(text)] == ["x = 1"]


CODE = st.text(st.sampled_from('ab\n"\\{}[]:,\r\u2028é'), max_size=30)


@given(st.lists(st.tuples(CODE, st.booleans(), st.sampled_from(["code", "markdown"]))))
def test_all_code_is_read_and_each_line_placed(given: list[tuple[str, bool, str]]) -> None:
    cells = [cell(code, whole=whole, kind=kind) for code, whole, kind in given]
    text = notebook(cells)
    read = cells_of(text)
    assert [each.code for each in read] == [
        code for code, _, kind in given if code and kind == "code"
    ]
    lines = text.split("\n")
    for each in read:
        for number, row in enumerate(each.code.split("\n"), 1):
            assert json.dumps(row)[1:-1] in lines[each.line(number) - 1]
