"""Commands in JSON: tool calls as chat models make them, and events of agents.

Known: `tool_calls` with `function.arguments` as text or object (OpenAI, mini-swe-agent), Inspect's
`function` and `arguments`, `tool_use` with `input` (Anthropic), `function_call`, `local_shell_call`
and `exec_command_begin` (Codex), `action: run` with `args` (OpenHands), `action` and `observation`
beside each other (SWE-agent), `extra.actions` (mini-swe-agent), `functionCall` (Gemini),
`tool_calls` with `function_name` (ATIF).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rubric_engine.monitor.agent_log.step import Kind
from rubric_engine.monitor.agent_log.tools import handled, is_tool


class Found(NamedTuple):
    """A command, a file or an address in a call of a tool; see `Step`."""

    kind: Kind
    code: str
    path: str = ""


_COMMAND = frozenset(
    {"bash", "bash_command", "cmd", "command", "command_line", "commands", "keystrokes"}
    | {"shell_command", "shell"}
)
_CODE = frozenset({"code", "python_code", "script", "source_code"})
_ARGUMENTS = ("arguments", "args", "input", "parameters", "tool_input", "kwargs", "params")
_NAMES = ("name", "function", "function_name", "tool", "tool_name", "toolName", "action", "type")
_RUNS = re.compile(
    r"bash|shell|exec|terminal|command|cmd|python|ipython|jupyter|interpreter|notebook|^run|code_ex"
    r"|sandbox|\brepl\b"
)
_PYTHON = re.compile(r"python|jupyter|interpreter|notebook|\brepl\b|code")
_NO_RUN = re.compile(
    r"edit|view|write|create|replace|think|finish|submit|message|patch|search|read"
)
_ANSWERS = frozenset(
    {"extras", "observation", "observations", "output", "outputs", "result", "results", "response"}
    | {"tools", "schema", "tool_result", "state", "stdout", "stderr", "store", "tool_use_result"}
)
_OTHERS = frozenset({"system", "tool", "user", "developer"})


def steps_in(value: Any) -> Iterator[Found]:
    """All commands of a JSON value, in their order."""
    waiting: list[tuple[Any, str]] = [(value, "")]
    while waiting:
        one, tool = waiting.pop()
        if isinstance(one, list):
            waiting.extend((each, tool) for each in reversed(one))
        elif isinstance(one, dict):
            inner = _tool(one) or tool
            if _answers(one):
                continue
            yield from (Found(*each) for each in handled(one, inner))
            yield from _commands(one, inner)
            kept = [(each, inner) for key, each in one.items() if _goes_in(key, each)]
            waiting.extend(reversed(kept))
            waiting.extend((each, inner) for each in reversed(_parsed(one)))


def said_in(value: Any) -> Iterator[str]:
    """All texts that the model wrote, of the messages in a JSON value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            if one.get("role") in ("assistant", "ai", "model") and not one.get("tool_calls"):
                yield from _texts(one.get("content"))
            else:
                waiting.extend(v for v in reversed(one.values()) if isinstance(v, (dict, list)))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]


def _tool(one: dict[str, Any]) -> str:
    for key in _NAMES:
        named = one.get(key)
        low = named.lower() if isinstance(named, str) else ""
        if low and (_RUNS.search(low) or _NO_RUN.search(low) or is_tool(low)):
            return low
    return ""


def _answers(one: dict[str, Any]) -> bool:
    """Whether it is what a tool answered, or what a person said."""
    kind, role = one.get("type"), one.get("role")
    told = isinstance(kind, str) and ("result" in kind or "output" in kind or kind.endswith("_end"))
    return (
        told
        or (isinstance(role, str) and role in _OTHERS)
        or (isinstance(one.get("observation"), str) and "action" not in one)
    )


def _goes_in(key: str, value: Any) -> bool:
    return isinstance(value, (dict, list)) and key not in _ANSWERS and key not in _COMMAND


def _parsed(one: dict[str, Any]) -> list[Any]:
    """Arguments that stand as JSON in a string."""
    texts = [one.get(key) for key in _ARGUMENTS]
    return [read for text in texts if isinstance(text, str) and (read := _json(text)) is not None]


def _commands(one: dict[str, Any], tool: str) -> Iterator[Found]:
    refused = bool(_NO_RUN.search(tool)) and not _RUNS.search(tool)
    for key in sorted(_COMMAND & one.keys()):
        code = _line(one[key])
        if code and not refused:
            yield Found("shell", code)
    for key in sorted(_CODE & one.keys()):
        code = _line(one[key])
        if code and _RUNS.search(tool):
            is_python = _PYTHON.search(tool) or key == "python_code"
            yield Found("python" if is_python else "shell", code)
    for key in _ARGUMENTS:
        text = one.get(key)
        if isinstance(text, str) and _RUNS.search(tool) and _json(text) is None:
            yield Found("python" if _PYTHON.search(tool) else "shell", text)
    action = one.get("action")
    if isinstance(action, str) and "observation" in one:
        yield Found("shell", action)


def _line(value: Any) -> str:
    """A command given as text or as a list of words."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        if len(value) >= 3 and value[1].startswith("-") and value[1].endswith("c"):
            return str(value[2])
        return " ".join(value)
    return ""


def _json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
