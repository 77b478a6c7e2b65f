"""Building the image of a recipe, after that of the recipe that it is based on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.images import find_image, labels_of, look
from rubric_engine.sandbox.makers import Say, from_dockerfile, from_script
from rubric_engine.sandbox.recipes import Recipe, fingerprints_below, load_recipe

if TYPE_CHECKING:
    from docker import DockerClient


def build(
    client: DockerClient,
    recipe: Recipe,
    *,
    base: str | None = None,
    untrusted: Path | None = None,
    say: Say,
) -> str:
    """Build a recipe's image on an engine; one of that name is replaced.

    Args:
        client: The engine.
        recipe: The recipe.
        base: Name of an image to build upon, which the engine pulls where it does not have it;
            None for the image of the recipe's own base, which is built where it is missing.
        untrusted: See `load_recipe`.
        say: Told of each step.

    Returns:
        The image's digest.

    Raises:
        RecipeError: The recipe of the base is unknown or wrong.
        SandboxError: The recipe makes no image or this machine lacks what it takes (E823), the
            build failed (E824), the disk has no room (E825), or the engine failed (E816).
    """
    maker = recipe.maker
    if maker is None:
        raise _makes_none(recipe)
    below = ""
    if base is None and recipe.base is not None:
        below = fingerprints_below(recipe, untrusted=untrusted)
        base = _base(client, recipe, recipe.base, untrusted, say)
    check_space(client, recipe)
    labels = labels_of(recipe, base, below)
    if maker.name == "Dockerfile":
        from_dockerfile(client, recipe, base, labels, say)
    else:
        from_script(client, recipe, maker, labels, say)
    return find_image(client, recipe)


def _makes_none(recipe: Recipe) -> SandboxError:
    return SandboxError(
        f"the recipe {recipe.name!r} makes no image: it has no Dockerfile and no build.sh",
        code="E823",
        fix=[f"docker pull {recipe.image}"],
    )


def _base(client: DockerClient, recipe: Recipe, name: str, untrusted: Path | None, say: Say) -> str:
    """The name of the image that a recipe is based on, which is built where it is missing."""
    base = load_recipe(name, untrusted=untrusted)
    there = look(client, base)
    if there.digest is None or there.outdated:
        try:
            build(client, base, untrusted=untrusted, say=say)
        except SandboxError as error:
            if error.code != "E823":
                raise
            other = f"rubric-engine sandbox build {recipe.name} --base {_default_base(recipe)}"
            fix = [*error.fix, f"{other}   (pulls that image from its registry)"]
            raise SandboxError(error.message, code=error.code, fix=fix) from error
    return base.image


def _default_base(recipe: Recipe) -> str:
    """The image that a recipe's Dockerfile is built upon unless it is told another."""
    text = recipe.maker.read_text() if recipe.maker else ""
    found = re.search(r"^ARG BASE=(\S+)", text, re.MULTILINE)
    return found[1] if found else "IMAGE"


def free_gb(client: DockerClient) -> float | None:
    """Free disk, in GB, where an engine keeps images; None where it is on another machine."""
    if client.api.base_url != "http+docker://localhost":
        return None
    try:
        return shutil.disk_usage(client.info()["DockerRootDir"]).free / 1e9
    except (OSError, KeyError):
        return None


def check_space(client: DockerClient, recipe: Recipe) -> None:
    """Make sure that an image will fit.

    Raises:
        SandboxError: It will not (E825).
    """
    free = free_gb(client)
    if free is not None and free < recipe.free_gb:
        raise SandboxError(
            f"building {recipe.name!r} needs {recipe.free_gb:g} GB of disk; {free:.1f} are free",
            code="E825",
            fix=["docker image rm IMAGE   (docker image ls shows their sizes)"],
        )
