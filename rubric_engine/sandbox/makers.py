"""The two ways in which an image is made: from a Dockerfile, or from the tar of a script."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from rubric_engine.errors import SandboxError
from rubric_engine.sandbox.images import engine_error
from rubric_engine.sandbox.recipes import Recipe

if TYPE_CHECKING:
    from docker import DockerClient

Say = Callable[[str], None]
"""Takes one line of progress."""

_LACKING = 69
"""Exit code with which a script says that this machine lacks what it takes (EX_UNAVAILABLE)."""

_KEPT = 20
"""Last lines of a build that failed which are shown."""

_NOISE = (" ---> ", "Removing intermediate container")

_CHUNK = 1 << 20


def from_dockerfile(
    client: DockerClient, recipe: Recipe, base: str | None, labels: Mapping[str, str], say: Say
) -> None:
    """Have the engine build the recipe's Dockerfile.

    Args:
        client: The engine.
        recipe: The recipe.
        base: The image for the Dockerfile's BASE; None for the one that it names.
        labels: What the image carries.
        say: Told of each step.

    Raises:
        SandboxError: The build failed (E824), or the engine did (E816).
    """
    from docker.errors import DockerException

    said: deque[str] = deque(maxlen=_KEPT)
    why = None
    try:
        for step in _steps(client, recipe, base, labels):
            why = step.get("error", why)
            for line in str(step.get("stream") or "").splitlines():
                if line and not line.startswith(_NOISE):
                    said.append(line)
                    say(line)
    except (DockerException, OSError) as error:
        raise engine_error(f"build {recipe.image}", error) from error
    if why is not None:
        raise _failed(recipe, str(why), said)


def _steps(
    client: DockerClient, recipe: Recipe, base: str | None, labels: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """What the engine says as it builds; to be read to its end, or the connection stays open."""
    steps = client.api.build(
        path=str(recipe.folder),
        tag=recipe.image,
        buildargs={"BASE": base} if base else {},
        labels=dict(labels),
        rm=True,
        forcerm=True,
        decode=True,
    )
    return cast(Iterator[dict[str, Any]], steps)


def from_script(
    client: DockerClient, recipe: Recipe, script: Path, labels: Mapping[str, str], say: Say
) -> None:
    """Run the recipe's script here, and have the engine import the tar that it writes.

    Args:
        client: The engine.
        recipe: The recipe.
        script: Its script.
        labels: What the image carries.
        say: Told of each step.

    Raises:
        SandboxError: This machine lacks what the script needs (E823), it failed (E824), or the
            engine did (E816).
    """
    say(f"running {script}")
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603  # a script of the recipe, never of a submission
            ["/bin/sh", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            _import(client, recipe, labels, _tar(process))
        except _ScriptError:
            raise _script_failed(recipe, process.wait(), errors) from None
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a script that is still at work, with what it started; it cleans up after itself."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    process.communicate()


def _import(
    client: DockerClient, recipe: Recipe, labels: Mapping[str, str], tar: Iterator[bytes]
) -> None:
    from docker.errors import DockerException

    repository, _, tag = recipe.image.rpartition(":")
    changes = [f'LABEL "{key}"="{value}"' for key, value in labels.items()]
    try:
        answer = client.api.import_image_from_stream(
            tar, repository=repository, tag=tag, changes=changes
        )
    except (DockerException, OSError) as error:
        raise engine_error(f"import {recipe.image}", error) from error
    for line in str(answer).splitlines():
        if line and "error" in (step := json.loads(line)):
            raise engine_error(f"import {recipe.image}", ValueError(step["error"]))


class _ScriptError(Exception):
    """The script ended without the whole tar; what was sent of it must not become an image."""


def _tar(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    pipe = cast(IO[bytes], process.stdout)
    yield from iter(partial(pipe.read, _CHUNK), b"")
    if process.wait() != 0:
        raise _ScriptError


def _script_failed(recipe: Recipe, code: int, errors: IO[bytes]) -> SandboxError:
    errors.seek(0)
    said = deque(errors.read().decode(errors="replace").splitlines(), maxlen=_KEPT)
    if code != _LACKING:
        return _failed(recipe, f"its script ended with {code}", said)
    what, _, mend = (said[-1] if said else "something is missing").partition(": ")
    return SandboxError(
        f"{recipe.name!r} cannot be built on this machine: {what}", code="E823", fix=[mend]
    )


def _failed(recipe: Recipe, why: str, said: deque[str]) -> SandboxError:
    return SandboxError(
        f"building {recipe.name!r} failed: {' '.join(why.split())}",
        code="E824",
        looked=list(said),
        fix=[f"rubric-engine sandbox build {recipe.name}   (after the cause that is named above)"],
    )
