"""The wheel, installed away from the clone: content folders included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd)}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, root, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel and nothing of the clone."""
    place = tmp_path_factory.mktemp("away")
    run(sys.executable, "-m", "venv", place / "venv", cwd=place)
    python = place / "venv" / "bin" / "python"
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(python, *pip, f"{wheel}[demo]", cwd=place)
    return python


def test_the_wheel_holds_the_content_and_no_stray_top_level_name(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rubric_engine"}
    for expected in (
        "rubric_engine/py.typed",
        "rubric_engine/content/rubrics/heavy-ball/rubric.yaml",
        "rubric_engine/content/rubrics/count-min/paper.md",
        "rubric_engine/content/rubrics/variance-reduction/addendum.md",
        "rubric_engine/content/judges/rules/judge.yaml",
        "rubric_engine/content/judgeeval/heavy-ball-full/submission/reproduce.sh",
        "rubric_engine/content/judgeeval/count-min-cheating/submission/cache/errors.csv",
        "rubric_engine/content/judgeeval/variance-reduction-wrong/labels.yaml",
        "rubric_engine/content/sandbox/README.md",
        "rubric_engine/content/sandbox/cpu/Dockerfile",
        "rubric_engine/content/sandbox/debootstrap/build.sh",
    ):
        assert expected in names
    assert not [name for name in names if "__pycache__" in name]


def test_the_installed_package_grades_the_shipped_submission(python: Path, tmp_path: Path) -> None:
    assert "Usage:" in run(python.parent / "rubric-engine", "--help", cwd=tmp_path)
    find = "import rubric_engine._content as c; print(c.content_folder('judgeeval'))"
    cases = Path(run(python, "-c", find, cwd=tmp_path).strip())
    assert "site-packages" in cases.parts
    out = run(
        python.parent / "rubric-engine", "grade", cases / "heavy-ball-full" / "submission",
        "--task", "heavy-ball", "--sandbox", "local", "--json", cwd=tmp_path,
    )  # fmt: skip
    result = json.loads(out)
    assert result["ok"]
    assert result["score"]["low"] > 0.6
