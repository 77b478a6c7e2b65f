"""What `bench` tells of a stop, and of groups, in words that can be acted on."""

from __future__ import annotations

import json
import re
from pathlib import Path

from rubric_engine.benchmarks.tasksets import Results, load_results
from rubric_engine.benchmarks.tasksets.results import dump_results
from rubric_engine.benchmarks.tasksets.summary import summarise_by
from rubric_engine.testing import ScriptedServer
from tests.benchmarks.tasksets.example import TASKS, scripted
from tests.cli.conftest import Command


def test_the_cap_that_is_named_lets_a_stopped_run_go_on(command: Command) -> None:
    with ScriptedServer(answer=scripted()) as server:
        words = ["bench", "run", TASKS, "--agent-model", "m1", "--judge-model", "m2", "--limit", 1]
        words += ["--base-url", server.base_url]
        poor = command(*words, "--max-tokens", 1000)
        assert (poor.code, len(server.requests)) == (6, 0)
        assert "no figures: no task has an answer yet" in poor.out
        assert "success rate" not in poor.out
        named = re.search(r"; ([\d,]+) would do for it", poor.out)
        assert named is not None
        report = command("bench", "report", "results/tasks-m1-limit-1").out
        assert "--max-tokens 1000" not in report.partition("no figures")[0]
        rich = command(*words, "--max-tokens", named[1].replace(",", ""))
        assert len(server.requests) >= 1
    assert "success rate" in rich.out


def test_a_stopped_run_names_a_cap_only_where_it_was_one(
    example_run: tuple[Results, Path], command: Command
) -> None:
    results, _ = example_run
    told = "rubric-engine bench run x --max-cost 0.5 --limit 3 --max-tokens=7"
    Path("out").mkdir()
    stopped = {"status": "stopped", "exit_code": 6, "stopped": "E601 it was", "command": told}
    dump_results(results.model_copy(update=stopped), Path("out"))
    report = command("bench", "report", "out").out
    assert (
        "next    rubric-engine bench run x --max-cost N --limit 3 --max-tokens N   goes on"
        in report
    )


def test_levels_of_autonomy_come_in_their_order(
    example_run: tuple[Results, Path],
) -> None:
    results, _ = example_run
    levels = ("L3", None, "L1", "L4", "L2") * 3
    tasks = tuple(
        task.model_copy(update={"autonomy": level})
        for task, level in zip(results.tasks, levels, strict=False)
    )
    found = summarise_by(results.model_copy(update={"tasks": tasks}), "autonomy")
    assert [one.name for one in found] == ["L1", "L2", "L3", "L4", "none"]


def test_groups_fit_a_terminal_whatever_their_figures(
    example_run: tuple[Results, Path], command: Command
) -> None:
    _, folder = example_run
    found = json.loads((folder / "results.json").read_text())
    for one in found["tasks"]:
        one["phase"] = "a phase with quite a long name"
        for answer in one["answers"]:
            answer["seconds"] = 9999.9
        one["answers"] = [one["answers"][0] | {"sample": at} for at in range(100)]
    Path("out").mkdir()
    Path("out", "results.json").write_text(json.dumps(found))
    assert len(load_results("out").answers) == 1200
    out = command("bench", "report", "out", "--by", "phase").out
    tables = out[out.index("phase  ") :].splitlines()
    assert max(map(len, tables)) <= 80
    heads = ("if unknown", "are 0 or 1", "95th per-", "spread of", "unfounded", "human")
    assert all(words in out for words in heads)
    wrong = command("bench", "report", folder, "--by", "phas")
    assert (wrong.code, "fix: --by phase" in wrong.err) == (2, True)


def test_a_chat_answer_has_no_script_to_look_at(command: Command) -> None:
    with ScriptedServer(answer=scripted()) as server:
        words = ["bench", "run", TASKS, "--agent-model", "m1", "--judge-model", "m2"]
        command(*words, "--base-url", server.base_url, "--limit", 1, "-q")
    run = json.loads(Path("results/tasks-m1-limit-1/results.json").read_text())["tasks"][0]
    shown = command("score", run["answers"][0]["run"])
    assert "no run, and no reproduce.sh to look at" in shown.out
    short = re.search(r"next    rubric-engine show (\S+)", shown.out)
    assert short is not None
    assert command("show", short[1], "--lost").code == 0
