"""The two commands of a run: what installs, online, and the script itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rubric_engine.isolation import SCRIPT, SETUP, RunSpec
from rubric_engine.sandbox.docker.options import BOX, HOME, VENV, bounded
from rubric_engine.sandbox.environment import FIXED, granted
from rubric_engine.sandbox.recipes import Recipe

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# The environment sees the packages of the image; where the image cannot make one, a script still
# has its home to install to.
_MAKE_VENV = f"python3 -m venv --system-site-packages {BOX}/{VENV} || true"


def script_command(spec: RunSpec) -> list[str]:
    """The command of the script's container."""
    return _bash(f"exec bash {SCRIPT}", spec)


def install_command(spec: RunSpec, recipe: Recipe, submission: Path) -> list[str] | None:
    """The command of the container that installs; None where there is nothing to install.

    Args:
        spec: What is to be run.
        recipe: Its step is done where the submission brings none.
        submission: The copy on the host.
    """
    if spec.network != "install":
        return None
    step = f"exec bash {SETUP}" if (submission / SETUP).is_file() else recipe.install
    return _bash(f"{_MAKE_VENV}\n{step}", spec) if step else None


def _bash(commands: str, spec: RunSpec) -> list[str]:
    # Through two pipes, lines of output and of errors would change places.
    return bounded(["bash", "-c", f"exec 2>&1\n{commands}"], spec.limits.time)


def variables(spec: RunSpec, image: Mapping[str, str]) -> dict[str, str]:
    """All variables that a run is given; those of the image stand besides.

    Args:
        spec: What is to be run.
        image: Variables of the image.
    """
    given = {**FIXED, "HOME": f"{BOX}/{HOME}", "TMPDIR": "/tmp"}  # noqa: S108 (the container's)
    if spec.network == "install":
        given["VIRTUAL_ENV"] = f"{BOX}/{VENV}"
        given["PATH"] = f"{BOX}/{VENV}/bin:{image.get('PATH', _PATH)}"
    return {**given, **granted(spec.secrets)}


def image_variables(config: Sequence[str] | None) -> dict[str, str]:
    """Variables of an image, from its configuration."""
    return dict(entry.partition("=")[::2] for entry in config or ())
