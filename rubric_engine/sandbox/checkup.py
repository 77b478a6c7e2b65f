"""What a Docker sandbox lacks, and the command that mends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from rubric_engine.errors import RubricEngineError, SandboxError
from rubric_engine.sandbox.address import find_address
from rubric_engine.sandbox.building import free_gb
from rubric_engine.sandbox.docker.devices import has_gpus
from rubric_engine.sandbox.docker.faults import MISSHAPEN
from rubric_engine.sandbox.engines import connect
from rubric_engine.sandbox.images import engine_error, find_image, look
from rubric_engine.sandbox.recipes import Recipe, load_recipe

if TYPE_CHECKING:
    from docker import DockerClient

State = Literal["ok", "warn", "fail"]


class Finding(NamedTuple):
    """One thing that was looked at.

    Attributes:
        state: Whether it is as it should be.
        what: What was found.
        fix: The command that mends it.
    """

    state: State
    what: str
    fix: str = ""


_MAINTAINED = (23, 0, 11)
"""Older engines answer names even on networks without a way out (CVE-2024-29018)."""

_LIMITS = {
    "MemoryLimit": "memory",
    "SwapLimit": "swap",
    "PidsLimit": "processes",
    "CpuCfsQuota": "CPU time",
}

_NO_LIMITS = "boot that machine with cgroup_enable=memory swapaccount=1, or with cgroup v2"
_NO_RUNTIME = (
    "sudo apt-get install nvidia-container-toolkit && sudo nvidia-ctk runtime configure"
    " --runtime=docker && sudo systemctl restart docker"
)
_LEAST_GB = 5.0
"""Free disk below which a run may not find room for what it writes."""


def check_up(address: str | None, recipe: Recipe, *, gpus: bool) -> Iterator[Finding]:
    """Look at all that running a submission in Docker takes.

    Args:
        address: The engine's; see `connect`.
        recipe: The recipe whose image must be there.
        gpus: Whether runs need GPUs.
    """
    try:
        client = connect(address)
    except RubricEngineError as error:
        yield _failing(error)
        return
    with closing(client):
        try:
            yield from _look(client, address, recipe, gpus=gpus or recipe.gpu)
        except SandboxError as error:
            yield _failing(error)
        except MISSHAPEN as error:
            yield _failing(engine_error("answer as engines do", error))


def summary() -> Finding:
    """One line on the engine that is used where none is named, and the image of `cpu`."""
    try:
        with closing(connect()) as client:
            find_image(client, load_recipe("cpu"))
            return Finding("ok", f"--sandbox docker can run ({engine_name(client)})")
    except RubricEngineError as error:
        what = f"--sandbox docker cannot run: {error.message}"
        return Finding("warn", what, " or ".join(error.fix))


def engine_name(client: DockerClient) -> str:
    """An engine's name and version, such as `Docker 27.3.1`."""
    return f"Docker {_ask(client, 'version')['Version']}"


def _look(
    client: DockerClient, address: str | None, recipe: Recipe, *, gpus: bool
) -> Iterator[Finding]:
    info = _ask(client, "info")
    where = find_address(address)
    system = f"{info.get('OSType')} {info.get('Architecture')}"
    yield Finding("ok", f"{engine_name(client)} answers at {where} ({system})")
    if where.scheme == "tcp" and client.api.base_url.startswith("http://"):
        what = "the connection is not encrypted: who can reach that port is root there"
        yield Finding("warn", what, "export DOCKER_CERT_PATH=FOLDER DOCKER_TLS_VERIFY=1")
    yield _age(str(info.get("ServerVersion", "")))
    yield from _walls(info)
    yield _image(client, recipe)
    if gpus:
        yield _gpus(info)
    yield _space(client, recipe)


def _age(version: str) -> Finding:
    numbers = version.replace("+", ".").replace("-", ".").split(".")[:3]
    known = tuple(int(number) for number in numbers if number.isdigit())
    if known < _MAINTAINED:
        what = (
            f"the engine ({version}) is one that its makers no longer mend; runs without a"
            " network are shut in, --network install and open are less so"
        )
        return Finding(
            "warn", what, "sudo apt-get install --only-upgrade docker.io   (23 or newer)"
        )
    return Finding("ok", "the engine is of a version that is still mended")


def _walls(info: dict[str, Any]) -> Iterator[Finding]:
    options = " ".join(map(str, info.get("SecurityOptions") or ()))
    if "seccomp" in options:
        yield Finding("ok", "seccomp is on")
    else:
        what = "seccomp is off: system calls are not filtered"
        yield Finding("fail", what, "run the engine on a kernel with CONFIG_SECCOMP")
    missing = [word for field, word in _LIMITS.items() if info.get(field) is False]
    if missing:
        yield Finding("fail", f"the engine cannot limit {', '.join(missing)}", _NO_LIMITS)
    else:
        yield Finding("ok", f"it can limit {', '.join(_LIMITS.values())}")


def _image(client: DockerClient, recipe: Recipe) -> Finding:
    try:
        find_image(client, recipe)
    except SandboxError as error:
        return _failing(error)
    built = look(client, recipe)
    if built.outdated:
        what = f"the image {recipe.image} is older than its recipe"
        return Finding("warn", what, f"rubric-engine sandbox build {recipe.name}")
    return Finding("ok", f"the image {recipe.image} is there ({str(built.digest)[:19]})")


def _gpus(info: dict[str, Any]) -> Finding:
    if has_gpus(info):
        what = "the engine has NVIDIA's runtime or devices; sandbox/gpu_check.sh tries one"
        return Finding("ok", what)
    return Finding(
        "fail", "the engine has no NVIDIA runtime, and no device of NVIDIA's by CDI", _NO_RUNTIME
    )


def _space(client: DockerClient, recipe: Recipe) -> Finding:
    free = free_gb(client)
    if free is None:
        return Finding("ok", "the engine is on another machine: its free disk is not known here")
    needed = max(_LEAST_GB, recipe.free_gb)
    if free < needed:
        what = f"{free:.1f} GB of disk are free for images and runs, fewer than {needed:g}"
        return Finding("fail", what, "docker image rm IMAGE   (docker image ls shows their sizes)")
    return Finding("ok", f"{free:.0f} GB of disk are free for images and runs")


def _ask(client: DockerClient, question: Literal["version", "info"]) -> dict[str, Any]:
    from docker.errors import DockerException

    try:
        answer: dict[str, Any] = getattr(client, question)()
        answer.keys()
    except (DockerException, OSError, *MISSHAPEN) as error:
        raise engine_error(f"answer ({question})", error) from error
    return answer


def _failing(error: RubricEngineError) -> Finding:
    return Finding("fail", error.message, " or ".join(error.fix))
