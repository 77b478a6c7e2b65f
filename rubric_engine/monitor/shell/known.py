"""What is known while a script is read: its variables, its functions, and the files before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from rubric_engine.monitor.shell.command import OpenCommand
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.given import first_of
from rubric_engine.monitor.shell.printing import formatted
from rubric_engine.monitor.shell.words import MOST_LENGTH, Allowance, Values, closing_brace

_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=(.*)", re.DOTALL)
_FUNCTION = re.compile(
    r"(?:function[ \t]+([\w.:-]+)[ \t]*(?:\(\))?|([\w.:-]+)[ \t]*\(\))\s*\{(?=\s)"
)
_DECLARES = frozenset({"declare", "export", "local", "readonly", "typeset"})
_LONGEST = 4_000
"""Characters of a function that are followed where it is called."""

_NEVER = {"&&": frozenset({"false"}), "||": frozenset({":", "true"})}
_COST = 1_000
"""What a call costs of the allowance, besides its commands: a function may call itself."""


@dataclass
class Known:
    """What is known while a script is read.

    Attributes:
        files: What scripts before it left.
        variables: The variables that are set.
        functions: The bodies of its functions.
    """

    files: Files = field(default_factory=Files)
    variables: dict[str, Values] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)

    @property
    def allowance(self) -> Allowance:
        """How much variables and functions may still stand for."""
        return self.files.allowance

    def set(self, name: str, values: Values) -> None:
        """Set a variable."""
        if values:
            self.variables[name] = tuple(value[:MOST_LENGTH] for value in first_of(values))

    def set_places(self, words: Sequence[str]) -> None:
        """Set `$1`, `$2` and `$@`, as a script or a function is given them."""
        for place, word in enumerate(words[:9], start=1):
            self.set(str(place), (word,))
        self.set("@", tuple(words))
        self.set("*", tuple(words))

    def without_settings(self, words: list[str]) -> list[str]:
        """Take what is set; return the words of the command that is left."""
        if len(words) > 3 and words[0] in ("for", "select") and words[2] == "in":
            # What a command prints falls into words here; what it runs is not known yet.
            each = (word.split() if "$(" not in word else (word,) for word in words[3:])
            self.set(words[1], tuple(chain.from_iterable(each)))
            return []
        declares = bool(words) and words[0] in _DECLARES
        rest = words[1:] if declares else words
        count = 0
        while count < len(rest):
            match = _ASSIGNED.fullmatch(rest[count])
            if match:
                before = self.variables.get(match[1], ("",)) if match[2] else ("",)
                before = before if self.allowance.take(before) else ("",)
                self.set(match[1], tuple(one + match[3] for one in before))
            elif not (declares and rest[count].startswith("-")):
                break
            count += 1
        if declares and words[0] == "export":
            self._export(rest)
        return rest[count:]

    def skipping(self, operator: str, command: OpenCommand, behind: str) -> str:
        """The operator behind which nothing is run: `false &&`, `true ||`, up to another one.

        Args:
            operator: The one behind which the command stands that was read last, or nothing.
            command: That command.
            behind: The operator that follows it.
        """
        if operator:
            return operator if behind in (operator, "|", "|&") else ""
        if len(command.words) != 1 or command.is_negated or command.words[0] in self.functions:
            return ""
        return behind if command.words[0] in _NEVER.get(behind, ()) else ""

    def added_to(self, words: Sequence[str]) -> tuple[str, ...]:
        """What variables add to a command: `gh` takes its repository from one.

        `printf -v` sets the variable that it names.
        """
        if tuple(words[:2]) == ("printf", "-v") and len(words) > 3:
            self.set(words[2], (formatted(words[3:]),))
        asked = self.variables.get("GH_REPO", ())[:1] if words[0] == "gh" else ()
        return ("-R", *asked) if asked and self.allowance.take(asked) else ()

    def function(self, text: str, at: int) -> int | None:
        """Take the function that is defined at a position; return where its body begins."""
        match = _FUNCTION.match(text, at)
        if match is None:
            return None
        end = closing_brace(text, match.end(), _LONGEST)
        if end is not None:
            self.functions[match[1] or match[2]] = text[match.end() : end - 1]
        return match.end()

    def body_of(self, words: Sequence[str]) -> tuple[str, bool]:
        """What a call of a function, or a script that is sourced, runs, if anything.

        With it comes whether that is a script which is looked at by itself.
        """
        is_own = False
        if words[0] in self.functions:
            body = self.functions[words[0]]
            self.set_places(words[1:])
        elif words[0] in (".", "source") and len(words) > 1:
            body, is_own = self.files.sourced(words[1])
        else:
            return "", False
        is_within = self.allowance.take((" " * _COST,)) and self.allowance.take_script(body)
        return (body, is_own) if is_within else ("", False)

    def _export(self, words: Sequence[str]) -> None:
        for word in words:
            name = word.partition("=")[0]
            if name in self.variables:
                self.files.export(name, self.variables[name])


def begun(files: Files) -> Known:
    """What a script knows as it begins: what scripts before it left."""
    return Known(files, dict(files.exported))
