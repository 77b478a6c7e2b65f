"""The line that says how a run of `reproduce.sh` goes on."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from rubric_engine.cli.run_line import cut


@pytest.mark.parametrize("text", ["short", "x" * 50, "运行" * 30, "a运" * 30, "e\u0301" * 40])
@pytest.mark.parametrize("width", [-1, 0, 19, 20])
def test_a_line_is_cut_by_the_columns_that_it_takes(text: str, width: int) -> None:
    line = cut(text, width)
    assert cell_len(line) <= max(0, width)
    if cell_len(text) <= width:
        assert line == text
