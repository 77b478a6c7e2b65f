"""What the page about EXP-Bench says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.expbench.making import ENTRY, paper
from tests.benchmarks.expbench.repositories import ANSWER, MODULE, write


def test_the_page_s_programs_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs/expbench.md").read_text(), re.S)
    paper(tmp_path, ENTRY)
    (tmp_path / "iclr2024/7").rename(tmp_path / "iclr2024/19008")
    write(tmp_path / "repo", train_DOT_py=ANSWER, lib__optim_DOT_py=MODULE, keep_DOT_py="1\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers/iclr2024-19008-0").mkdir(parents=True)
    (tmp_path / "repos").mkdir()
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/expbench.md", "exec"), names)
    assert names["table"].answers["none"] == 1
    assert (tmp_path / "tasks/iclr2024-19008-0/rubric.yaml").is_file()
    assert (tmp_path / "masked/keep.py").is_file()
    assert not (tmp_path / "masked/train.py").exists()
