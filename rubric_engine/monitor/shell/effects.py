"""What commands do to files that are known: write, append, copy, move; nothing is run."""

from __future__ import annotations

import re

from rubric_engine.monitor.shell.command import Command
from rubric_engine.monitor.shell.files import Files
from rubric_engine.monitor.shell.printing import program_of

_LIST = re.compile(r"blacklist[\w.-]*\.txt$")
"""The list itself stands for what it holds, also where nobody saw that."""

_COPIES = frozenset({"cp", "install", "link", "ln", "mv", "rsync"})


def take_effect(command: Command, output: str, files: Files) -> None:
    """Keep what a command leaves in files.

    Args:
        command: The command, without what is wrapped around it.
        output: What it prints.
        files: The files that are known.
    """
    writes, appends = _teed(command)
    if output:
        whole = output if _ends_open(command) else output.rstrip("\n") + "\n"
        for path in (*command.writes, *writes):
            files.write(path, whole)
        for path in (*command.appends, *appends):
            files.write(path, whole, more=True)
    if command.words and program_of(command.words[0]) in _COPIES:
        _copy(command.words[1:], files)


def _ends_open(command: Command) -> bool:
    """Whether no line is ended behind what is printed."""
    words = command.words
    return words[:1] == ("printf",) or (
        words[:1] == ("echo",) and words[1:2] in (("-n",), ("-ne",), ("-en",))
    )


def _teed(command: Command) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if command.words[:1] != ("tee",):
        return (), ()
    paths = tuple(word for word in command.words[1:] if not word.startswith("-"))
    return ((), paths) if {"-a", "--append"} & set(command.words) else (paths, ())


def _copy(words: tuple[str, ...], files: Files) -> None:
    *sources, target = [word for word in words if not word.startswith("-")] or [""]
    for source in sources:
        text = files.among((source,)) or (source if _LIST.search(source) else "")
        if text and source != target:
            files.write(target, text)
            files.write(f"{target}/{source.rpartition('/')[2]}", text)
