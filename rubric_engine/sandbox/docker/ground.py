"""What a run stands on: the engine, its image, and what both of them allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rubric_engine.isolation import Limits, RunSpec
from rubric_engine.sandbox.docker.devices import engine_names
from rubric_engine.sandbox.docker.faults import engine_fault
from rubric_engine.sandbox.docker.options import shm_of
from rubric_engine.sandbox.docker.phases import image_variables
from rubric_engine.sandbox.images import find_image
from rubric_engine.sandbox.recipes import Recipe

if TYPE_CHECKING:
    from docker import DockerClient


@dataclass(frozen=True)
class Ground:
    """Facts about an engine and a recipe.

    Attributes:
        engine: The engine and its version.
        recipe: What is run with.
        image: Id of its image.
        variables: The image's own variables.
        limits: The limits, as far as the engine can hold them.
        devices: The GPUs, by the names that the engine has for them.
    """

    engine: str
    recipe: Recipe
    image: str
    variables: Mapping[str, str]
    limits: Limits
    devices: tuple[str, ...] = ()


def look_up(client: DockerClient, recipe: Recipe, spec: RunSpec) -> Ground:
    """Find out whether and how a run can be made on an engine; nothing is changed there.

    Raises:
        SandboxError: There is no image, or no runtime for the GPUs that are asked for.
    """
    image = find_image(client, recipe)
    with engine_fault("asking the engine about itself"):
        info = client.info()
        config = client.images.get(image).attrs.get("Config") or {}
        return Ground(
            engine=f"Docker {info.get('ServerVersion', '')}".strip(),
            recipe=recipe,
            image=image,
            variables=image_variables(config.get("Env")),
            limits=held(spec, recipe, info),
            devices=engine_names(info, spec.gpus),
        )


def held(spec: RunSpec, recipe: Recipe, info: Mapping[str, Any]) -> Limits:
    """The limits, with the shared memory that is needed and no more cores than there are."""
    cores = info.get("NCPU") or spec.limits.cpus
    cpus = min(spec.limits.cpus, float(cores))
    shm = max(shm_of(spec.limits, spec.gpus), recipe.shm or 0)
    return spec.limits.model_copy(update={"cpus": cpus, "shm": shm})
