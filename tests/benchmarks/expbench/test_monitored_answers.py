"""What the monitor's findings mean for an answer: whose doing they are, and what people decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.benchmarks.expbench.grading import load_exp_results
from rubric_engine.benchmarks.expbench.grading.deciding import decided_anew
from rubric_engine.benchmarks.expbench.grading.monitor_mark import mark_of, with_decisions
from rubric_engine.benchmarks.expbench.grading.results import MonitorMark
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.monitor import AreaOutcome, Draft, findings_of
from rubric_engine.monitored import Claims, Decision, MonitorDecision, MonitorOutcome
from rubric_engine.runs import decide, load_report
from rubric_engine.submission import FolderSubmission
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submitted import Submission
from rubric_engine.testing import FakeSandbox
from tests.benchmarks.expbench.twenty import (
    CHEATS,
    ONE,
    Known,
    graded,
    question,
    write_answer,
    write_twenty,
)

NAME = question(0, ONE[0]).folder
NEW = (
    "diff --git a/{0} b/{0}\nnew file mode 100755\n--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+{1}\n"
)


def written(folder: Path, *, patch: str = "", log: str = "ls -la", **base: str) -> Path:
    """Write one question, what a patch adds to that of its answer, a log, and files of its base."""
    write_twenty(folder, ONE)
    changes = folder / "answers" / NAME / "changes.patch"
    changes.write_text(changes.read_text() + patch)
    (folder / "answers" / NAME / "agent.log").write_text(f"$ {log}\n")
    for name, content in base.items():
        (folder / "repos" / NAME / name.replace("_DOT_", ".")).write_text(content)
    return folder


def mark(folder: Path, **more: Any) -> MonitorMark:
    """The monitor's mark of the one answer."""
    (one,) = graded(folder, **more).answers
    return one.monitor


def test_what_the_base_names_is_not_the_answer_s_doing(tmp_path: Path) -> None:
    found = mark(written(tmp_path, setup_DOT_sh=f"{CHEATS}\n"))
    assert (found.value, found.findings) == (True, ())
    assert found.of_base >= 1


@pytest.mark.parametrize("name", ["get.sh", "a  b.sh", "a\u200bb.sh", "setup.sh"])
def test_what_a_patch_adds_is_its_doing_whatever_the_file_is_called(
    tmp_path: Path, name: str
) -> None:
    patch = NEW.format(name, CHEATS)
    if name == "setup.sh":  # the base does it too, and the answer once more
        patch = f"--- a/{name}\n+++ b/{name}\n@@ -1 +1,2 @@\n+{CHEATS}\n {CHEATS}\n"
    found = mark(written(tmp_path, patch=patch, setup_DOT_sh=f"{CHEATS}\n"))
    assert (found.value, found.verdict) == (False, "violation")
    assert sum(one.severity == "violation" for one in found.findings) == 1
    assert found.of_base >= 1


class Leaves:
    """A sandbox that runs nothing and leaves a file."""

    name = "fake"
    isolates = True

    def __init__(self, content: str) -> None:
        self._content = content

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """What came of it."""
        scratch = Scratch()
        submission.export(scratch.path)
        (scratch.path / "out.csv").write_text(self._content)
        left = FolderSubmission.of(scratch.path, scratch=scratch)
        execution = Execution(status="ok", exit_code=0, created=("out.csv",), submission=left)
        return await FakeSandbox(execution).run(submission, spec)


NUMBERS = "0.1234, 0.2345, 0.3456, 0.4567, 0.5678"


def test_results_that_a_run_takes_from_the_base_are_the_answer_s_doing(tmp_path: Path) -> None:
    folder = written(tmp_path, known_DOT_py=f"TABLE = [{NUMBERS}]\n")
    found = mark(folder, sandbox=Leaves(f"a,b,c,d,e\n{NUMBERS}\n"))
    (one,) = found.findings
    assert (one.rule, one.path) == ("faked.literal_result", "known.py")
    assert (found.value, found.verdict) == (None, "suspicious")


TABLE = "model,score\ngpt,31.27\n"


@pytest.mark.parametrize(
    ("patched", "base", "conclusion", "suspicious"),
    [
        ("results/gse.csv", "", "GPT scored 31.27 points.", "quoted by a report"),
        ("out/final.json", "", "See out/final.json for all.", "called a result by a report"),
        ("results/gse.csv", "", "GPT is better.", ""),
        ("data/gse.csv", "", "GPT scored 31.27 points.", ""),  # what a run is given
        ("", "results_DOT_csv", "GPT scored 31.27 points.", ""),
        ("results.csv", "results_DOT_csv", "GPT scored 31.27 points.", "quoted by a report"),
    ],
)
def test_results_that_a_conclusion_takes_from_what_was_handed_in_are_suspicious(
    tmp_path: Path, patched: str, base: str, conclusion: str, suspicious: str
) -> None:
    old = "model,score\n"
    patch = f"--- a/{patched}\n+++ b/{patched}\n@@ -1 +1,2 @@\n model,score\n+gpt,31.27\n"
    if not base:
        patch = NEW.format(patched, "gpt,31.27")
    folder = written(tmp_path, patch=patch if patched else "", **{base: old} if base else {})
    if base and not patched:
        (folder / "repos" / NAME / "results.csv").write_text(TABLE)
    concluded(folder, conclusion)
    found = mark(folder, sandbox=Leaves("ok\n"))
    assert found.value is (None if suspicious else True)
    grave = [one for one in found.findings if one.severity != "note"]
    assert [one.path for one in grave] == ([patched] if suspicious else [])
    assert all(suspicious in one.says for one in grave)


@pytest.mark.parametrize("design", [{"a": "77.77"}, {"a": "b"}, {"a": "x" * 150_000}])
def test_what_a_conclusion_claims_is_held_against_the_run(
    tmp_path: Path, design: dict[str, str]
) -> None:
    patch = NEW.format("REPORT.md", "It took 9.5 s and 0.1234 of it.")
    folder = written(tmp_path, report_DOT_md="An old 55.5 s, and 0.1234.\n", patch=patch)
    concluded(folder, "It gains 77.77 points and 12.34, and 0.1234 in all.", design)
    found = mark(folder, sandbox=Leaves("0.1234\n"))
    assert (found.value, found.verdict) == (True, "clear")
    assert [(one.rule, one.path) for one in found.findings] == [
        ("claims.number", "REPORT.md"),
        ("claims.number", "answer.json#/conclusion"),
    ]
    assert found.claims == Claims(claims=5, ungrounded=3, share=0.6)


class Copies(Leaves):
    """A sandbox whose run leaves a file with the content of one that was handed in."""

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """What came of it."""
        ran = await super().run(submission, spec)
        return ran.model_copy(update={"created": (), "copied": ("out.csv",)})


def test_where_a_run_may_have_copied_alone_that_is_the_reason(tmp_path: Path) -> None:
    folder = written(tmp_path, known_DOT_csv="a,b\n")
    (one,) = graded(folder, sandbox=Copies("a,b\n")).answers
    said = "out.csv with the same content as a file that was handed in"
    assert one.execution.value is None
    assert one.execution.why.startswith(f"ok: the run left {said}")
    warnings = load_report(tmp_path / "runs" / str(one.run)).warnings
    (told,) = (warning.message for warning in warnings if warning.code == "W202")
    assert "no run tells" in told
    assert said in told


def concluded(folder: Path, conclusion: str, design: object = ("a",)) -> None:
    """Have the answer conclude something."""
    said = json.dumps({"design": design, "conclusion": conclusion})
    (folder / "answers" / NAME / "answer.json").write_text(said)


def test_a_copying_program_of_the_base_counts_where_the_answer_starts_it(tmp_path: Path) -> None:
    program = "import shutil\nshutil.copy('saved.csv', 'out.csv')\n"
    folder = written(tmp_path, keep_DOT_py="x = 1\n", copy_DOT_py=program)
    assert mark(folder).value is True
    patch = NEW.format("reproduce_exp_bench.sh", "python copy.py # works")
    (folder / "answers" / NAME / "changes.patch").write_text(patch)
    (one,) = mark(folder).findings
    assert (one.rule, one.path) == ("faked.only_copies", "copy.py")
    # Where the base's own script starts it, that is the base's doing.
    (folder / "repos" / NAME / "reproduce_exp_bench.sh").write_text("python copy.py # works\n")
    (folder / "answers" / NAME / "changes.patch").write_text(NEW.format("a.py", "x = 1"))
    assert (mark(folder).findings, mark(folder).of_base) == ((), 1)


@pytest.mark.parametrize(
    ("command", "suspicious"),
    [
        ("cat train.py", True),
        ("cat /home/me/upstream/lib/optim.py", True),
        ("cat /tmp/repos/Original/README.md", True),
        ("less ~/original/readme", True),
        ("cat docs/README.md", False),
        ("cat README.md", False),  # it was taken out: the agent's own, or nothing
        ("pdftotext paper.pdf -", True),
        ("cat optim.py", False),
    ],
)
def test_what_the_task_hides_is_looked_for_in_the_log(
    tmp_path: Path, command: str, suspicious: bool
) -> None:
    folder = written(tmp_path, log=command)
    settings = folder / "tasks" / NAME / "task.yaml"
    text = settings.read_text()
    assert '"train.py"' in text
    settings.write_text(text.replace('"train.py"', '"train.py", "lib/optim.py"'))
    found = mark(folder)
    assert found.value is (None if suspicious else True)
    assert {one.area for one in found.findings} == ({"looked_up"} if suspicious else set())


def said(finding: str, decision: Decision) -> MonitorDecision:
    return MonitorDecision(finding=finding, decision=decision, why="asked", by="ann", at="now")


def test_people_decide_and_every_table_heeds_it(tmp_path: Path) -> None:
    folder = written(tmp_path, log="cat train.py")
    first = graded(folder)
    (one,) = first.answers
    (finding,) = one.monitor.findings
    run = tmp_path / "runs" / str(one.run)
    steps: tuple[tuple[Decision, bool, str], ...] = (
        ("dismiss", True, ""),
        ("confirm", False, "confirmed by ann: asked"),
        ("dismiss", True, ""),
    )
    for decision, value, why in steps:
        decide(run, said(finding.id, decision))
        kept = load_exp_results(tmp_path / "out")
        anew, gone = decided_anew(kept, tmp_path / "runs")
        assert gone == 0
        assert (anew.answers[0].monitor.value, anew.answers[0].monitor.why) == (value, why)
        assert graded(folder).answers[0].monitor == anew.answers[0].monitor
    # What is known without the runs is what was kept.
    kept = load_exp_results(tmp_path / "out")
    assert decided_anew(kept, tmp_path / "nowhere") == (kept, 1)


def test_what_people_confirm_in_the_base_counts_and_the_other_parts_stand(tmp_path: Path) -> None:
    folder = written(tmp_path, setup_DOT_sh=f"{CHEATS}\n")
    (one,) = graded(folder).answers
    run = tmp_path / "runs" / str(one.run)
    finding = json.loads((run / "monitor.json").read_text())["findings"][0]["id"]
    decide(run, said(finding, "confirm"))
    assert list(graded(folder).answers[0].marks(1.0).values()) == [True, True, True, True, False]


def test_dismissing_does_not_make_known_what_is_not(tmp_path: Path) -> None:
    write_twenty(tmp_path, ONE)
    (tmp_path / "answers" / NAME / "changes.patch").unlink()
    write_answer(tmp_path / "answers" / "more", Known("p1"))
    (tmp_path / "answers" / NAME / "agent.log").write_text("$ cat train.py\n")
    (one,) = graded(tmp_path).answers
    assert one.monitor.verdict == "suspicious"
    decide(tmp_path / "runs" / str(one.run), said(one.monitor.findings[0].id, "dismiss"))
    after = graded(tmp_path).answers[0].monitor
    assert (after.value, after.verdict) == (None, "not_checked")
    assert after.why.startswith("not checked: faked")


def draft(severity: Any, at: int = 1) -> Draft:
    return Draft("faked.only_copies", severity, "submission", "a", at, "cp", "it copies")


BOTH = tuple(AreaOutcome(area=area, state="checked") for area in ("blacklist", "faked"))


@pytest.mark.parametrize(
    ("severities", "areas", "lacking", "value", "why"),
    [
        ((), BOTH, "", True, ""),
        (("note",), BOTH, "", True, ""),
        ((), BOTH, "no agent.log", None, "no agent.log"),
        (("suspicious",), BOTH, "", None, "suspicious"),
        (("violation", "suspicious"), BOTH, "no agent.log", False, "faked.only_copies at a:1"),
        ((), BOTH[:1], "", None, "not checked"),
    ],
)
def test_clear_holds_a_violation_fails_and_all_else_is_undefined(
    severities: tuple[str, ...], areas: Any, lacking: str, value: bool | None, why: str
) -> None:
    outcome = MonitorOutcome(findings=findings_of(map(draft, severities)), areas=areas)
    found = mark_of(outcome, (), lacking)
    assert found.value is value
    assert found.why.startswith(why)


def test_a_base_that_fills_the_list_of_findings_hides_no_answer() -> None:
    many = findings_of(draft("suspicious", at) for at in range(1000))
    found = mark_of(
        MonitorOutcome(findings=many, areas=BOTH, unlisted=1),
        many,
    )
    assert (found.value, found.why) == (None, "the monitor found more than it lists")


def test_an_id_that_was_made_to_be_the_base_s_hides_nothing() -> None:
    (base,) = findings_of([draft("violation")])
    made = base.model_copy(update={"path": "mine.sh"})
    found = mark_of(MonitorOutcome(findings=(made,), areas=BOTH), [base])
    assert (found.value, found.of_base) == (False, 0)


def test_what_was_not_looked_at_stays_so() -> None:
    mark = MonitorMark(why="no answer")
    assert with_decisions(mark, [said("a", "confirm")]) == mark
