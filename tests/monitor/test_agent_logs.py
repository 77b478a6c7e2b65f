"""The commands of an agent's log, in the forms that agents write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_engine.monitor.agent_log import told
from tests.monitor.watching import call

FENCED = "I list it.\n\n```bash\nls -l\n```\n"
ARGUMENTS = json.dumps({"command": "ls -l"})


def line(value: Any) -> str:
    return json.dumps(value) + "\n"


JSON_LOGS: dict[str, Any] = {
    "openai": {
        "messages": [
            {"role": "user", "content": FENCED.replace("ls", "not-run")},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"function": {"name": "bash", "arguments": ARGUMENTS}}],
            },
            {"role": "tool", "content": '{"command": "not-run"}'},
        ]
    },
    "anthropic": {
        "message": {
            "role": "assistant",
            "content": [{"type": "tool_use", "name": "Bash", "input": {"command": "ls -l"}}],
        }
    },
    "inspect": {
        "samples": [
            {"messages": [{"tool_calls": [{"function": "bash", "arguments": {"cmd": "ls -l"}}]}]}
        ]
    },
    "codex": {
        "payload": {
            "type": "function_call",
            "name": "shell",
            "arguments": json.dumps({"command": ["bash", "-lc", "ls -l"]}),
        }
    },
    "codex events": {"msg": {"type": "exec_command_begin", "command": ["bash", "-lc", "ls -l"]}},
    "openhands": [
        {"action": "run", "args": {"command": "ls -l"}},
        {"observation": "run", "content": "x", "extras": {"command": "ls -l"}},
        {"action": "write", "args": {"path": "a.py", "content": "not-run"}},
    ],
    "swe-agent": {"trajectory": [{"action": "ls -l", "observation": "x", "thought": "y"}]},
    "mini-swe-agent": {
        "messages": [
            {"role": "system", "content": FENCED.replace("ls", "not-run")},
            {"role": "assistant", "content": FENCED},
        ]
    },
    "mini-swe-agent, actions": {
        "messages": [
            {"role": "assistant", "content": "x", "extra": {"actions": [{"command": "ls -l"}]}}
        ]
    },
    "gemini": {"functionCall": {"name": "run_shell_command", "args": {"command": "ls -l"}}},
    "atif": {
        "steps": [{"tool_calls": [{"function_name": "bash", "arguments": {"keystrokes": "ls -l"}}]}]
    },
}

TEXT_LOGS = {
    "prompt": "$ ls -l\ntotal 0\n",
    "user at host": "(base) root@7f3a:/work# ls -l\n",
    "time and prompt": "2031-01-02 03:04:05,678 INFO $ ls -l\n",
    "trace": "+ ls -l\ntotal 0\n",
    "announced": "Executing: ls -l\n",
    "running": "[2031-01-02 03:04:05] Running bash command: ls -l\n",
    "fenced": "Executing:\n```bash\nls -l\n```\n",
    "openhands": "**CmdRunAction (source=EventSource.AGENT)**\nCOMMAND:\nls -l\n\nOBSERVATION: x\n",
    "swe-agent": "ACTION: ls -l\nOBSERVATION: x\n",
    "terminal of a coding agent": "\u25cf Bash(ls -l)\n  total 0\n",
    "tags": "<function=execute_bash>\n<parameter=command>\nls -l\n</parameter>\n</function>\n",
    "one tag": "<execute_bash>ls -l</execute_bash>\n",
    "aider": "> Running ls -l\n",
    "mini-swe-agent": "User:\n```bash\nnot-run\n```\nmini-swe-agent (step 1, $0.01):\n" + FENCED
    + "<output>\n```bash\nnot-run\n```\n</output>\n",
    "json a line, with a time": "03:04:05 INFO " + line({"name": "bash", "arguments": ARGUMENTS}),
}  # fmt: skip

NOTHING = [
    "The blacklist names https://github.com/a/b; I leave it alone.\n",
    "# Heading\n\n- a list\n+ Another list\n",
    "user:\n```bash\nnot-run\n```\n",
    "diff --git a/x b/x\n@@ -1 +1 @@\n-old line\n+ new line\n",
    line({"name": "write_file", "input": {"path": "a.sh", "content": "not-run"}}),
    line({"tools": [{"name": "bash", "parameters": {"command": {"type": "string"}}}]}),
    "{" * 500 + "\n",
    '{"command": \n',
]


@pytest.mark.parametrize("name", JSON_LOGS)
@pytest.mark.parametrize("indent", [None, 2])
def test_tool_calls_in_json(name: str, indent: int | None) -> None:
    steps = told(json.dumps(JSON_LOGS[name], indent=indent)).steps
    ran = [(step.kind, step.code) for step in steps if step.kind != "write"]
    assert ran == [("shell", "ls -l")]


@pytest.mark.parametrize("name", TEXT_LOGS)
def test_commands_in_text(name: str) -> None:
    steps = told("starting\n\n" + TEXT_LOGS[name]).steps
    assert [step.code.strip() for step in steps] == ["ls -l"]


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_no_command(text: str) -> None:
    assert not [step for step in told(text).steps if step.kind not in ("read", "write")]
    assert told(text).forms == () or "json" in told(text).forms


def test_a_document_tells_the_line_of_a_command() -> None:
    log = json.dumps(JSON_LOGS["anthropic"], indent=1)
    [step] = told(log).steps
    assert "ls -l" in log.split("\n")[step.line - 1]


def test_python_and_files_that_are_shown() -> None:
    log = (
        line({"name": "python", "input": {"code": "print(1)"}})
        + line({"name": "str_replace_editor", "input": {"command": "view", "path": "/w/a.py"}})
        + ">>> import os\n... os.getcwd()\n"
        + "In [3]: x = 1\n"
    )
    steps = [(step.kind, step.code, step.line) for step in told(log).steps]
    assert ("python", "print(1)", 1) in steps
    assert ("read", "/w/a.py", 2) in steps
    assert ("python", "import os\nos.getcwd()", 3) in steps
    assert ("python", "x = 1", 5) in steps


def test_a_command_goes_on_over_lines() -> None:
    log = "$ git clone \\\n>   x\nCloning\n$ cat > a <<END\n> one\n> END\n"
    assert [step.code for step in told(log).steps] == [
        "git clone \\\n  x",
        "cat > a <<END\none\nEND",
    ]


def test_lines_count_on_over_long_logs() -> None:
    log = "a line of output\n" * 50_000 + "$ ls -l\n"
    [step] = told(log).steps
    assert step.line == 50_001


PIECES = st.sampled_from(
    ["$ ", "+ ", "```bash\n", "```\n", "{", '"args"', ":", "}", "\n", "ls", "<bash>", "COMMAND:"]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_log_can_be_read(log: str) -> None:
    count = log.count("\n") + 1
    assert all(1 <= step.line <= count + 1 for step in told(log).steps)


SHOWN = [
    ("$ cat README.md\n# Install\n$ ls -l\n$ pwd\n", [False, True, True]),
    ("$ cat log\n+ ls -l\n", [False, True]),
    ("$ cd a && head -n 50 b.md\nas in:\n>>> import os\n", [False, True]),
    ("a@b:/w# cat README.md\nso:\n$ ls -l\na@b:/w# ls\n", [False, True, False]),
    ("$ make all\ndone\n$ ls -l\n", [False, False]),
    ("$ cat a\n$ ls -l\n", [False, False]),
    ("$ cat a\n" + "a line\n" * 250 + "$ ls -l\n", [False, False]),
    ("Executing: cat README.md\nx\nExecuting: ls -l\n", [False, False]),
    (call("cat README.md") + call("ls -l"), [False, False]),
]


@pytest.mark.parametrize(("log", "doubtful"), SHOWN)
def test_what_may_be_a_line_of_a_text_that_was_shown(log: str, doubtful: list[bool]) -> None:
    assert [step.is_doubtful for step in told(log).steps] == doubtful


@pytest.mark.parametrize(
    "log",
    [
        "\x1b[32m$ \x1b[0mls -l\n",
        "\x1b]0;a window\x07\x1b[01;32ma@b\x1b[00m:\x1b[34m/w\x1b[00m# ls -l\n",
        "\x1b[1m+ ls -l\x1b(B\x1b[m\n",
    ],
)
def test_prompts_in_colours(log: str) -> None:
    assert [step.code for step in told(log).steps] == ["ls -l"]


TOOLS = [
    ("WebFetch", {"url": "https://a.org/b", "prompt": "x"}, [("fetch", "https://a.org/b", "")]),
    ("browser_navigate", {"url": "https://a.org/b"}, [("fetch", "https://a.org/b", "")]),
    ("fetch_urls", {"urls": ["https://a.org", "https://b.org"]},
     [("fetch", "https://a.org", ""), ("fetch", "https://b.org", "")]),
    ("mcp__github__get_file_contents", {"owner": "a", "repo": "b", "path": "x.py"},
     [("fetch", "https://github.com/a/b", "")]),
    ("mcp__github__create_issue", {"owner": "a", "repo": "b", "title": "x"}, []),
    ("WebSearch", {"query": "https://a.org/b"}, []),
    ("Write", {"file_path": "/w/r.sh", "content": "ls -l"}, [("write", "ls -l", "/w/r.sh")]),
    ("str_replace_based_edit_tool",
     {"command": "create", "path": "/w/r.sh", "file_text": "ls -l"},
     [("write", "ls -l", "/w/r.sh")]),
    ("Edit", {"file_path": "/w/r.sh", "old_string": "x", "new_string": "ls -l"},
     [("add", "ls -l", "/w/r.sh")]),
    ("Read", {"file_path": "/w/a.py"}, [("read", "/w/a.py", "")]),
    ("Grep", {"pattern": ".", "path": "a.py"}, [("read", "a.py", "")]),
    ("NotebookRead", {"notebook_path": "/w/a.ipynb"}, [("read", "/w/a.ipynb", "")]),
    ("view_file", {"AbsolutePath": "/w/a.py"}, [("read", "/w/a.py", "")]),
    ("Glob", {"pattern": "*.py", "path": "src"}, []),
    ("think", {"thought": "open https://a.org/b"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "steps"), TOOLS)
def test_tools_that_show_write_and_fetch(
    name: str, given: dict[str, Any], steps: list[tuple[str, str, str]]
) -> None:
    log = line({"type": "tool_use", "name": name, "input": given})
    assert [(step.kind, step.code, step.path) for step in told(log).steps] == steps
