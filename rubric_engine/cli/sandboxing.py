"""Which sandbox runs `reproduce.sh`: the one that was named, or what answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_engine.errors import SandboxError, UsageError

if TYPE_CHECKING:
    from rubric_engine.isolation import Limits, Network, RunSpec, Sandbox
    from rubric_engine.sandbox.docker import OnProgress

AUTO, NONE, DOCKER = "auto", "none", "docker"

_MOST_GPUS = 64


@dataclass(frozen=True)
class Wanted:
    """What flags say of the sandbox, and of the run in it.

    Attributes:
        name: Value of `--sandbox`.
        engine: Value of `--engine`.
        recipe: Value of `--recipe`.
        gpus: Ids of devices.
        network: Value of `--network`.
        time_limit: Value of `--time-limit`, in seconds.
        memory: Value of `--memory`, in bytes.
        env_file: Value of `--env-file`.
    """

    name: str = AUTO
    engine: str | None = None
    recipe: str | None = None
    gpus: tuple[str, ...] = ()
    network: Network | None = None
    time_limit: float | None = None
    memory: float | None = None
    env_file: Path | None = None

    @property
    def asked(self) -> str:
        """The sandbox that is meant: who names an engine, an image or a GPU wants Docker."""
        named = self.engine is not None or self.recipe is not None or bool(self.gpus)
        return DOCKER if self.name == AUTO and named else self.name


@dataclass(frozen=True)
class Box:
    """A sandbox, or why there is none; `why` is empty where nobody misses one."""

    sandbox: Sandbox | None = None
    why: str = ""


def find_box(
    wanted: Wanted,
    untrusted: Path,
    *,
    needed: Callable[[], bool],
    tell: OnProgress | None = None,
) -> Box:
    """Find the sandbox. Nothing is built, pulled or started.

    Args:
        wanted: What flags say.
        untrusted: A submission's root; no recipe that lies in it is found by name.
        needed: Whether anything would be run, for `auto`.
        tell: Told how a run in Docker goes on.

    Raises:
        UsageError: There is no such sandbox, or flags do not fit it.
        RecipeError: There is no such recipe.
        SandboxError: Docker was asked for, and no engine or no image answers.
    """
    name = wanted.asked
    if name == NONE or (name == AUTO and not needed()):
        _require_docker(wanted, name)
        return Box()
    if name in (AUTO, DOCKER):
        try:
            return Box(_docker(wanted, untrusted, tell))
        except SandboxError as error:
            if name == DOCKER:
                raise
            mend = f" ({error.fix[0]})" if error.fix else ""
            return Box(why=f"{error.message}{mend}")
    from rubric_engine.sandbox import load_sandbox

    _require_docker(wanted, name)
    return Box(load_sandbox(name))


def has_no_docker() -> bool:
    """Whether it is plain that no Docker engine is here: none is named, and there is no socket."""
    from rubric_engine.sandbox.address import find_address

    try:
        where = find_address(None)
    except UsageError:  # a wrong DOCKER_HOST; whoever uses it is told
        return False
    return where.scheme == "unix" and not Path(where.path).exists()


def _docker(wanted: Wanted, untrusted: Path, tell: OnProgress | None) -> Sandbox:
    from rubric_engine.sandbox import RECIPE, load_sandbox
    from rubric_engine.sandbox.engines import connect
    from rubric_engine.sandbox.images import find_image
    from rubric_engine.sandbox.recipes import load_recipe

    recipe = load_recipe(wanted.recipe or RECIPE, untrusted=untrusted)
    with closing(connect(wanted.engine)) as client:
        find_image(client, recipe)
    place = str(recipe.folder) if recipe.folder is not None else recipe.name
    return load_sandbox(DOCKER, engine=wanted.engine, recipe=place, tell=tell)


def _require_docker(wanted: Wanted, name: str) -> None:
    """Refuse flags that only Docker can follow."""
    given = {"--engine": wanted.engine, "--recipe": wanted.recipe, "--gpus": wanted.gpus}
    for flag, value in given.items():
        if value:
            raise UsageError(
                f"{flag} goes with --sandbox docker, not with {name}",
                fix=["--sandbox docker   follows it", f"leave {flag} out"],
            )


def gpu_ids(text: str | None) -> tuple[str, ...]:
    """Ids of devices: `2` is the first two, `0,3` or `GPU-7a3f` are ids.

    Raises:
        UsageError: It is neither.
    """
    if text is None:
        return ()
    if text.isdecimal() and int(text) <= _MOST_GPUS:
        return tuple(map(str, range(int(text))))
    ids = tuple(part.strip() for part in text.split(","))
    if text.isdecimal() or not all(part and part.lower() != "all" for part in ids):
        raise UsageError(
            f"--gpus {text!r} is neither a number of devices nor their ids",
            fix=["--gpus 1   the first one", "--gpus 0,2   these two"],
        )
    return ids


def spec_with(spec: RunSpec, wanted: Wanted) -> RunSpec:
    """How a submission is run: the task's settings, and what flags say instead.

    Raises:
        InputError: The file of variables is wrong.
        UsageError: No run does with so little memory, or no machine goes so far.
    """
    from rubric_engine.cli.env_file import read_env_file

    memory = None if wanted.memory is None else int(wanted.memory)
    if memory is not None:
        _require_memory(memory)
    given = {"time": wanted.time_limit, "memory": memory}
    changed = {name: value for name, value in given.items() if value is not None}
    changes: dict[str, object] = {"limits": _checked(spec.limits, changed), "gpus": wanted.gpus}
    if wanted.network is not None:
        changes["network"] = wanted.network
    if wanted.env_file is not None:
        changes["secrets"] = read_env_file(wanted.env_file)
    return spec.model_copy(update=changes)


def _checked(limits: Limits, changed: Mapping[str, float]) -> Limits:
    """Limits with what flags say, within the bounds that a task's have."""
    from pydantic import ValidationError

    try:
        return type(limits).model_validate({**limits.model_dump(), **changed})
    except ValidationError as error:
        wrong = error.errors()[0]
        flag = {"time": "--time-limit", "memory": "--memory"}[str(wrong["loc"][0])]
        why = wrong["msg"].replace("Input should", "must")
        form = {"--time-limit": "90, 30m or 12h", "--memory": "512m or 8g"}[flag]
        raise UsageError(f"{flag} {why}", fix=[f"{flag} VALUE   such as {form}"]) from None


def _require_memory(memory: int) -> None:
    from rubric_engine.cli.output import counted
    from rubric_engine.isolation import LEAST_MEMORY

    if memory < LEAST_MEMORY:
        least = f"{LEAST_MEMORY >> 20}m"
        raise UsageError(
            f"--memory is {counted(memory, 'byte')}, which is too little: no run does with less"
            f" than {least}",
            fix=[f"--memory {least}, or more: 512m, 8g"],
        )
