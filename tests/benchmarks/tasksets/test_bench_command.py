"""`bench run` as a person types it."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rubric_engine.benchmarks.tasksets import load_task_set, run_task_set
from rubric_engine.testing import ScriptedServer
from tests.benchmarks.tasksets.example import ROOT, TASKS, scripted, task
from tests.cli.conftest import Command

AGENT = """
async def answer(task):
    return "x" if task.task_id == "a" else 1
"""


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of two tasks, and an agent that Python finds."""
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "tasks.json").write_text(json.dumps([task(), task(task_id="b", phase="analysis")]))
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "an_agent_of_two_tasks.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(tmp_path / "code"))
    return folder


def test_an_agent_of_one_s_own_from_the_command_line(command: Command, tasks: Path) -> None:
    words = ["bench", "run", tasks, "--agent", "an_agent_of_two_tasks:answer"]
    done = command(*words)
    assert done.code == 0
    told = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "success rate (returned, well-formed) 50.0% 2 answers" in told
    assert "failed: broke 1; the first: b: TypeError" in done.out
    assert "where unknown ones count 0 or 1 50.0-100.0% 2 answers" in told
    folder = Path("results/two-an_agent_of_two_tasks-answer")
    assert (folder / "results.json").is_file()
    quiet = command(*words, "--resume", "-q")
    assert quiet.out == f"100.0%   50.0% successful   {folder}\n"
    found = command(*words, "--json").json
    assert (found["ok"], found["status"], found["exit_code"]) == (True, "done", 0)
    assert found["summary"]["failed"] == {"value": 0.5, "n": 2, "of": "answers", "why": None}


def test_filters_choose_tasks_and_results_have_a_place_of_their_own(
    command: Command, tasks: Path
) -> None:
    words = ["bench", "run", tasks, "--agent", "an_agent_of_two_tasks:answer"]
    done = command(*words, "--filter", "phase=writing", "-q")
    assert done.out.startswith("100.0%   100.0% successful")
    wrong = command(*words, "--filter", "phase=writng")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'writing'?" in wrong.err
    assert command(*words, "--filter", "phase=analysis", "--resume").code == 2


def test_a_dry_run_prices_agent_and_judges_and_sends_nothing(command: Command) -> None:
    with ScriptedServer(answer=scripted()) as server:
        words = ["bench", "run", TASKS, "--agent-model", "m1", "--judge-model", "m2"]
        done = command(*words, "--base-url", server.base_url, "--dry-run")
        assert (done.code, len(server.requests)) == (0, 0)
        # Twelve of the agent; seven points once, and five dimensions three times each.
        assert "in all 34 calls" in done.out
        assert "3,000 characters" in done.out
        assert not Path("results").exists()


def test_a_chat_model_goes_on_where_a_cap_stopped_it(command: Command, tmp_path: Path) -> None:
    with ScriptedServer(answer=scripted()) as server:
        (tmp_path / "m1.yaml").write_text(
            f"name: m1\nbase_url: {server.base_url}\nmax_output_tokens: 300\n"
        )
        words = ["bench", "run", TASKS, "--agent-model", tmp_path / "m1.yaml", "--limit", "3"]
        words += ["--judge-model", "m2", "--base-url", server.base_url]
        poor = command(*words, "--max-tokens", "7000")
        assert poor.code == 6
        assert "stopped" in poor.out
        assert poor.out.count("\nnext ") == 1
        assert "goes on" in poor.out
        assert "the rest may need more" in poor.out
        assert "with --dry-run, the same command says what the rest may take" in poor.out
        # One count and one word, wherever they stand.
        left = re.search(
            r"left    (\d+) of 3 answers missing; (\d+) not judged to the end", poor.out
        )
        assert left is not None
        assert ("missing: " in poor.out) == (left[1] != "0")
        assert f"not judged to the end: {left[2]};" in poor.out
        rich = command(*words, "--max-tokens", "1000000")
        assert rich.code == 0, rich.err
        assert "mean score" in rich.out
        assert len(server.requests) == 3 + 2 + 2 * 3


@pytest.mark.parametrize(
    ("flags", "code", "says"),
    [
        ([], 2, "--agent-model or --agent"),
        (["--agent", "x"], 2, "package.module:function"),
        (["--agent", "no_such_module:x"], 3, "E631"),
        (["--agent-model", "none.yaml"], 3, "none.yaml"),
        (
            ["--agent-model", "m", "--max-cost", "1", "--base-url", "http://localhost:1/v1"],
            2,
            "price",
        ),
        (["--agent-model", "m"], 4, "OPENAI_API_KEY"),
    ],
)
def test_what_cannot_be_run_is_told(
    command: Command, tasks: Path, flags: list[str], code: int, says: str
) -> None:
    done = command("bench", "run", tasks, *flags)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_the_library_and_the_command_give_the_same_results(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps([task(background="It was 0.31 of 0.62.")]))
    (tmp_path / "an_agent_that_claims.py").write_text(
        'async def answer(task):\n    return "x: 0.31, not 0.47"\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    agent = "an_agent_that_claims:answer"
    assert command("bench", "run", tmp_path / "tasks.json", "--agent", agent, "-o", "a").code == 0
    run_task_set(load_task_set(tmp_path / "tasks.json"), agent, out="b")
    one, other = (json.loads(Path(name, "results.json").read_text()) for name in "ab")
    for found in (one, other):
        assert found["tasks"][0]["answers"][0].pop("seconds") >= 0
        assert found["tasks"][0]["answers"][0].pop("run").startswith(found["run"])
        for key in ("run", "made_at", "command"):
            found.pop(key)
    assert one == other
    assert one["tasks"][0]["answers"][0]["claims"] == {
        "claims": 2, "ungrounded": 1, "named": ["0.47"],
    }  # fmt: skip
    told = command("bench", "report", "a").out
    assert "claims without ground: in 1 answer; the first: a: 0.47" in told


KILLED = """
import os, signal

async def answer(task):
    if task.task_id == "c" and not os.path.exists("again"):
        os.kill(os.getpid(), signal.SIGKILL)
    return "x"
"""


def test_a_run_that_was_killed_shows_what_it_has_before_it_goes_on(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tasks.json").write_text(
        json.dumps([task(task_id=name) for name in ("a", "b", "c", "d")])
    )
    (tmp_path / "an_agent_that_is_killed.py").write_text(KILLED)
    words = ["bench", "run", "tasks.json", "--agent", "an_agent_that_is_killed:answer"]
    words += ["--concurrency", "1", "-o", "out", "-q"]
    monkeypatch.chdir(tmp_path)
    died = subprocess.run(
        [sys.executable, "-c", "from rubric_engine.cli import main; main()", *words],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    told = [" ".join(line.split()) for line in command("bench", "report", "out").out.splitlines()]
    assert "status still running, or killed" in told
    assert any(line.startswith("left 2 of 4 answers missing") for line in told)
    assert "success rate (returned, well-formed) 100.0% 2 answers" in told
    found = command("bench", "report", "out", "--json").json
    assert (found["status"], found["summary"]["missing"]) == ("running", 2)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "again").touch()
    assert command(*words).code == 0
    assert "status" not in command("bench", "report", "out").out


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """What a disk that is full by then does to every file that would grow further."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_costs_what_is_under_way_and_the_same_command_goes_on(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with ScriptedServer(answer=scripted(), latency=0.01) as server:
        words = ["bench", "run", str(TASKS), "--agent-model", "m1", "--judge-model", "m2"]
        words += ["--base-url", server.base_url, "--yes", "-q", "-o", "my results"]
        words += ["--max-connections", "4"]
        with no_file_above(250_000):
            full = command(*words)
        assert full.code == 9
        again = f"continue with: {shlex.join(['rubric-engine', *words])}\n"
        assert again in full.err
        program, *rest = shlex.split(full.err.partition("continue with: ")[2].splitlines()[0])
        assert program == "rubric-engine"
        assert command(*rest).code == 0
        assert 34 <= len(server.requests) <= 34 + 4


def test_results_that_were_cut_off_are_made_anew_of_what_is_kept(
    command: Command, tasks: Path
) -> None:
    words = ["bench", "run", tasks, "--agent", "an_agent_of_two_tasks:answer", "-o", "out"]
    whole = command(*words, "--json").json
    results = Path("out/results.json")
    results.write_bytes(results.read_bytes()[:500])
    found = command("bench", "report", "out", "--json").json
    assert (found["status"], found["summary"]["success"]["value"]) == ("running", 0.5)
    again = command(*words, "--json")
    assert (again.code, again.json["summary"]) == (0, whole["summary"])
    assert json.loads(results.read_text())["run"] == whole["run"]

    results.write_bytes(results.read_bytes()[:500])
    Path("out/begun.json").write_text("{")
    for other in (words, ["bench", "report", "out"]):
        done = command(*other)
        assert done.code == 3
        assert "E632" in done.err
        assert "results.json holds no JSON" in done.err
