"""One thing that an agent did: a script that it ran, or a file that it read with a tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["shell", "python", "read", "write", "add", "fetch"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that an agent did.

    Attributes:
        kind: A script in a shell, one in Python, a file that a tool shows, one that a tool
            writes or adds to, or an address that a tool fetches.
        code: The script, the path of the file that is shown, the text that is written, the address.
        line: Where the log has it, from 1.
        form: How the log told it: name of the parser's form.
        path: The file that is written, or nothing.
        is_doubtful: Whether it may be a line of a text that a command before it showed.
    """

    kind: Kind
    code: str
    line: int
    form: str
    path: str = ""
    is_doubtful: bool = False

    @property
    def on_one_line(self) -> bool:
        """Whether all lines of the script stand on one line of the log, as JSON writes them."""
        return self.form == "json"
