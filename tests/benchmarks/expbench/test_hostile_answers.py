"""Whatever an answer's files hold is its own trouble: nothing is raised, and nothing hangs."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rubric_engine.benchmarks.expbench.grading.answer import ExpAnswer, read_answer
from rubric_engine.benchmarks.expbench.grading.patch import why_refused
from rubric_engine.benchmarks.expbench.grading.submitting import submit_answer
from rubric_engine.case import Task
from rubric_engine.monitor import Text, Watched, monitor
from rubric_engine.submission import load_submission
from rubric_engine.submitted import Submission
from tests.benchmarks.expbench.making import engine_task
from tests.benchmarks.expbench.twenty import Known, graded, question, write_twenty

MANY = "9" * 5000
NAMES = (
    "a/x",
    "b/x",
    "x",
    "/dev/null",
    '"b/\\303\\274"',
    '"b/\\777\\x"',
    "b/" + "n" * 300,
    "b/..",
    "",
)
DATES = ("", "\t2020-01-01", " 2020-01-01 00:00:00.000000000 +0000", " ", "\r")

names = st.tuples(st.sampled_from(NAMES), st.sampled_from(DATES)).map("".join)
counts = st.sampled_from(("0", "1", "2", MANY, "4294967296", "18446744073709551615", "-1", ""))
heads = st.one_of(
    st.builds("--- {}\n+++ {}\n".format, names, names),
    st.builds("diff --git {} {}\n".format, names, names),
    st.builds("@@ -{},{} +{},{} @@\n".format, counts, counts, counts, counts),
    st.builds("rename {0} {1}\n".format, st.sampled_from(["from", "to", "old", "new"]), names),
    st.builds("{0} mode {1}\n".format, st.sampled_from(["new file", "old", "new"]), counts),
    st.builds("similarity index {}%\n".format, counts),
    st.sampled_from(["-1\n", "+2\n", " 1\n", "\n", "\\ No newline at end of file\n", "\r\n", "\0"]),
)
patches = st.lists(heads, max_size=8).map("".join).map(str.encode) | st.binary(max_size=60)

_words = st.sampled_from(
    ["git log", "curl https://x.y", "\ud800", "\x1b[31m", "'", '"', "\\", "$("]
)
values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | _words | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "name", "input", "command", "content", "role", "tool_calls"])
            | _words,
            inner,
            max_size=4,
        )
    ),
    max_leaves=9,
)


@pytest.mark.parametrize(
    "header",
    [
        f"@@ -1,{MANY} +1 @@",
        f"@@ -{MANY} +1,{MANY} @@",
        "@@ -1,99999999999999999999 +1,99999999999999999999 @@",
    ],
)
def test_a_count_beyond_all_numbers_is_the_answer_s_own_failure(
    tmp_path: Path, header: str
) -> None:
    two = (Known("p1"), Known("p2"))
    write_twenty(tmp_path, two)
    patch = f"--- a/keep.py\n+++ b/keep.py\n{header}\n-x = 1\n+x = 2\n"
    (tmp_path / "answers" / question(0, two[0]).folder / "changes.patch").write_text(patch)
    found = graded(tmp_path, two)
    assert found.exit_code == 0
    assert [one.execution.value for one in found.answers] == [False, True]
    assert found.answers[0].execution.why.startswith("the patch ")


@pytest.mark.parametrize("start", ["diff --git a/", "--- ", "rename from "])
def test_a_header_that_would_take_hours_is_refused(start: str) -> None:
    assert "characters" in (why_refused(start + " b/" * 1_000_000) or "")


@settings(max_examples=200)
@given(patch=patches)
def test_any_patch_is_let_pass_or_refused(patch: bytes) -> None:
    assert why_refused(patch.decode("utf-8", "surrogateescape")) != ""


@settings(max_examples=20)
@given(patch=patches)
def test_any_patch_is_applied_or_says_why_not(patch: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        base = Path(place) / "base"
        base.mkdir()
        (base / "x").write_text("1\n")
        done = submit_answer(ExpAnswer(patch=patch), base, "a-1")
        assert done.applied is (done.failed is None)
        assert (base / "x").read_text() == "1\n"
        assert [entry.name for entry in Path(place).iterdir()] == ["base"]


said = values.map(json.dumps).map(str.encode) | st.binary(max_size=60)


@settings(max_examples=80)
@given(content=said)
def test_any_answer_json_is_read_or_says_why_not(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "answer.json").write_bytes(content)
        found = read_answer(Path(place))
    assert found.digest
    assert found.json.encode("utf-8", "replace")
    assert (found.design is None) is ("D" in found.missing)


PLAIN = ("$ git log -p", "```bash", "```", "Action: x", "+ cd /x", "1" * 5000, "[" * 9999)
lines = values.map(json.dumps) | st.sampled_from(PLAIN) | st.text(max_size=30)


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Submission]:
    """A task, and a submission without files."""
    folder = tmp_path_factory.mktemp("nothing")
    return engine_task(), load_submission(folder, allow_empty=True)


@settings(max_examples=80)
@given(log=st.lists(lines, max_size=5).map("\n".join))
@example(log='{"role": []}')
@example(log='{"type": {}, "command": {"role": {}}}')
def test_any_log_is_looked_through(nothing: tuple[Task, Submission], log: str) -> None:
    text = Text("agent.log", log.encode("utf-8", "replace").decode())
    assert monitor(Watched(*nothing, agent_log=text)).areas
