"""What a blacklist names: repositories, whole hosts, papers of arXiv."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

_DRESSED = re.compile(r"^(?:[-*+]\s+|\d+[.)]\s+)?[<(\"'`]*(.*?)[>)\"'`,;]*$")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_PAPER = re.compile(
    r"(?:(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf|html|src|e-print)/|arxiv:\s*)?"
    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?/?",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^(?:git\+)?[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SCP = re.compile(r"^[\w.-]+@([\w.-]+):(?!\d+/)(.+)$")
_HOST = re.compile(r"^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$")
_NAME = re.compile(r"^[\w.-]+$")

GITHUB = "github.com"

_PREFIXES = {"api.github.com": ("repos",), "huggingface.co": ("datasets", "spaces", "models")}


@dataclass(frozen=True)
class Reference:
    """One thing that must not be used.

    Attributes:
        kind: A repository (or all of an owner's), a whole host, or a paper.
        host: Where a repository lies, or the host itself; lower case.
        path: `owner/name` of a repository, the id of a paper, or nothing; lower case.
        written: As the blacklist has it.
    """

    kind: Literal["repository", "host", "paper"]
    host: str
    path: str
    written: str

    @cached_property
    def letters(self) -> frozenset[str]:
        """The signs that a text must have to name it, but for `/`, which joining may put in."""
        return frozenset(self.path or self.host) - {"/"}


def parse_blacklist(lines: Iterable[str]) -> tuple[Reference, ...]:
    """Read a blacklist, tolerantly.

    Args:
        lines: A reference each: a URL of any form, `owner/name`, a host, a paper of arXiv. Blank
            lines, comments and the word `none`, on whichever line, name nothing.
    """
    read = (_reference(word) for line in lines for word in _words(line))
    once = {(one.kind, one.host, one.path): one for one in read if one is not None}
    return tuple(once.values())


def unread(lines: Iterable[str]) -> tuple[str, ...]:
    """The words of a blacklist that are no reference."""
    return tuple(word for line in lines for word in _words(line) if _reference(word) is None)


def _words(line: str) -> list[str]:
    line = line.lstrip("\ufeff")
    if line.lstrip().startswith(("#", "//", ";")):
        return []
    line = _LINK.sub(r"\1", re.split(r"\s#", line)[0].strip())
    dressed = _DRESSED.match(line)
    plain = (dressed[1] if dressed else line).strip()
    if plain.lower().rstrip(".") in ("none", "n/a", ""):
        return []
    return [plain] if _PAPER.fullmatch(plain) else re.split(r"[\s,]+", plain)


def _reference(word: str) -> Reference | None:
    paper = _PAPER.fullmatch(word)
    if paper:
        return Reference("paper", "arxiv.org", paper[1].lower(), word)
    host, path = _split(word)
    if host is None or not all(_NAME.match(part) for part in path):
        return None
    if not path:
        return Reference("host", host, "", word)
    return Reference("repository", host, "/".join(path).lower(), word)


def _split(word: str) -> tuple[str | None, list[str]]:
    """Host and the parts of the path that name a repository."""
    plain = re.split(r"[?#]", word)[0]
    scp = _SCP.match(plain)
    if scp and "://" not in plain:
        plain = f"{scp[1]}/{scp[2]}"
    bare = _SCHEME.sub("", plain)
    bare = bare.rpartition("@")[2] if "@" in bare.split("/")[0] else bare
    first, *rest = [part for part in bare.split("/") if part] or [""]
    host = first.split(":")[0].lower().removeprefix("www.")
    if _HOST.match(host) and (bare != plain or "/" not in bare.strip("/") or _is_host(host)):
        return _own_host(host), _named(host, rest)
    if len(rest) == 1:  # owner/name
        return GITHUB, [first, rest[0].removesuffix(".git")]
    return None, []


def _is_host(name: str) -> bool:
    # `my.name/repo` is an owner with a dot; these are no owners.
    return name.rpartition(".")[2] in ("ai", "cn", "co", "com", "dev", "edu", "io", "net", "org")


def _own_host(host: str) -> str:
    return GITHUB if host.endswith(("github.com", "githubusercontent.com")) else host


def _named(host: str, parts: list[str]) -> list[str]:
    if parts and parts[0] in _PREFIXES.get(host, ()):
        parts = parts[1:]
    if "-" in parts:  # GitLab: all before it is the project
        parts = parts[: parts.index("-")]
    elif not host.startswith("gitlab"):
        parts = parts[:2]
    cut = next((n for n, part in enumerate(parts) if n > 1 and part in ("tree", "blob")), None)
    return [part.split("@")[0].removesuffix(".git") for part in parts[:cut]]
