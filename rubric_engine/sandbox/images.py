"""The images of recipes: which are there. Nothing here builds or pulls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import RecipeError, SandboxError
from rubric_engine.lookup import shipped
from rubric_engine.sandbox.recipes import (
    RECIPE,
    Recipe,
    fingerprints_below,
    load_recipe,
    submission_here,
)

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.images import Image

FINGERPRINT = "rubric-engine.recipe"
"""Label with the fingerprint of the recipe that an image was built from."""

BASE = "rubric-engine.base"
"""Label with the name of the image that it was built upon."""


BELOW = "rubric-engine.below"
"""Label with the fingerprints of the recipes below, where it was built upon the recipe's base."""


@dataclass(frozen=True)
class Built:
    """What an engine has of a recipe.

    Attributes:
        recipe: The recipe.
        digest: Of its image; None where there is none.
        size: Bytes of the image.
        created: When it was made, as the engine says.
        base: What it was built upon, where that is known.
        outdated: Whether the recipe, or one that it is based on, was changed since.
    """

    recipe: Recipe
    digest: str | None = None
    size: int = 0
    created: str = ""
    base: str = ""
    outdated: bool = False


def find_image(client: DockerClient, recipe: Recipe) -> str:
    """The digest of a recipe's image on an engine.

    Raises:
        SandboxError: It is not there (E822).
    """
    image = _image(client, recipe)
    if image is None:
        command = f"rubric-engine sandbox build {recipe.name}"
        raise SandboxError(
            f"the engine has no image {recipe.image} of the recipe {recipe.name!r}",
            code="E822",
            looked=["images are never built or pulled unasked"],
            fix=[command if recipe.maker else f"docker pull {recipe.image}"],
        )
    return str(image.id)


def look(client: DockerClient, recipe: Recipe) -> Built:
    """What an engine has of a recipe."""
    image = _image(client, recipe)
    if image is None:
        return Built(recipe)
    try:
        return Built(
            recipe,
            digest=str(image.id),
            size=int(image.attrs.get("Size") or 0),
            created=str(image.attrs.get("Created") or ""),
            base=image.labels.get(BASE, ""),
            outdated=_is_outdated(image.labels, recipe),
        )
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise engine_error(f"describe {recipe.image}", error) from error


def labels_of(recipe: Recipe, base: str | None, below: str) -> dict[str, str]:
    """What the image of a recipe carries; all of it, as it inherits the labels of its base.

    Args:
        recipe: The recipe.
        base: The image that it is built upon, where one was named.
        below: See `fingerprints_below`; empty where it is built upon another image.
    """
    return {FINGERPRINT: recipe.fingerprint, BASE: base or "", BELOW: below}


def _is_outdated(labels: Mapping[str, str], recipe: Recipe) -> bool:
    mark, below = labels.get(FINGERPRINT), labels.get(BELOW)
    if mark is not None and mark != recipe.fingerprint:
        return True
    try:
        return bool(below) and below != fingerprints_below(recipe)
    except RecipeError:  # nobody can tell: its base is found elsewhere, or no longer
        return False


def known_recipes() -> list[Recipe]:
    """The shipped recipes and those in ./sandbox, by name; none of a submission's own.

    Raises:
        RecipeError: One of them is wrong.
    """
    own = Path("sandbox").glob(f"*/{RECIPE}") if submission_here() is None else ()
    places = {file.parent.name: str(file.parent) for file in own}
    places |= {name: name for name in shipped("sandbox")}
    return [load_recipe(place) for _, place in sorted(places.items())]


def engine_error(what: str, error: Exception) -> SandboxError:
    """The error of an engine that answered a request with one, or stopped answering."""
    return SandboxError(
        f"the engine failed to {what}: {' '.join(str(error).split())}",
        code="E816",
        fix=["rubric-engine sandbox doctor"],
    )


def _image(client: DockerClient, recipe: Recipe) -> Image | None:
    from docker.errors import ImageNotFound

    try:
        image = client.images.get(recipe.image)
        image.attrs["Id"].encode()  # only an engine's answer has one
    except ImageNotFound:
        return None
    except Exception as error:  # an answer that is none of an engine makes the client raise these
        raise engine_error(f"look for {recipe.image}", error) from error
    return image
