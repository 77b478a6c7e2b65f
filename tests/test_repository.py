"""What must be true of the repository as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rubric_engine

FOLDERS = ("rubrics", "judges", "judgeeval", "sandbox", "examples")


@pytest.mark.parametrize("name", FOLDERS)
def test_every_folder_that_people_edit_explains_itself(root: Path, name: str) -> None:
    text = (root / name / "README.md").read_text()
    assert text.startswith(f"# {name}")
    assert len(text.splitlines()) <= 20


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != "examples"])
def test_no_folder_of_content_is_a_package(root: Path, name: str) -> None:
    assert not (root / name / "__init__.py").exists()


def test_public_names_are_sorted_documented_and_typed() -> None:
    assert rubric_engine.__all__ == sorted(rubric_engine.__all__)
    for name in rubric_engine.__all__:
        assert getattr(rubric_engine, name).__doc__, name
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = rubric_engine.no_such_name


@pytest.mark.parametrize("module", ["rubric_engine", "rubric_engine.cli.app"])
def test_imports_are_quiet_and_light(module: str, tmp_path: Path) -> None:
    heavy = {"duckdb", "re2", "yaml", "networkx", "openai", "docker", "sklearn", "rich.console"}
    code = f"import sys, {module}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", sorted(p.name for p in (Path(__file__).parent.parent / "examples").glob("*.py"))
)
def test_examples_run(root: Path, name: str) -> None:
    done = subprocess.run(
        [sys.executable, f"examples/{name}"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert done.stderr == ""


def test_examples_are_shown_from_their_files(root: Path) -> None:
    shown = (root / "README.md").read_text() + "".join(
        path.read_text() for path in (root / "docs").glob("*.md")
    )
    for path in (root / "examples").glob("*.py"):
        assert path.read_text().strip() in shown, f"{path.name} is not shown as it stands"


def test_python_blocks_of_the_readme_run(root: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run(
            [sys.executable, "-c", block], cwd=root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{block}\n{done.stderr}"


def test_links_of_the_documentation_lead_somewhere(root: Path) -> None:
    for page in [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_changelog_knows_the_version(root: Path) -> None:
    project = (root / "pyproject.toml").read_text()
    version = re.search(r'^version = "(.*)"', project, re.MULTILINE)
    assert version is not None
    changelog = (root / "CHANGELOG.md").read_text()
    assert "## Unreleased" in changelog or f"## {version[1]}" in changelog
