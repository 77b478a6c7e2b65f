"""Where judges are from: a package, the current folder, or a clone with judges of one's own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.lookup import shipped

_SOURCES = """
from rubric_engine.judges.known import known_judges
from rubric_engine.lookup import Lookup
from rubric_engine.errors import JudgeCardError

print({known.source for known in known_judges() if known.name == "mine"}, end=" ")
print({known.source for known in known_judges() if known.name == "simple"}, end=" ")
look = Lookup("judges", ("judge.yaml",))
assert look.find("nosuch") is None
print(len(look.tried), "mine" in look.missing("nosuch", "judge", JudgeCardError).looked[-1])
"""


@pytest.mark.parametrize("kind", ["judges", "rubrics"])
def test_what_ships_is_what_the_repository_holds(root: Path, kind: str) -> None:
    said = subprocess.run(
        ["git", "ls-files", kind], cwd=root, check=False, capture_output=True, text=True
    )
    folders = {Path(line).parts[1] for line in said.stdout.splitlines() if line.count("/") > 1}
    if not folders:
        pytest.skip("this is no clone")
    assert shipped(kind) == sorted(folders)


def test_in_a_clone_a_judge_of_one_s_own_is_not_called_shipped(root: Path, tmp_path: Path) -> None:
    clone, elsewhere = tmp_path / "clone", tmp_path / "elsewhere"
    elsewhere.mkdir()
    bytecode = shutil.ignore_patterns("__pycache__", "content")
    shutil.copytree(root / "rubric_engine", clone / "rubric_engine", ignore=bytecode)
    shutil.copytree(root / "judges", clone / "judges")
    (clone / "judges" / "mine").mkdir()
    (clone / "judges" / "mine" / "judge.yaml").write_text("kind: rules\n")

    def said(where: Path) -> str:
        code = f"import sys; sys.path.insert(0, {str(clone)!r})\n{_SOURCES}"
        run = [sys.executable, "-P", "-c", code]
        return subprocess.run(run, cwd=where, check=True, capture_output=True, text=True).stdout

    assert said(clone) == "{'here'} {'shipped'} 2 False\n"  # two places, though three are looked at
    assert said(elsewhere) == "{'clone'} {'shipped'} 3 False\n"
