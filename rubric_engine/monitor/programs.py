"""What programs do with a name that they are given: fetch it, print it, or nobody knows."""

from __future__ import annotations

from typing import Literal

from rubric_engine.monitor.shell import Ran

Doing = Literal["fetches", "prints", "unknown"]

_FETCH = frozenset(
    {"aria2c", "axel", "bower", "cargo", "chromium", "conda", "curl", "degit", "dvc", "elinks"}
    | {"firefox", "ftp", "gdown", "gh", "go", "google-chrome", "hg", "hf", "http", "https", "hub"}
    | {"huggingface-cli", "julia", "kaggle", "lftp", "links", "lynx", "mamba", "micromamba", "nix"}
    | {"node", "npm", "npx", "pdm", "pip", "pip3", "pipenv", "pipx", "pnpm", "poetry", "r"}
    | {"repo2docker", "rscript", "rsync", "scp", "sftp", "svn", "uv", "uvx", "vcs", "w3m", "wcurl"}
    | {"wget", "wget2", "xdg-open", "xh", "yarn", "yt-dlp", "perl", "ruby", "php", "deno", "bun"}
)
_PRINT = frozenset(
    {"[", "[[", ":", "ack", "ag", "awk", "base64", "cat", "cd", "chmod", "cp", "cut", "diff"}
    | {"echo", "egrep", "false", "fgrep", "file", "find", "grep", "head", "jq", "less", "ls"}
    | {"mkdir", "more", "mv", "nl", "printf", "read", "rg", "rm", "sed", "sort", "stat", "tail"}
    | {"tee", "test", "touch", "tr", "tree", "true", "uniq", "vi", "vim", "nano", "wc", "yq"}
)
_RUNNERS = frozenset(
    {"ash", "bash", "cmake", "dash", "docker", "eval", "exec", "export", "git", "make", "nohup"}
    | {"sh", "source", "sudo", "time", "timeout", "xargs", "zsh", "apt", "apt-get", "env", "date"}
)
_GIT_FETCH = frozenset({"clone", "fetch", "ls-remote", "pull", "remote", "submodule", "subtree"})
_GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})
_PIP = frozenset({"add", "download", "install", "lock", "run", "sync", "tool", "wheel"})
_BARE = frozenset({"degit", "gh", "hub", "r", "rscript", "julia"})


def doing(ran: Ran) -> Doing:
    """What a command does with the names among its words."""
    program = ran.program.lower()
    if program == "git":
        return _git(ran.words)
    if program.startswith(("pip", "python")):
        return "fetches" if _PIP.intersection(ran.words) else "unknown"
    if program in _FETCH:
        return "fetches"
    return "prints" if program in _PRINT else "unknown"


def takes_bare(ran: Ran) -> bool:
    """Whether `owner/name` alone names a repository of GitHub to this command."""
    program = ran.program.lower()
    return program in _BARE or (program == "git" and _git(ran.words) == "fetches")


def is_known(word: str) -> bool:
    """Whether a word is the name of a program that is known here, or the path of one."""
    name = word.lower()
    known = name in _FETCH or name in _PRINT or name in _RUNNERS or "/" in name
    return known or name.startswith(("python", "pip"))


def git_arguments(words: tuple[str, ...]) -> tuple[str, ...]:
    """What `git` is asked to do: its words without the options that stand before that.

    >>> git_arguments(("git", "-C", "x", "--no-pager", "log", "-p"))
    ('log', '-p')
    """
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GIT_VALUED else 1
    return words[at:]


def _git(words: tuple[str, ...]) -> Doing:
    asked = git_arguments(words)
    if not asked:
        return "prints"
    if asked[0] in _GIT_FETCH:
        return "fetches"
    if asked[0] == "archive" and any(word.startswith("--remote") for word in asked):
        return "fetches"
    return "unknown" if asked[0] in ("config", "lfs") else "prints"
