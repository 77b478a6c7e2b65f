"""Reading a file of variables that only the script gets."""

from __future__ import annotations

import re
from pathlib import Path

from rubric_engine.errors import InputError, Place
from rubric_engine.sandbox.environment import OWN

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_env_file(path: Path) -> dict[str, str]:
    """Read variables, one `NAME=VALUE` a line; empty lines and those that start with # are none.

    A value is taken as it stands, up to the end of its line, without quotes or substitution. No
    variable of this process is ever taken: a name without a value is an error, and so is one that
    every sandbox sets itself.

    Raises:
        InputError: It cannot be read, or a line is no variable.
    """
    found = {}
    for number, line in enumerate(_lines(path), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.lstrip().partition("=")
        if not equals or not _NAME.fullmatch(name) or "\0" in value:
            raise InputError(
                "a variable is due here, as NAME=VALUE",  # the line itself may hold a key
                code="E536",
                place=Place(str(path), number),
            )
        if name in OWN:
            raise InputError(
                f"{name} is a variable that the sandbox sets itself",
                code="E536",
                place=Place(str(path), number),
                fix=["set it in reproduce.sh, or choose another name"],
            )
        found[name] = value
    return found


def _lines(path: Path) -> list[str]:
    """The lines, which end as files' lines do; a value may hold what Unicode calls a line's end."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"--env-file {path} is no regular file", code="E536")
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"--env-file {path} cannot be read: {why}", code="E536") from None
    return text.replace("\r\n", "\n").split("\n")
