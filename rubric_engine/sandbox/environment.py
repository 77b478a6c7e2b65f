"""The environment that `reproduce.sh` sees: an allow-list, so that no key of ours gets in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

MARK = "RUBRIC_ENGINE_RUN"
"""Name of the variable that marks the processes of one run."""

FIXED = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    # Caches of byte code would count as made by the run; buffered output would be lost with a run
    # that is killed.
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
"""What every run sees. Hash randomisation is left as Python has it: a run here should not be
steadier than elsewhere."""

OWN = frozenset({*FIXED, MARK, "HOME", "PATH", "TMPDIR", "VIRTUAL_ENV"})
"""Names that no variable for the script may take: every sandbox sets them itself."""

_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def granted(secrets: Mapping[str, str]) -> dict[str, str]:
    """Variables for the script, without those that would replace a sandbox's own."""
    return {name: value for name, value in secrets.items() if name not in OWN}


def scrubbed(private: Path, mark: str) -> dict[str, str]:
    """All variables of a run on this machine.

    Args:
        private: An empty folder for the home and the temporary files of the run.
        mark: Value of `MARK`.
    """
    home, temporary = private / "home", private / "tmp"
    home.mkdir(mode=0o700)
    temporary.mkdir(mode=0o700)
    environment = {
        "PATH": _path(),
        "HOME": str(home),
        "TMPDIR": str(temporary),
        **FIXED,
        MARK: mark,
    }
    if sys.prefix != sys.base_prefix:
        environment["VIRTUAL_ENV"] = sys.prefix
    return environment


def _path() -> str:
    """Our interpreter's folder, then the absolute ones of our own PATH."""
    ours = os.path.dirname(sys.executable)  # noqa: PTH120 (may be empty, which is no folder)
    others = os.environ.get("PATH", _SYSTEM_PATH).split(os.pathsep)
    return os.pathsep.join(part for part in (ours, *others) if part.startswith("/"))
