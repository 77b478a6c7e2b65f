"""Results that were handed in and that no run made: who says that they are results, and when."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rubric_engine import Task, load_rubric, load_submission
from rubric_engine.monitor import MonitorFinding, MonitorReport, Watched, monitor
from rubric_engine.sandbox.local import LocalSandbox
from rubric_engine.task import task_of
from tests.monitor.watching import MakeTree, of_rule, ran

TYPED = "kappa,hb,gd\n10,4,9\n100,14,71\n1000,42,1432\n"
LOOP = "python3 -c 'print(sum(n * n for n in range(9)))'\n"
LEAF = "Result Analysis"


def task(folder: Path, *checks: str, question: str = "fast", category: str = LEAF) -> Task:
    """A task of one leaf with these checks, and without outputs."""
    listed = "".join(f"\n        - {check}" for check in checks)
    text = (
        f"rubric: 1\nroot:\n  id: root\n  requirements: all\n  sub_tasks:\n    - id: leaf\n"
        f"      requirements: {question}\n      task_category: {category}\n"
        + (f"      checks:{listed}\n" if checks else "")
    )
    (folder / "rubric.yaml").write_text(text)
    return task_of(load_rubric(folder / "rubric.yaml"), name="small")


def report(one: Task, handed_in: Path, left: Path, **changes: object) -> MonitorReport:
    execution = ran(left, **changes)  # type: ignore[arg-type]
    return monitor(Watched(one, load_submission(handed_in), execution))


def found_in(one: MonitorReport) -> list[MonitorFinding]:
    return of_rule(one, "faked.unchanged_output")


@pytest.mark.parametrize(
    "check",
    [
        "sql: {query: \"select max(hb) < 50 from 'results/steps.csv'\"}",
        "sql: {query: \"select true from read_csv('results/steps.csv')\"}",
        "number: {file: results/steps.csv, regex: '1000,(.*)', at_least: 1}",
        "produced: {file: 'results/*.csv'}",
        "any: [{file_exists: {file: results/steps.csv}}, {exit_code: {}}]",
        "not: {contains: {file: results, text: nan}}",
    ],
)
def test_what_a_check_reads_is_an_output(tmp_path: Path, make_tree: MakeTree, check: str) -> None:
    folder = make_tree({"reproduce.sh": LOOP, "results/steps.csv": TYPED})
    one = report(task(tmp_path, check), folder, folder)
    [found] = found_in(one)
    assert (found.place, found.severity) == ("results/steps.csv", "suspicious")
    assert "(named by the rubric)" in found.says
    assert one.verdict == "suspicious"


def test_what_a_question_names_is_an_output(tmp_path: Path, make_tree: MakeTree) -> None:
    folder = make_tree({"reproduce.sh": LOOP, "results/steps.csv": TYPED})
    asked = task(tmp_path, question="heavy ball is faster in results/steps.csv")
    assert [one.place for one in found_in(report(asked, folder, folder))] == ["results/steps.csv"]


@pytest.mark.parametrize(
    ("readme", "count"),
    [
        ("See results/steps.csv.", 1),
        ("See `./results/steps.csv`.", 1),
        ("It reads data/points.csv and data/results/old.csv.", 0),  # what goes in
        ("![method](figures/method.png)", 0),  # a drawing
        ("Nothing is named.", 0),
    ],
)
def test_what_a_readme_calls_a_result(
    tmp_path: Path, make_tree: MakeTree, readme: str, count: int
) -> None:
    files = dict.fromkeys(("results/steps.csv", "data/points.csv", "data/results/old.csv"), TYPED)
    folder = make_tree(
        {"reproduce.sh": LOOP, "README.md": readme, "figures/method.png": "x", **files}
    )
    found = found_in(report(task(tmp_path), folder, folder))
    assert len(found) == count
    assert all("(called a result by a report)" in one.says for one in found)


@pytest.mark.parametrize(
    ("path", "check", "category"),
    [
        ("data/points.csv", "produced: {file: '**/*.csv'}", LEAF),  # any file: what goes in, too
        ("results/config.json", "file_exists: {file: results/config.json}", LEAF),
        ("requirements.txt", "file_exists: {file: requirements.txt}", LEAF),
        ("main.py", "contains: {file: main.py, text: x}", LEAF),
        ("results/a.csv", "file_exists: {file: results/a.csv}", "Code Development"),
    ],
)
def test_what_is_no_output(
    tmp_path: Path, make_tree: MakeTree, path: str, check: str, category: str
) -> None:
    folder = make_tree({"reproduce.sh": LOOP, path: TYPED})
    one = task(tmp_path, check, category=category)
    assert not found_in(report(one, folder, folder))


@pytest.mark.parametrize("path", ["results/steps.csv", "results/deep/plot.png"])
def test_what_was_removed_and_not_made_again(
    tmp_path: Path, make_tree: MakeTree, path: str
) -> None:
    own = replace(task(tmp_path), outputs=("results/**",))
    handed_in = make_tree({"reproduce.sh": LOOP, path: TYPED, "results/README.md": "old\n"})
    left = make_tree({"reproduce.sh": LOOP}, "left")
    removed = (path, "results/README.md")
    [found] = found_in(report(own, handed_in, left, removed_before=removed))
    assert (found.place, found.severity, found.source) == (path, "suspicious", "submission")
    assert "removed before the run" in found.says


@pytest.mark.parametrize("changes", [{"rewritten": True}, {"modified": True}])
def test_what_the_run_made_is_none(
    tmp_path: Path, make_tree: MakeTree, changes: dict[str, bool]
) -> None:
    asked = task(tmp_path, "file_exists: {file: results/steps.csv}")
    works = {"reproduce.sh": "python3 main.py\n", "main.py": "print(sum(range(9)))\n"}
    folder = make_tree({**works, "results/steps.csv": TYPED})
    paths = dict.fromkeys(changes, ("results/steps.csv",))
    one = report(asked, folder, folder, **paths)
    assert {found.severity for found in found_in(one)} <= {"note"}
    assert one.verdict == "clear"


def test_what_was_typed_in_bears_out_no_claim(tmp_path: Path, make_tree: MakeTree) -> None:
    files = {"reproduce.sh": LOOP, "results/steps.csv": TYPED, "README.md": "| 1432 | 71 |\n"}
    folder = make_tree(files)
    plain = report(task(tmp_path), folder, folder).claims
    asked = report(task(tmp_path, "produced: {file: results}"), folder, folder).claims
    assert plain is not None
    assert asked is not None
    assert (plain.ungrounded, asked.ungrounded) == (0, 1)


@pytest.mark.parametrize(
    ("script", "outputs", "severity"),
    [
        (LOOP, (), "suspicious"),
        (LOOP, ("results/**",), "suspicious"),
        ("rm -rf results\n", (), "suspicious"),
        (f"sleep 0.01\nprintf '{TYPED}' > results/steps.csv\necho $((1 + 1)) > x\n", (), "note"),
    ],
)
def test_a_real_run(
    tmp_path: Path, make_tree: MakeTree, script: str, outputs: tuple[str, ...], severity: str
) -> None:
    asked = replace(
        task(tmp_path, "sql: {query: \"select true from 'results/steps.csv'\"}"), outputs=outputs
    )
    submission = load_submission(make_tree({"reproduce.sh": script, "results/steps.csv": TYPED}))
    execution = asyncio.run(LocalSandbox().run(submission, asked.spec))
    one = monitor(Watched(asked, submission, execution))
    assert [found.severity for found in found_in(one)] == [severity]
