"""Commands to copy: a shell reads of them what is meant, whatever keys and folders are called."""

from __future__ import annotations

import shlex

import pytest

from rubric_engine.report.commands import going_on, show_leaf

NAMES = [
    "plain",
    "$&",
    "$(rm x)",
    "it's",
    'say "x"',
    "a b",
    "x; rm -rf y",
    "`id`",
    "LEAF",
    "RUN",
    "\\",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_quoted(name: str) -> None:
    assert shlex.split(show_leaf("a LEAF b", name, "--prompt")) == [
        "rubric-engine", "show", "--prompt", "a LEAF b", name,
    ]  # fmt: skip
    stopped = {"fix": ["rubric-engine resume RUN   # once RUN answers"]}
    (command,) = going_on(stopped, name)
    assert shlex.split(command, comments=True) == ["rubric-engine", "resume", name]


def test_a_key_is_no_option() -> None:
    words = shlex.split(show_leaf("run", "-k", "--prompt"))
    assert words == ["rubric-engine", "show", "--prompt", "--", "run", "-k"]


def test_a_run_that_was_not_stopped_goes_on_by_nothing() -> None:
    assert going_on(None, "run") == []
