"""Commands in logs for people: shell prompts, traces, announcements, tags and fenced blocks.

Known: `$ ` and `user@host:~# ` prompts, `+ ` of `set -x`, `>>> ` and `In [1]: `; `Executing: ...`,
`Running command: ...` (also above a fenced block); `ACTION:`, `COMMAND:` and `CODE:` (OpenHands,
SWE-agent); `Bash(...)` after a dot and `Ran ...` (terminals of coding agents); `exec bash -lc`
(Codex); `<execute_bash>`, `<parameter=command>` and their like; blocks of a step that announces
itself as the agent's (mini-swe-agent).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from rubric_engine.monitor.agent_log.shown import Showing
from rubric_engine.monitor.agent_log.step import Step
from rubric_engine.monitor.programs import is_known

_STAMP = r"(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]{5,15}Z?\]?[ \t]{1,4}(?:[A-Z]{4,8}[ \t]{1,4})?)?"
_PROMPT = re.compile(
    _STAMP + r"(?:\([\w.-]{1,40}\)[ ]?)?(?:"
    r"(?:[\w.-]{1,60}@[\w.-]{1,60}:?[^\s$#]{0,200}[ ]?|(?:ba|z)?sh-[\d.]{1,8}"
    r"|[~/][^\s$#]{0,200})[$#]"
    r"|\$|%)[ ]{1,3}(?=\S)"
)
_TRACE = re.compile(r"\+{1,8} (?=[A-Za-z./~\[])")
_PYTHON = re.compile(r"(?:>>>|In \[\d{1,6}\]:) (?=\S)")
_ANNOUNCED = re.compile(
    _STAMP + r"[^\w\n]{0,8}(?:executing|running|run|ran|execute|exec)\b"
    r"(?:[ ](?:the|this|following|bash|shell|python|command|commands|cmd|code|script|tool|call|in"
    r"|terminal|block)\b){0,5}[ ]{0,2}:[ \t]{0,4}",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[^\w\n]{0,6}(?:ACTION|COMMAND|CODE|Action|Command|Bash command)\s{0,2}:\s{0,4}"
)
_CALL = re.compile(r"[ \t]{0,8}[\u25cf\u23fa\u2022*][ ](?:Bash|Shell|Ran|Execute)[( ]")
_CODEX = re.compile(_STAMP + r"exec[ ](?=(?:/\S{0,30})?(?:bash|sh|zsh)[ ]-l?c[ ])")
_AIDER = re.compile(r"(?:> )?(?:Running|/run) (?=[a-z./~])")
_FENCE = re.compile(r"[ \t]{0,8}(?:```|~~~)[ ]?([\w-]*)")
_SHELLS = frozenset({"bash", "console", "mswea_bash_command", "sh", "shell", "zsh"})
_OWN = re.compile(
    r"[^\w\n]{0,8}(?:mini-swe-agent \(step|assistant\b|\[?agent\]?:|THOUGHT\b|🤖)", re.IGNORECASE
)
_OTHER = re.compile(
    r"[^\w\n]{0,8}(?:user\b|system\b|observation\b|tool (?:result|output)|<returncode>|<output>"
    r"|instructions?:)",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"<(?:execute_bash|bash|execute_ipython|run_command|command"
    r"|parameter(?:=|[ ]name=\")(?:command|cmd|code)\"?)>"
)
_TAG_END = re.compile(r"</(?:execute_bash|bash|execute_ipython|run_command|command|parameter)>")
_COLOURS = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B])")
"""What makes a terminal colour a text, or name its window."""

_MOST_LINES = 400


def steps_of_prose(lines: Sequence[str], first: int = 1) -> Iterator[Step]:
    """The commands in lines of a log.

    Args:
        lines: The lines, without their ends.
        first: Number of the first one.
    """
    plain = [_COLOURS.sub("", line) if "\x1b" in line else line for line in lines]
    reader = _Reader(plain, first)
    while reader.at < len(lines):
        yield from reader.next()


def _kind(python: bool) -> Literal["shell", "python"]:
    return "python" if python else "shell"


class _Reader:
    def __init__(self, lines: Sequence[str], first: int) -> None:
        self._lines = lines
        self._first = first
        self.at = 0
        self._own = False  # whether the agent speaks
        self._announced = False
        self._diff = False
        self._showing = Showing()

    def next(self) -> Iterator[Step]:
        """Read one line, and those that belong to it."""
        line, number = self._lines[self.at], self._first + self.at
        self.at += 1
        if not line.strip():
            return
        self._turn(line)
        fence = _FENCE.match(line)
        if fence:
            yield from self._fenced(fence[1].lower(), number)
            return
        tag = _TAGS.search(line)
        if tag and not self._is_others():
            yield self._tagged(tag, number)
            return
        announced, self._announced = self._announced, False
        step = self._said(line, number)
        if step is not None:
            yield self._showing.weighed(step, line)
        elif announced and line[:1] in " \t":  # the script stands indented below
            self._announced = True
            yield Step("shell", line.strip(), number, "announced")

    def _turn(self, line: str) -> None:
        if _OWN.match(line):
            self._own = True
        elif _OTHER.match(line):
            self._own = False
        if line.startswith(("diff --git ", "@@ ")):
            self._diff = True
        elif not line.startswith(("+", "-", " ", "@@", "index ", "\\")):
            self._diff = False

    def _is_others(self) -> bool:
        return not self._own and not self._announced and self.at > 1 and self._spoken_of()

    def _spoken_of(self) -> bool:
        """Whether somebody else speaks: above stands a turn that is not the agent's."""
        above = self._lines[max(0, self.at - 40) : self.at - 1]
        return any(_OTHER.match(line) for line in above)

    def _said(self, line: str, number: int) -> Step | None:
        prompt = _PROMPT.match(line)
        if prompt:
            return Step("shell", self._continued(line[prompt.end() :]), number, "prompt")
        trace = None if self._diff else _TRACE.match(line)
        if trace and is_known(line[trace.end() :].split(None, 1)[0]):
            return Step("shell", line[trace.end() :], number, "set -x")
        python = _PYTHON.match(line)
        if python:
            return Step("python", self._cell(line[python.end() :]), number, "python prompt")
        for pattern, form in ((_CODEX, "codex"), (_CALL, "call"), (_AIDER, "running")):
            match = pattern.match(line)
            if match:
                return Step("shell", line[match.end() :].removesuffix(")"), number, form)
        for pattern, form in ((_ANNOUNCED, "announced"), (_LABEL, "label")):
            match = pattern.match(line)
            if match:
                return self._after_colon(line[match.end() :].strip(), number, form)
        return None

    def _after_colon(self, rest: str, number: int, form: str) -> Step | None:
        if rest and not rest.startswith("```"):
            kind = _kind(rest.startswith(("import ", "from ")))
            return Step(kind, self._continued(rest), number, form)
        following = self._lines[self.at] if self.at < len(self._lines) else ""
        if form == "label" and following.strip() and not _FENCE.match(following):
            return Step("shell", self._paragraph(), number + 1, form)
        self._announced = True
        return None

    def _continued(self, code: str) -> str:
        """A command with the lines that continue it: after a backslash, or of a here-document."""
        parts = [code]
        heredoc = re.search(r"<<-?\s*['\"\\]?(\w+)", code)
        while self.at < len(self._lines) and len(parts) < _MOST_LINES:
            line = self._lines[self.at].removeprefix("> ")
            if not (heredoc or parts[-1].endswith("\\")):
                break
            parts.append(line)
            self.at += 1
            if heredoc and line.strip() == heredoc[1]:
                break
        return "\n".join(parts)

    def _cell(self, code: str) -> str:
        parts = [code]
        while self.at < len(self._lines) and len(parts) < _MOST_LINES:
            line = self._lines[self.at]
            if not line.startswith(("...", "   ...")):
                break
            parts.append(line.lstrip(" ").removeprefix("...").removeprefix(":").removeprefix(" "))
            self.at += 1
        return "\n".join(parts)

    def _paragraph(self) -> str:
        start = self.at
        while self.at < len(self._lines) and self._lines[self.at].strip():
            if _OTHER.match(self._lines[self.at]) or self.at - start > _MOST_LINES:
                break
            self.at += 1
        return "\n".join(self._lines[start : self.at])

    def _fenced(self, language: str, number: int) -> Iterator[Step]:
        start = self.at
        while self.at < len(self._lines) and not _FENCE.match(self._lines[self.at]):
            self.at += 1
        code = "\n".join(self._lines[start : self.at])
        self.at += 1
        run = self._announced or (self._own and language in _SHELLS)
        self._announced = False
        if run and code.strip():
            kind = _kind(language.startswith(("py", "ipython")))
            yield Step(kind, code, number + 1, "fenced")

    def _tagged(self, tag: re.Match[str], number: int) -> Step:
        kind = _kind("ipython" in tag[0] or "code" in tag[0])
        rest = tag.string[tag.end() :]
        parts = [rest]
        while not _TAG_END.search(parts[-1]) and self.at < len(self._lines):
            if len(parts) > _MOST_LINES:
                break
            parts.append(self._lines[self.at])
            self.at += 1
        code = _TAG_END.split("\n".join(parts), maxsplit=1)[0]
        return Step(kind, code.strip("\n"), number if rest.strip() else number + 1, "tag")
