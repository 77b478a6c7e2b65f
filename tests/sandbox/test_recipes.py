"""Recipes: found, read, and written so that what they build can be told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rubric_engine.errors import RecipeError
from rubric_engine.sandbox.images import known_recipes
from rubric_engine.sandbox.recipes import RECIPE, load_recipe, submission_here

SANDBOX = Path(__file__).parents[2] / "sandbox"
SHIPPED = sorted(file.parent.name for file in SANDBOX.glob(f"*/{RECIPE}"))
DOCKERFILES = sorted(SANDBOX.glob("*/Dockerfile"))
SCRIPTS = sorted([*SANDBOX.rglob("*.sh"), *(SANDBOX.parent / ".ci").iterdir()])


def written(folder: Path, text: str = "image: mine:1\n") -> Path:
    folder.mkdir(parents=True)
    (folder / RECIPE).write_text(text)
    return folder


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_recipes_load_and_can_be_built(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name
    assert recipe.description
    assert recipe.maker is not None
    assert recipe.gpu == (name == "cuda")


def test_a_recipe_is_found_by_path_here_and_among_the_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_recipe("cpu").folder == SANDBOX / "cpu"
    own = written(tmp_path / "sandbox" / "cpu")
    assert load_recipe("cpu").folder == SANDBOX / "cpu", "a shipped name is the shipped recipe"
    assert load_recipe("./sandbox/cpu").folder == own
    written(tmp_path / "sandbox" / "mine")
    assert load_recipe("mine").image == "mine:1"
    assert load_recipe(own / RECIPE).name == "cpu"


def test_nothing_inside_a_submission_is_a_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "sandbox" / "cpu")
    assert load_recipe("cpu", untrusted=tmp_path).folder == SANDBOX / "cpu"
    assert load_recipe("./sandbox/cpu", untrusted=tmp_path).image == "mine:1"  # by its path


@pytest.mark.parametrize("how", ["dangling", "folder", "pipe"])
def test_anything_named_as_the_script_marks_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    script = tmp_path / "reproduce.sh"
    if how == "dangling":
        script.symlink_to("nowhere")
    elif how == "folder":
        script.mkdir()
    else:
        os.mkfifo(script)
    written(tmp_path / "sandbox" / "mine")
    monkeypatch.chdir(tmp_path)
    assert submission_here() == tmp_path
    with pytest.raises(RecipeError):
        load_recipe("mine")
    assert "mine" not in {recipe.name for recipe in known_recipes()}


def test_a_script_for_this_machine_is_asked_for_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("sandbox/mine", "other"):
        (written(tmp_path / place) / "build.sh").write_text("touch owned")
    for name in ("mine", "other"):
        with pytest.raises(RecipeError, match="runs on this machine"):
            load_recipe(name)
    assert load_recipe("./sandbox/mine").maker == tmp_path / "sandbox" / "mine" / "build.sh"
    assert "mine" in {recipe.name for recipe in known_recipes()}


def test_an_unknown_recipe_names_a_near_miss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecipeError, match="did you mean 'cuda'"):
        load_recipe("cuba")


@pytest.mark.parametrize(
    "text",
    ["", "image: untagged\n", "image: 'Upper Case:1'\n", "image: a:1\nimags: b\n", "recipe: 2\n",
     "image: a/../b:1\n", "image: a//b:1\n", "image: a:1..2\n", "image: ../b:1\n",
     "image: a:1\nfree_gb: -1\n", "image: a:1\nname: b\n"],
)  # fmt: skip
def test_a_wrong_recipe_says_where(tmp_path: Path, text: str) -> None:
    folder = written(tmp_path / "own", text)
    with pytest.raises(RecipeError) as caught:
        load_recipe(folder)
    assert caught.value.code == "E531"
    assert str(folder / RECIPE) in str(caught.value)


@pytest.mark.parametrize(
    "image",
    ["a:1", "host:5000/a.b/c--d__e:v1.2-x_y", "a/b@sha256:0123abcd", "a:1@sha256:0123abcd"],
)
def test_names_of_images_are_taken(tmp_path: Path, image: str) -> None:
    assert load_recipe(written(tmp_path / "own", f"image: '{image}'\n")).image == image


def test_the_fingerprint_follows_what_makes_the_image(tmp_path: Path) -> None:
    folder = shutil.copytree(SANDBOX / "cpu", tmp_path / "cpu")
    before = load_recipe(folder).fingerprint
    assert before == load_recipe(SANDBOX / "cpu").fingerprint
    with (folder / RECIPE).open("a") as file:
        file.write("# a remark\n")
    assert load_recipe(folder).fingerprint == before
    with (folder / "Dockerfile").open("a") as file:
        file.write("ENV A=b\n")
    assert load_recipe(folder).fingerprint != before
    before = load_recipe(folder).fingerprint
    (folder / "more").mkdir()
    (folder / "more" / "copied.txt").write_text("1")
    after = load_recipe(folder).fingerprint
    assert after != before
    (folder / "more" / "copied.txt").write_text("2")
    assert load_recipe(folder).fingerprint != after


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.parent.name)
def test_dockerfiles_are_sound(file: Path) -> None:
    linter = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([linter, file], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("file", DOCKERFILES, ids=lambda file: file.parent.name)
def test_dockerfiles_pin_what_they_build_upon_and_hold_no_secret(file: Path) -> None:
    text = file.read_text()
    (base,) = re.findall(r"^ARG BASE=\S+:(\S+)$", text, re.MULTILINE)
    assert re.search(r"\d+\.\d+", base)
    assert re.findall(r"^FROM (\S+)$", text, re.MULTILINE) == ["${BASE}"]
    for package in re.findall(r"pip install (.*)", text):
        assert all("==" in word for word in package.split() if not word.startswith("-"))
    assert not re.search(r"(?i)(key|token|secret|password)\w*=", text)
    assert not re.search(r"^(COPY|ADD) ", text, re.MULTILINE)


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_scripts_are_sound(file: Path) -> None:
    linter = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run([linter, file], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""
