"""Which files a command, a program or a tool may read, by the words that it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import join, normpath

from rubric_engine.monitor.acts import Act
from rubric_engine.monitor.looked_up.own import target_of
from rubric_engine.monitor.programs import git_arguments
from rubric_engine.monitor.shell import Ran

READERS = frozenset(
    {"ag", "awk", "base64", "bash", "bat", "cat", "cmp", "code", "cp", "csplit", "curl", "dd"}
    | {"diff", "egrep", "emacs", "fgrep", "git", "grep", "gunzip", "head", "hexdump", "jq", "less"}
    | {"mmap", "more", "mutool", "mv", "nano", "nl", "od", "open", "pandoc", "paste", "pdfgrep"}
    | {"pdftotext", "perl", "pr", "pygmentize", "python", "python3", "rg", "rsync", "ruby", "scp"}
    | {"sed", "sh", "sort", "source", "split", "strings", "tac", "tail", "tar", "unzip", "vi"}
    | {"view", "vim", "xxd", "zcat", "zip", "."}
)
"""Programs that show what a file holds, or hand it on."""

_BLIND = frozenset(
    {":", "[", "[[", "basename", "cd", "chmod", "chown", "dirname", "du", "echo", "export", "false"}
    | {"file", "find", "ls", "md5sum", "mkdir", "printf", "pushd", "read", "readlink", "realpath"}
    | {"rm", "rmdir", "sha256sum", "stat", "tee", "test", "touch", "tree", "true", "type", "wc"}
    | {"which", "man"}
)
"""Programs that are given the name of a file and show nothing of what it holds."""

_BLIND_VERBS = frozenset(
    {"add", "branch", "check-ignore", "clean", "commit", "config", "init", "ls-files", "mv", "push"}
    | {"rm", "status", "tag", "update-index"}
)
_BY_PATTERN = frozenset({"ack", "ag", "awk", "egrep", "fgrep", "gawk", "grep", "jq", "rg", "sed"})
"""Programs whose first word is what they look for, and no file."""

_THROUGH = frozenset({"ack", "ag", "rg", "rsync", "tar", "zip"})
_RECURSIVE = re.compile(r"-[a-zA-Z]*[rRa][a-zA-Z]*|--(?:recursive|archive|dereference-recursive)")
_STRING = re.compile(r"[\"']([^\"'\n]{1,300})[\"']")
_LONGEST = 300


def files_named(act: Act, folder: str = "") -> Iterator[str]:
    """The files that an act may read.

    Args:
        act: What was done.
        folder: Where it was done, as far as that is known.
    """
    if act.shown:
        yield act.shown
    elif act.said is not None and "\n" not in act.said.text and len(act.said.text) < _LONGEST:
        yield act.said.text
    elif act.ran is not None and not _is_blind(act.ran):
        for word in _words(act.ran):
            yield normpath(join(folder, word)) if word else word


def read_by(act: Act) -> Iterator[str]:
    """The files that an act reads, by a tool, a string of a program, or a program for that."""
    if act.ran is None or act.ran.program in READERS:
        yield from files_named(act)


def folders_searched(act: Act, folder: str = "") -> Iterator[str]:
    """The folders that a command goes through, with all that lies in them."""
    ran = act.ran
    if ran is None:
        return
    is_deep = any(map(_RECURSIVE.fullmatch, ran.words[1:]))
    if ran.program in _THROUGH or (is_deep and ran.program in ("cp", "egrep", "grep", "scp")):
        words = [word for word in _words(ran) if not word.startswith("-")]
        yield from (normpath(join(folder, word)) for word in words or ["."])


def moved(ran: Ran, folder: str) -> str:
    """The folder that is worked in once a command was run."""
    if ran.program not in ("cd", "pushd"):
        return folder
    to = ran.words[1] if len(ran.words) > 1 else ""
    return "" if not to or to[0] in "-~$" else normpath(join(folder, to))


def _is_blind(ran: Ran) -> bool:
    if ran.program == "git":
        return not _BLIND_VERBS.isdisjoint(git_arguments(ran.words)[:1])
    return ran.program in _BLIND and not ran.reads


def _words(ran: Ran) -> Iterator[str]:
    """The words of a command that may be files, and the strings of a program among them."""
    if ran.reads:
        yield ran.reads
    if ran.program in _BLIND:
        return
    for word in _arguments(ran):
        if len(word) < _LONGEST:
            yield _path(word, ran.program)
        if "'" in word or '"' in word:
            yield from _STRING.findall(word)


def _arguments(ran: Ran) -> Sequence[str]:
    words = ran.words[1:]
    target = target_of(ran)
    if target:
        at = len(words) - 1 - words[::-1].index(target)
        return (*words[:at], *words[at + 1 :])
    if ran.program.startswith("python") and words[:1] == ("-m",) and len(words) > 1:
        return (words[1].replace(".", "/") + ".py", *words[2:])
    if ran.program in _BY_PATTERN and not {"-e", "-f", "--regexp"} & set(words):
        first = next((at for at, word in enumerate(words) if not word.startswith("-")), len(words))
        return (*words[:first], *words[first + 1 :])
    return words


def _path(word: str, program: str) -> str:
    """A word without what stands before a path in it: `if=`, `--file=`, `HEAD:`, `file://`, `@`."""
    if program == "git":
        return word.rpartition(":")[2]
    if "=" in word[:40]:
        word = word.partition("=")[2]
    return word.removeprefix("file://").lstrip("@")
