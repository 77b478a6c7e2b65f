"""`rubric-engine sandbox`: the images that submissions run in, and the engine that runs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubric_engine.cli.run_options import Engine, Gpus

if TYPE_CHECKING:
    from docker import DockerClient

    from rubric_engine.sandbox.images import Built
    from rubric_engine.sandbox.recipes import Recipe

app = typer.Typer(
    help="The images that submissions run in, and the engine that runs them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback()
def _sandbox() -> None:
    """The images that submissions run in, and the engine that runs them."""


@app.command("build")
def build(
    recipe: Annotated[str, typer.Argument(help="Name or path of a recipe, such as cpu.")],
    base: Annotated[
        str | None,
        typer.Option(
            help="Build upon this image, which the engine pulls if it does not have it.",
            metavar="IMAGE",
        ),
    ] = None,
    engine: Engine = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No word of each step.")] = False,
    as_json: Json = False,
) -> None:
    """Build the image of a recipe, and of the recipe that it is based on where that is missing."""
    from rubric_engine.cli.output import note, print_json, printable, say
    from rubric_engine.sandbox.building import build as build_image
    from rubric_engine.sandbox.recipes import load_recipe

    wanted = load_recipe(recipe)
    with _engine(engine) as client:
        digest = build_image(
            client,
            wanted,
            base=base,
            say=_silent if quiet else lambda line: note(f"  {printable(line)}"),
        )
    if as_json:
        print_json({"ok": True, "image": wanted.image, "digest": digest, "exit_code": 0})
    else:
        say(f"{wanted.image} is built: {digest}")


@app.command("list")
def list_images(engine: Engine = None, as_json: Json = False) -> None:
    """List the recipes, and what the engine has of each."""
    from rubric_engine.cli.output import fill, print_json, printable, show, table
    from rubric_engine.sandbox.images import known_recipes, look

    recipes = known_recipes()
    with _engine(engine) as client:
        found = [look(client, recipe) for recipe in recipes]
    if as_json:
        print_json({"ok": True, "recipes": [_plain(built) for built in found], "exit_code": 0})
        return
    rows = ([printable(cell) for cell in _row(built)] for built in found)
    show(fill(table("<recipe", "<image", "<state", "size", "<digest"), rows))


@app.command("doctor")
def doctor(
    engine: Engine = None,
    recipe: Annotated[str, typer.Option(help="Name or path of a recipe.")] = "cpu",
    gpus: Gpus = None,
    as_json: Json = False,
) -> int:
    """Say what a sandbox lacks, and the command that mends it."""
    from rubric_engine.cli.looked_at import Item, report
    from rubric_engine.cli.sandboxing import gpu_ids
    from rubric_engine.sandbox.checkup import check_up
    from rubric_engine.sandbox.recipes import load_recipe

    wanted = load_recipe(recipe)
    found = check_up(engine, wanted, gpus=bool(gpu_ids(gpus)))
    return report((Item(*finding) for finding in found), as_json=as_json)


@app.command("gc")
def gc(engine: Engine = None, as_json: Json = False) -> None:
    """Remove what runs that are over left on the engine; nothing of others is touched."""
    from rubric_engine.cli.output import print_json, say
    from rubric_engine.sandbox.docker import reap

    with _engine(engine) as client:
        gone = reap(client)
    removed = {
        "containers": gone.containers,
        "volumes": gone.volumes,
        "networks": gone.networks,
    }
    if as_json:
        print_json({"ok": True, "removed": removed, "exit_code": 0})
    else:
        say("removed " + ", ".join(f"{len(names)} {kind}" for kind, names in removed.items()))


@contextmanager
def _engine(address: str | None) -> Iterator[DockerClient]:
    from rubric_engine.sandbox.engines import connect

    client = connect(address)
    try:
        yield client
    finally:
        client.close()


def _silent(line: str) -> None:
    """Say nothing."""


def _row(built: Built) -> tuple[str, ...]:
    if built.digest is None:
        return built.recipe.name, built.recipe.image, "not built", "-", "-"
    state = "outdated" if built.outdated else "built"
    size = f"{built.size / 1e6:.0f} MB"
    digest = built.digest.removeprefix("sha256:")[:12]
    return built.recipe.name, built.recipe.image, state, size, digest


def _plain(built: Built) -> dict[str, Any]:
    recipe: Recipe = built.recipe
    return {
        "recipe": recipe.name,
        "description": recipe.description,
        "image": recipe.image,
        "digest": built.digest,
        "bytes": built.size,
        "created": built.created,
        "base": built.base,
        "outdated": built.outdated,
    }
