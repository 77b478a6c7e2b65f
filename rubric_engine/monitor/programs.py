"""What programs do with a name that they are given: fetch it, print it, or nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from rubric_engine.monitor.interpreters import doing_of, is_interpreter
from rubric_engine.monitor.shell import Ran

Doing = Literal["fetches", "prints", "unknown"]

_FETCH = frozenset(
    {"aria2c", "axel", "chromium", "curl", "degit", "dvc", "elinks", "firefox", "ftp", "gdown"}
    | {"giget", "google-chrome", "hf", "http", "https", "huggingface-cli", "kaggle", "lftp"}
    | {"links", "lynx", "nix", "npx", "pnpx", "bunx", "pipx", "repo2docker", "rsync", "scp"}
    | {"sftp", "svn", "tiged", "uvx", "vcs", "w3m", "wcurl", "wget", "wget2", "xdg-open", "xh"}
    | {"yt-dlp", "lwp-download", "hg"}
)
_PACKAGES = frozenset({"add", "ci", "create", "dlx", "exec", "i", "init", "install", "up", "x"})
_VERBS: Mapping[str, frozenset[str]] = {
    "bower": _PACKAGES,
    "bun": _PACKAGES,
    "cargo": frozenset({"add", "binstall", "install"}),
    "conda": frozenset({"create", "env", "install", "update"}),
    "deno": frozenset({"add", "cache", "compile", "install", "run"}),
    "go": frozenset({"get", "install", "mod", "run"}),
    "mamba": frozenset({"create", "env", "install", "update"}),
    "micromamba": frozenset({"create", "env", "install", "update"}),
    "npm": _PACKAGES,
    "pdm": frozenset({"add", "install", "lock", "sync", "update"}),
    "pipenv": frozenset({"install", "lock", "sync", "update"}),
    "pnpm": _PACKAGES,
    "poetry": frozenset({"add", "install", "lock", "update"}),
    "uv": frozenset({"add", "lock", "pip", "sync", "tool"}),
    "yarn": _PACKAGES,
}
"""Programs that fetch where one of these is the first of their words that is no option."""

_TALK_OF_GH = re.compile(
    r"(?:issue|label|project|ruleset|secret|ssh-key|variable|workflow|gpg-key|cache|alias|auth"
    r"|config|status|completion)\b.*"
    r"|\w+ (?:archive|close|comment|create|delete|edit|list|lock|merge|ready|rename|reopen|review"
    r"|set-default|status|unlock|upload)"
)
"""What is asked of `gh` that fetches nothing of a repository that is named there."""

_PRINT = frozenset(
    {"[", "[[", ":", "ack", "ag", "apropos", "awk", "base64", "cat", "cd", "chmod", "cp", "cut"}
    | {"diff", "echo", "egrep", "false", "fgrep", "file", "find", "gawk", "grep", "head", "jq"}
    | {"less", "ls", "man", "mawk", "mkdir", "more", "mv", "nl", "printf", "pytest", "read", "rg"}
    | {"rm", "sed", "sort", "stat", "tail", "tee", "test", "tldr", "touch", "tr", "tree", "true"}
    | {"uniq", "vi", "vim", "nano", "wc", "whatis", "which", "yq"}
)
_RUNNERS = frozenset(
    {"ash", "bash", "cmake", "dash", "docker", "eval", "exec", "export", "gh", "git", "hub", "make"}
    | {"nohup", "sh", "source", "sudo", "time", "timeout", "xargs", "zsh", "apt", "apt-get"}
    | {"env", "date"}
)
_GIT_FETCH = frozenset({"clone", "fetch", "ls-remote", "pull", "remote", "submodule", "subtree"})
_GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_PIP = frozenset({"add", "download", "install", "lock", "run", "sync", "tool", "wheel"})
_BARE = frozenset({"degit", "giget", "tiged", "gh", "hub", "r", "rscript", "julia"})
_BY_NAME = frozenset({"bun", "bunx", "npm", "npx", "pnpm", "pnpx", "yarn"})
"""Programs to which a word that is `owner/name`, and nothing else, is a repository of GitHub."""

_ADDRESS = re.compile(r"[a-z+]{2,9}://")
_SENT: Mapping[str, re.Pattern[str]] = {
    "curl": re.compile(
        r"-[dFHAeu]|--(?:data(?:-\w+)?|json|form(?:-string)?|header|user-agent|user)"
    ),
    "gh": re.compile(r"-[bFHnt]|--(?:body|header|message|notes|raw-field|title)"),
    "wget": re.compile(r"--(?:body-data|header|post-data|user-agent)"),
}
"""Options of programs that fetch whose values are sent or told, and not fetched."""


def doing(ran: Ran) -> Doing:
    """What a command does with the names among its words."""
    program = ran.program.lower()
    if program == "git":
        return _git(ran.words)
    if _ADDRESS.match(ran.words[0]):
        return "prints"  # a list that is run as a script: none of its lines is a program
    if program.startswith(("pip", "python")):
        return "fetches" if _PIP.intersection(ran.words) else "unknown"
    if program in ("gh", "hub"):
        asked = " ".join(word for word in ran.words[1:] if not word.startswith("-"))
        return "prints" if _TALK_OF_GH.match(asked) else "fetches"
    if program in _VERBS and not _VERBS[program].isdisjoint(_first(ran.words)):
        return "fetches"
    if program == "uv" and any(word.startswith("--with") for word in ran.words):
        return "fetches"
    if is_interpreter(program):
        return doing_of(program, ran.words)
    if program in _FETCH:
        return "fetches"
    return "prints" if program in _PRINT else "unknown"


def takes_bare(ran: Ran, name: str) -> bool:
    """Whether `owner/name` alone names a repository of GitHub to this command.

    Args:
        ran: The command, one that fetches.
        name: The name in small letters.
    """
    program = ran.program.lower()
    if program in _BY_NAME:
        alone = (word.lower().partition("#")[0] == name for word in ran.words)
        return any(alone) or not _BARE.isdisjoint(ran.words)
    return program in _BARE or (program == "git" and _git(ran.words) == "fetches")


def told_apart(ran: Ran) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a command that fetches, and those of them that it only sends or tells."""
    option, words = _SENT.get(ran.program.lower()), ran.words
    if option is None:
        return words, ()
    sent = {
        at + (option.fullmatch(word) is not None)
        for at, word in enumerate(words)
        if option.fullmatch(word.partition("=")[0])
    }
    aimed = tuple(word for at, word in enumerate(words) if at not in sent)
    return aimed, tuple(word for at, word in enumerate(words) if at in sent)


def is_known(word: str) -> bool:
    """Whether a word is the name of a program that is known here, or the path of one."""
    name = word.lower()
    known = any(name in each for each in (_FETCH, _PRINT, _RUNNERS, _VERBS)) or "/" in name
    return known or is_interpreter(name) or name.startswith(("python", "pip"))


def git_arguments(words: tuple[str, ...]) -> tuple[str, ...]:
    """What `git` is asked to do: its words without the options that stand before that.

    >>> git_arguments(("git", "-C", "x", "--no-pager", "log", "-p"))
    ('log', '-p')
    """
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GIT_VALUED else 1
    return words[at:]


def _first(words: tuple[str, ...]) -> Iterator[str]:
    """The first word behind the program that is no option, and the value of one before it."""
    for word in words[1:]:
        yield word
        if not word.startswith("-"):
            return


def _git(words: tuple[str, ...]) -> Doing:
    asked = git_arguments(words)
    if not asked:
        return "prints"
    if asked[0] in _GIT_FETCH:
        return "fetches"
    if asked[0] == "archive" and any(word.startswith("--remote") for word in asked):
        return "fetches"
    return "unknown" if asked[0] in ("config", "lfs") else "prints"
