"""M goes by what the task says now, and the run of the answer holds what M goes by."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rubric_engine.benchmarks.expbench.grading.results import MonitorMark
from rubric_engine.connection import Spending
from rubric_engine.monitored import MonitorDecision
from rubric_engine.runs import decide, load_report
from rubric_engine.testing import ScriptedModel
from tests.benchmarks.expbench.test_monitored_answers import NAME, written
from tests.benchmarks.expbench.twenty import graded

LATER = "$ git clone https://github.com/acme/later\n"


def tell(folder: Path, name: str, text: str) -> None:
    """Have the question's task say something else."""
    (folder / "tasks" / NAME / name).write_text(text)


def settings(folder: Path, monitor: str) -> str:
    """The text of `task.yaml` with other words on the monitor."""
    before = (folder / "tasks" / NAME / "task.yaml").read_text().split("monitor:")[0]
    return f"{before}monitor: {monitor}\n"


def again(folder: Path, *, fresh: bool = False) -> MonitorMark:
    """The monitor's mark, where no model may be asked and nothing is run."""
    spending = Spending(fresh=fresh)
    (one,) = graded(folder, model=ScriptedModel([]), spending=spending).answers
    held = load_report(folder / "runs" / str(one.run)).monitor
    assert held is not None
    assert held.findings == one.monitor.findings
    kept = json.loads((folder / "runs" / str(one.run) / "monitor.json").read_text())
    assert [found["id"] for found in kept["findings"]] == [found.id for found in held.findings]
    return one.monitor


@pytest.mark.parametrize(
    ("log", "file", "said", "rule", "value", "fresh"),
    [
        ("git clone https://github.com/acme/later", "blacklist.txt", "acme/later",
         "blacklist.used", False, False),
        ("curl https://files.acme.io/x", "task.yaml", "{hosts: [pypi.org]}",
         "looked_up.host", None, True),
        ("cat notes.md", "task.yaml", '{masked: ["notes.md"]}',
         "looked_up.masked_path", None, False),
        ("pdftotext paper.pdf -", "task.yaml", "{hides_paper: true}",
         "looked_up.paper", None, True),
    ],
)  # fmt: skip
def test_m_is_not_of_yesterday(
    tmp_path: Path, log: str, file: str, said: str, rule: str, value: bool | None, fresh: bool
) -> None:
    folder = written(tmp_path, log=log)
    tell(folder, "task.yaml", settings(folder, "{hides_paper: false}"))
    (one,) = graded(folder).answers
    assert one.monitor.value is True
    tell(folder, file, settings(folder, said) if file == "task.yaml" else f"{said}\n")
    found = again(folder, fresh=fresh)
    assert rule in {each.rule for each in found.findings}
    assert found.value is value
    assert again(folder) == found
    # And back.
    tell(folder, "task.yaml", settings(folder, "{hides_paper: false}"))
    tell(folder, "blacklist.txt", "https://github.com/acme/original\n")
    assert again(folder).value is True


def test_what_people_said_holds_where_a_finding_is_found_again(tmp_path: Path) -> None:
    folder = written(tmp_path, log="cat train.py")
    (one,) = graded(folder).answers
    (finding,) = one.monitor.findings
    said = MonitorDecision(finding=finding.id, decision="dismiss", why="ok", by="ann", at="now")
    decide(folder / "runs" / str(one.run), said)
    tell(folder, "blacklist.txt", "acme/original\nacme/later\n")
    assert again(folder).value is True


def test_a_run_that_is_gone_or_damaged_leaves_m_undefined_and_nothing_is_paid_again(
    tmp_path: Path,
) -> None:
    folder = written(tmp_path)
    (one,) = graded(folder).answers
    shutil.rmtree(folder / "runs" / str(one.run))
    tell(folder, "blacklist.txt", "acme/later\n")
    (after,) = graded(folder, model=ScriptedModel([])).answers
    assert after.monitor.value is None
    assert after.monitor.why.startswith("E5")
    assert after.leaves == one.leaves


@pytest.mark.parametrize("listed", [None, "none\n"])
def test_without_a_blacklist_nothing_is_called_clear(tmp_path: Path, listed: str | None) -> None:
    folder = written(tmp_path, log="git clone https://github.com/acme/original")
    if listed is None:
        (folder / "tasks" / NAME / "blacklist.txt").unlink()
    else:
        tell(folder, "blacklist.txt", listed)
    (one,) = graded(folder).answers
    assert (one.monitor.value, one.monitor.why) == (
        None, "no blacklist: the task names no repository that is off limits",
    )  # fmt: skip
    tell(folder, "blacklist.txt", "acme/original\n")
    assert again(folder).value is False


DATED = "--- a/keep.py 2020-01-01 00:00:00.000000000 +0000\n+++ b/keep.py 2020-01-01 00:00:00\n"
OLD = "diff --git a/keep.py b/run.py\nrename old keep.py\nrename new run.py\n"


@pytest.mark.parametrize("head", [DATED, OLD + "--- a/keep.py\n+++ b/run.py\n"])
def test_a_patch_is_its_answer_s_doing_in_whatever_form_it_names_files(
    tmp_path: Path, head: str
) -> None:
    folder = written(tmp_path)
    cheat = "+import os; os.system('git clone https://github.com/acme/original')\n"
    patch = f"{head}@@ -1 +1 @@\n-x = 1\n{cheat}"
    (folder / "answers" / NAME / "changes.patch").write_text(patch)
    (one,) = graded(folder, sandbox=None).answers
    assert one.monitor.value is False
