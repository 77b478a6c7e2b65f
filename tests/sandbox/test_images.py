"""Images of recipes on a real engine: found, missing, built, outdated; never built unasked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from docker import DockerClient

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.building import build
from rubric_engine.sandbox.images import find_image, known_recipes, look
from rubric_engine.sandbox.recipes import RECIPE, Recipe, load_recipe

Make = Callable[..., Recipe]


@pytest.fixture
def make(engine: DockerClient, tmp_path: Path) -> Iterator[Make]:
    """Write a recipe with an image of its own, which is removed after the test."""
    made: list[str] = []

    def go(name: str = "small", settings: str = "", **files: str) -> Recipe:
        image = f"rubric-engine/test-{secrets.token_hex(4)}:1"
        made.append(image)
        folder = tmp_path / name
        folder.mkdir()
        (folder / RECIPE).write_text(f"image: {image}\n{settings}")
        for file, text in files.items():
            (folder / {"dockerfile": "Dockerfile", "script": "build.sh"}[file]).write_text(text)
        return load_recipe(folder)

    yield go
    for image in made:
        if engine.images.list(image):
            engine.images.remove(image, force=True)


def fail(client: DockerClient, recipe: Recipe, base: str | None = None) -> SandboxError:
    with pytest.raises(SandboxError) as caught:
        build(client, recipe, base=base, say=list[str]().append)
    assert caught.value.fix
    assert look(client, recipe).digest is None
    return caught.value


UPON = "ARG BASE=scratch\nFROM ${BASE}\n"
TAR = "cd $(mktemp -d); echo hello > file; tar -c .; rm file; rmdir $PWD\n"


def test_a_missing_image_names_the_command_that_builds_it(engine: DockerClient, make: Make) -> None:
    with pytest.raises(SandboxError) as caught:
        find_image(engine, make(dockerfile=UPON))
    assert caught.value.code == "E822"
    assert caught.value.fix == ("rubric-engine sandbox build small",)
    pulled = make("foreign")
    with pytest.raises(SandboxError) as caught:
        find_image(engine, pulled)
    assert caught.value.fix == (f"docker pull {pulled.image}",)


def test_a_dockerfile_is_built_and_outdated_once_it_changes(
    engine: DockerClient, make: Make
) -> None:
    recipe = make(dockerfile=f"{UPON}ENV A=1\n")
    said: list[str] = []
    digest = build(engine, recipe, base=load_recipe("cpu").image, say=said.append)
    assert find_image(engine, recipe) == digest
    assert [line for line in said if line.startswith("Step")]
    there = look(engine, recipe)
    assert (there.digest, there.outdated) == (digest, False)
    assert there.base == load_recipe("cpu").image
    assert recipe.maker is not None
    recipe.maker.write_text(f"{UPON}ENV A=2\n")
    assert look(engine, recipe).outdated


def test_a_script_s_tar_becomes_the_image(engine: DockerClient, make: Make) -> None:
    recipe = make(script=TAR)
    digest = build(engine, recipe, say=list[str]().append)
    assert look(engine, recipe).digest == digest
    assert not look(engine, recipe).outdated


def test_a_base_is_built_where_it_is_missing(engine: DockerClient, make: Make) -> None:
    base = make("base", script=TAR)
    recipe = make(settings=f"base: {base.folder}\n", dockerfile=f"{UPON}ENV A=1\n")
    build(engine, recipe, say=list[str]().append)
    first = look(engine, base).digest
    assert first is not None
    build(engine, recipe, say=list[str]().append)
    assert look(engine, base).digest == first
    assert not look(engine, recipe).outdated
    assert base.maker is not None
    base.maker.write_text(f"{TAR}# more\n")
    assert look(engine, recipe).outdated
    build(engine, recipe, base=load_recipe("cpu").image, say=list[str]().append)
    assert not look(engine, recipe).outdated


def test_a_base_that_cannot_be_built_here_names_another_way(
    engine: DockerClient, make: Make
) -> None:
    base = make("base", script="echo 'it is missing: apt-get install it' >&2; exit 69\n")
    error = fail(engine, make(settings=f"base: {base.folder}\n", dockerfile=UPON))
    assert error.code == "E823"
    assert error.fix[0] == "apt-get install it"
    assert "rubric-engine sandbox build small --base scratch" in error.fix[1]


def test_a_script_that_fails_half_way_leaves_no_image(engine: DockerClient, make: Make) -> None:
    error = fail(engine, make(script=f"{TAR}echo the disk broke >&2; exit 3\n"))
    assert error.code == "E824"
    assert error.looked == ("the disk broke",)


def test_a_dockerfile_that_fails_shows_its_last_lines(engine: DockerClient, make: Make) -> None:
    image = load_recipe("cpu").image
    recipe = make(dockerfile=f"{UPON}RUN echo so far so good && false\n")
    error = fail(engine, recipe, image)
    assert error.code == "E824"
    assert "so far so good" in error.looked


def test_what_cannot_be_built(engine: DockerClient, make: Make) -> None:
    assert fail(engine, make("foreign")).code == "E823"
    error = fail(engine, make("huge", "free_gb: 1e9\n", script=TAR))
    assert error.code == "E825"


def test_all_recipes_are_known_but_none_of_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "sandbox" / "own"
    own.mkdir(parents=True)
    (own / RECIPE).write_text("image: mine:1\n")
    monkeypatch.chdir(tmp_path)
    names = [recipe.name for recipe in known_recipes()]
    assert names == ["cpu", "cuda", "debootstrap", "own"]
    Path("reproduce.sh").touch()
    assert "own" not in [recipe.name for recipe in known_recipes()]
