"""Programs in other languages that a command line gives to their interpreters: what they call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

_FLAGS: Mapping[str, re.Pattern[str]] = {
    "bun": re.compile(r"-[ep]|--eval|--print"),
    "deno": re.compile(r"eval"),
    "julia": re.compile(r"-[eE]|--eval|--print"),
    "node": re.compile(r"-[ep]|-pe|--eval|--print"),
    "nodejs": re.compile(r"-[ep]|-pe|--eval|--print"),
    "perl": re.compile(r"-[a-zA-Z0-9]*[eE]"),
    "php": re.compile(r"-[rBR]"),
    "r": re.compile(r"-e"),
    "rscript": re.compile(r"-e"),
    "ruby": re.compile(r"-[a-zA-Z0-9]*e"),
}
"""Interpreters, each with the options behind which a program stands."""

_CALLS_OUT = re.compile(
    r"\b(?:system|exec\w*|spawn\w*|popen\w*|qx|passthru|shell_exec|proc_open|fetch|axios|got"
    r"|urlopen|urlretrieve|download\w*|clone\w*|getstore|mirror|LWP|URI\.open|Net|curl_\w+"
    r"|https?\.(?:get|request)|HTTP|file_get_contents|fopen|readfile|simplexml_load_file|Pkg"
    r"|install\w*|source(?:_url)?|read\.(?:csv|table)|readLines|url|GET|POST)"
    r"\s*(?=[({'$@!.]|::|->)|`"
)
_LOADS = re.compile(
    r"[\"'](?:node:)?(?:axios|child_process|degit|got|https?|net|node-fetch|open-uri|simple-git"
    r"|undici|net/http)[\"']|-MLWP|-MHTTP|-r(?:open-uri|net/http|open3)"
)
"""What may fetch, or run a shell, in any of the languages; modules that can."""

_STRING = re.compile(r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"|'[^'\\]*+(?:\\.[^'\\]*+)*'", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_][\w.:]*)\s*\(")
_SAYS = frozenset(
    {"abort", "assert", "cat", "console.error", "console.log", "die", "echo", "exit", "if", "len"}
    | {"length", "message", "p", "pp", "print", "printf", "println", "process.exit", "puts", "say"}
    | {"sprintf", "unless", "warn", "while", "process.stdout.write"}
)


def is_interpreter(program: str) -> bool:
    """Whether a program runs what is given to it in a language that is not read here."""
    return program in _FLAGS


def code_given(program: str, words: Sequence[str]) -> str:
    """The program that stands among the words of a command, or nothing.

    >>> code_given("ruby", ("ruby", "-e", "puts 1"))
    'puts 1'
    """
    flag = _FLAGS[program]
    behind = (words[at + 1] for at in range(1, len(words) - 1) if flag.fullmatch(words[at]))
    return "\n".join(behind)


def doing_of(program: str, words: Sequence[str]) -> Literal["fetches", "prints", "unknown"]:
    """What a command that starts an interpreter does with the names among its words."""
    code = code_given(program, words)
    if not code:
        return "unknown"
    bare = _STRING.sub("''", code)
    if _CALLS_OUT.search(bare) or _LOADS.search(" ".join(words)):
        return "fetches"
    return "prints" if _SAYS.issuperset(_CALL.findall(bare)) else "unknown"
