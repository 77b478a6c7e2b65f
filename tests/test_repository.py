"""What must be true of the repository as a whole."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rubric_engine
from rubric_engine import load_rubric
from rubric_engine.rubric_file import rubric_schema

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


@pytest.mark.parametrize(
    "module", ["rubric_engine", "rubric_engine.cli.app", "rubric_engine.judgeeval"]
)
def test_imports_are_quiet_and_light(module: str, tmp_path: Path) -> None:
    heavy = {
        "duckdb", "re2", "yaml", "networkx", "openai", "docker", "rich.console",
        "numpy", "scipy", "sklearn",
    }  # fmt: skip
    code = f"import sys, {module}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert list(tmp_path.iterdir()) == []


def test_label_folders_are_found_without_a_rubric_or_a_report(tmp_path: Path) -> None:
    spared = {"networkx", "rubric_engine.injection", "rubric_engine.result"}
    module = "rubric_engine.judgeeval.labelling.finding"
    code = f"import sys, {module}; print(sorted({spared!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


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


def test_rubrics_in_the_documentation_load(root: Path, tmp_path: Path) -> None:
    pages = [root / "README.md", root / "docs" / "rubrics.md"]
    blocks = [b for page in pages for b in re.findall(r"```yaml\n(.*?)```", page.read_text(), re.S)]
    rubrics = [block for block in blocks if "requirements:" in block]
    assert len(rubrics) == 2
    for text in rubrics:
        (tmp_path / "rubric.yaml").write_text(text)
        assert load_rubric(tmp_path / "rubric.yaml").leaves()


def test_the_shipped_schema_is_current(root: Path) -> None:
    shipped = json.loads((root / "rubrics" / "rubric.schema.json").read_text())
    assert shipped == rubric_schema()


def test_the_changelog_knows_the_version(root: Path) -> None:
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    sections = _sections((root / "CHANGELOG.md").read_text())
    newest, *older = [name for name in sections if name != "Unreleased"] or ["0.0.0"]
    assert all(_number(newest) > _number(name) for name in older)
    if sections.get("Unreleased"):
        assert next(iter(sections)) == "Unreleased"
        assert _number(newest) < _number(version), f"{version} is released: raise the version"
    else:
        assert newest == version, f"nothing is said of {version}"


def _sections(changelog: str) -> dict[str, list[str]]:
    """Lines of each release, by its number; every released one has a date."""
    sections: dict[str, list[str]] = {}
    for part in changelog.split("\n## ")[1:]:
        head, *lines = part.splitlines()
        assert re.fullmatch(r"Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", head)
        sections[head.split(" - ")[0]] = [line for line in lines if line.startswith("- ")]
    return sections


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@pytest.mark.slow
def test_the_readme_shows_what_the_demo_prints(root: Path, tmp_path: Path) -> None:
    command = re.search(r"^\t\$\(BIN\)/rubric-engine (.*)$", (root / "Makefile").read_text(), re.M)
    block = re.search(r"```text\n(score .*?)```", (root / "README.md").read_text(), re.DOTALL)
    assert command is not None
    assert block is not None
    words = shlex.split(command[1].replace("$(SANDBOX)", "local"))
    program = [sys.executable, "-c", "from rubric_engine.cli import main; main()"]
    done = subprocess.run(
        [*program, *words, "--runs", str(tmp_path)],
        cwd=root, env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert block[1] in done.stdout
