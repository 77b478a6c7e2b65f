"""Recipes: with which image `reproduce.sh` is run, and how that image is made."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rubric_engine._content import content_folder
from rubric_engine.errors import RecipeError
from rubric_engine.isolation import SCRIPT
from rubric_engine.lookup import Lookup, is_path, shipped
from rubric_engine.rubric_file import load_model

RECIPE = "recipe.yaml"
"""Name of the file in a recipe's folder."""

_SCRIPT_OF_HOST = "build.sh"
_MAKERS = ("Dockerfile", _SCRIPT_OF_HOST)


class RecipeFile(BaseModel):
    """The settings in `recipe.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recipe: Literal[1] = Field(default=1, description="Version of the format.")
    image: str = Field(
        # No two of `.`, `/` and `:` in a row: the name becomes part of an address on the engine.
        pattern=r"^[a-z0-9](?:[./:]?[a-z0-9_-])*[:@][A-Za-z0-9_](?:[.:]?[A-Za-z0-9_-])*$",
        description="Name of the image, with its tag or digest.",
    )
    description: str = Field(default="", description="What is in it, in one line.")
    base: str | None = Field(
        default=None, description="Recipe whose image is the BASE of the Dockerfile."
    )
    install: str | None = Field(
        default=None,
        description="Command that installs, where the network is `install` and a submission"
        " has no setup.sh.",
    )
    gpu: bool = Field(default=False, description="Whether it is of use only with a GPU.")
    shm: int | None = Field(
        default=None, ge=1, le=1 << 50, description="Bytes of shared memory it needs."
    )
    free_gb: float = Field(
        default=1.0, gt=0, allow_inf_nan=False, description="Free disk that building needs."
    )


class Recipe(RecipeFile):
    """A recipe, with the name and the folder it was found by.

    Attributes:
        name: Its folder's name.
        folder: Where it lies; None for one that was made in a program.
    """

    name: str
    folder: Path | None = Field(default=None, exclude=True, repr=False)

    @property
    def maker(self) -> Path | None:
        """The file that makes its image: a Dockerfile, or a script that writes a tar."""
        if self.folder is None:
            return None
        files = (self.folder / name for name in _MAKERS)
        return next((file for file in files if file.is_file()), None)

    @property
    def fingerprint(self) -> str:
        """Hash of what makes its image: one that carries another is outdated.

        All files of the folder count, as a Dockerfile may copy any of them; of `recipe.yaml` the
        names of image and base.
        """
        maker = self.maker
        content = maker.read_bytes() if maker else b""
        digest = hashlib.sha256(f"{self.image}\0{self.base}\0".encode() + content)
        for name, file in self._others(maker):
            digest.update(f"\0{name}\0".encode("utf-8", "surrogateescape"))
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()[:16]

    def _others(self, maker: Path | None) -> list[tuple[str, Path]]:
        """The files of the folder, but for the recipe itself and what makes the image, by name."""
        if self.folder is None:
            return []
        own = {self.folder / RECIPE, maker}
        files = [file for file in self.folder.rglob("*") if file.is_file() and file not in own]
        return sorted((file.relative_to(self.folder).as_posix(), file) for file in files)


def submission_here() -> Path | None:
    """The root of the submission that the current folder lies in: where a script stands.

    Anything of the script's name marks one, be it a link to nowhere or a pipe.
    """
    here = Path.cwd()
    places = (here, *here.parents)
    return next((place for place in reversed(places) if os.path.lexists(place / SCRIPT)), None)


def fingerprints_below(recipe: Recipe, *, untrusted: Path | None = None) -> str:
    """The fingerprints of the recipes that one is based on, nearest first.

    Args:
        recipe: The recipe.
        untrusted: See `load_recipe`.

    Raises:
        RecipeError: One of them is unknown or wrong.
    """
    found: list[str] = []
    seen = set[str]()
    while recipe.base is not None and recipe.base not in seen:
        seen.add(recipe.base)
        recipe = load_recipe(recipe.base, untrusted=untrusted)
        found.append(recipe.fingerprint)
    return " ".join(found)


def load_recipe(name: str | Path, *, untrusted: Path | None = None) -> Recipe:
    """Load a recipe.

    Args:
        name: Path of a recipe or of its folder, or a name: looked up among the shipped recipes,
            then in ./sandbox and entry points of the group `rubric_engine.sandbox`.
        untrusted: A submission's root; nothing in it is found by name. None for the submission
            that the current folder lies in, if it does.

    Raises:
        RecipeError: There is no such recipe, it is wrong, or its name alone would run a script
            of the current folder.
    """
    look = Lookup("sandbox", (RECIPE,), untrusted or submission_here())
    found = _shipped(str(name)) or look.find(str(name))
    file = found / RECIPE if found is not None and found.is_dir() else found
    if file is None:
        raise look.missing(str(name), "recipe", RecipeError)
    settings = load_model(file, RecipeFile, error=RecipeError, code="E531")
    folder = file.resolve().parent
    recipe = Recipe(**settings.model_dump(), name=folder.name, folder=folder)
    _require_asked_for(recipe, str(name), file.parent)
    return recipe


def _shipped(name: str) -> Path | None:
    return content_folder("sandbox") / name if name in shipped("sandbox") else None


def _require_asked_for(recipe: Recipe, name: str, place: Path) -> None:
    """Refuse a script that would run on this machine because it lies in the current folder."""
    by_name_here = not is_path(name) and not place.is_absolute()
    if by_name_here and recipe.maker is not None and recipe.maker.name == _SCRIPT_OF_HOST:
        raise RecipeError(
            f"{place} has a {_SCRIPT_OF_HOST}, which runs on this machine: it is not taken by name",
            fix=[f"give its path, ./{place}, once you have read it"],
        )
