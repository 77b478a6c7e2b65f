"""Tools of agents that show, write or fetch something: which file, which text, which address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rubric_engine.monitor.agent_log.step import Kind

_SHOWS = re.compile(r"view|read|open_file|^open$|cat_file|show|grep|search_file|find_in_file")
_WRITES = re.compile(r"write|create|save|new_file")
_EDITS = re.compile(r"edit|replace|insert|append|patch")
_FETCHES = re.compile(
    r"fetch|navigate|brows|goto|visit|open_url|url_open|download|scrape|crawl|http|read_url|^open$"
    r"|web_?(?:read|open|page)"
)
_HOSTS = {"github": "github.com", "gitlab": "gitlab.com"}
_TALKS = re.compile(r"create|update|add_|comment|push|merge|delete|close|assign")
_PATHS = frozenset(
    {"absolutepath", "file", "filename", "filepath", "notebookpath", "path", "targetfile"}
)
_TEXTS = frozenset({"content", "contents", "filetext", "newstr", "newstring", "codeedit", "text"})
_ADDRESSES = frozenset({"url", "urls", "uri", "href", "link"})
_COMMANDS = {"view": "view", "create": "create", "insert": "insert", "str_replace": "replace"}
"""What editors are told to do in a key of their own, by the words of the rules above."""

Handled = tuple[Kind, str, str]


def is_tool(name: str) -> bool:
    """Whether a name, in small letters, is that of a tool that is told here."""
    rules = (_SHOWS, _WRITES, _EDITS, _FETCHES)
    return any(rule.search(name) for rule in rules) or any(host in name for host in _HOSTS)


def handled(call: Mapping[str, Any], tool: str) -> Iterator[Handled]:
    """What a call of a tool shows, writes or fetches: the kind, a text, and the path of a file.

    Args:
        call: The arguments of the call, or all that is said of it.
        tool: The tool's name in small letters, or nothing.
    """
    given = {key.lower().replace("_", ""): value for key, value in call.items()}
    asked = _COMMANDS.get(str(call.get("command")), tool)
    path = _first(given, _PATHS)
    text = _first(given, _TEXTS)
    if path and text and (_WRITES.search(asked) or _EDITS.search(asked)):
        yield ("write" if _WRITES.search(asked) else "add"), text, path
    elif path and _SHOWS.search(asked):
        yield "read", path, ""
    if _FETCHES.search(tool):
        for address in _addresses(given):
            yield "fetch", address, ""
    for name, host in _HOSTS.items():
        owner, repository = given.get("owner"), given.get("repo")
        named = isinstance(owner, str) and isinstance(repository, str)
        if name in tool and named and not _TALKS.search(tool):
            yield "fetch", f"https://{host}/{owner}/{repository}", ""


def _first(given: Mapping[str, Any], keys: frozenset[str]) -> str:
    return next(
        (given[key] for key in sorted(keys & given.keys()) if isinstance(given[key], str)), ""
    )


def _addresses(given: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(_ADDRESSES & given.keys()):
        value = given[key]
        yield from (
            one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)
        )
