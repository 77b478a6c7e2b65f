"""The commands of a run: what makes an environment, what installs into it, and the script."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rubric_engine.isolation import SCRIPT, SETUP, RunSpec
from rubric_engine.sandbox.docker.options import BOX, HOME, VENV, bounded
from rubric_engine.sandbox.environment import FIXED, granted
from rubric_engine.sandbox.recipes import Recipe

NO_PYTHON = 69
"""Exit code of `venv_command` where the image has no Python."""

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# The environment sees the packages of the image. Where the image's Python stands in one itself,
# the module knows of its base alone, and the path of the packages is given besides.
_MAKE_VENV = """
import pathlib, site, sys, venv
place = pathlib.Path(sys.argv[1])
venv.create(place, system_site_packages=True, symlinks=True, with_pip=True)
if sys.prefix != sys.base_prefix:
    for packages in place.glob("lib/python*/site-packages"):
        (packages / "image.pth").write_text("\\n".join(site.getsitepackages()))
"""

# Outlives what it runs, also where that is asked to end, and says nothing of how it ended.
# Through two pipes, lines of output and of errors would change places: hence one for both.
_BEFORE = "trap : TERM INT HUP QUIT\nexec 2>/dev/null\n"

# The engine hears of memory that ran out from the container's control group, and misses it where
# the group is gone before it looked. So the group stays for a moment after such a kill.
_AFTER = """code=$?
for told in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    while read -r name count; do
        [[ $name == oom_kill && $count != 0 ]] && sleep 1
    done <"$told"
done
exit "$code"
"""


@dataclass(frozen=True)
class Step:
    """What installs, before the script.

    Attributes:
        name: In messages.
        command: Of its container.
    """

    name: str
    command: list[str]


def script_command(spec: RunSpec) -> list[str]:
    """The command of the script's container."""
    return _bash(f"exec bash {SCRIPT}", spec)


def venv_command(spec: RunSpec, place: str = f"{BOX}/{VENV}") -> list[str]:
    """The command of the container that makes a virtual environment; no code of a submission runs.

    Args:
        spec: What is to be run.
        place: Where, in the container; an empty folder.
    """
    make = f"exec python3 -I -c {shlex.quote(_MAKE_VENV)} {shlex.quote(place)}"
    return _bash(f"command -v python3 >/dev/null || exit {NO_PYTHON}\n{make}", spec)


def install_step(spec: RunSpec, recipe: Recipe, submission: Path) -> Step | None:
    """What installs; None where there is nothing to install.

    Args:
        spec: What is to be run.
        recipe: Its step is done where the submission brings none.
        submission: The copy on the host.
    """
    if spec.network != "install":
        return None
    if (submission / SETUP).is_file():
        return Step(SETUP, _bash(f"exec bash {SETUP}", spec))
    if recipe.install is None:
        return None
    return Step(f"the install step of recipe {recipe.name!r}", _bash(recipe.install, spec))


def _bash(commands: str, spec: RunSpec) -> list[str]:
    script = f"{_BEFORE}(\nexec 2>&1\n{commands}\n)\n{_AFTER}"
    return bounded(["bash", "-c", script], spec.limits.time)


def variables(spec: RunSpec, image: Mapping[str, str], *, venv: bool) -> dict[str, str]:
    """All variables that a run is given; those of the image stand besides.

    Args:
        spec: What is to be run.
        image: Variables of the image.
        venv: Whether there is a virtual environment to run in.
    """
    given = {**FIXED, "HOME": f"{BOX}/{HOME}", "TMPDIR": "/tmp"}  # noqa: S108 (the container's)
    if venv:
        given["VIRTUAL_ENV"] = f"{BOX}/{VENV}"
        given["PATH"] = f"{BOX}/{VENV}/bin:{image.get('PATH', _PATH)}"
    return {**given, **granted(spec.secrets)}


def image_variables(config: Sequence[str] | None) -> dict[str, str]:
    """Variables of an image, from its configuration."""
    return dict(entry.partition("=")[::2] for entry in config or ())
