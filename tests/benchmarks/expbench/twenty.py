"""Twenty synthetic answers whose design, implementation, conclusion, run and monitor are known."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench import Design, ExpTask, to_task_folder
from rubric_engine.benchmarks.expbench.grading import ExpResults, grade_answers
from rubric_engine.isolation import Execution, RunSpec
from rubric_engine.model import Refused
from rubric_engine.submission import FolderSubmission
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submitted import Submission
from rubric_engine.testing import FakeSandbox, ScriptedModel
from rubric_engine.testing.scripted_model import ModelAnswer, ModelCall
from tests.benchmarks.expbench.making import exp_task


@dataclass(frozen=True)
class Known:
    """What is known of an answer: signs of its leaves, and what is the matter with it.

    `+` is met, `-` is not, `?` is refused by the model; an empty text is not handed in.
    """

    paper: str
    design: str = "++"
    steps: str = "++"
    conclusion: str = "+"
    script: str = "works"
    log: str = "ls -la"
    base: bool = True
    json: str | None = None


CHEATS = "git clone https://github.com/acme/original"

TWENTY = (
    Known("p1"),
    Known("p1"),
    Known("p1", steps="+-"),
    Known("p1", design="-+", script="fails"),
    Known("p2", conclusion="-"),
    Known("p2", design="--", steps="--", conclusion="-", script="does nothing"),
    Known("p2", script="no patch for this base"),
    Known("p2", log=CHEATS),
    Known("p3", json="{not json"),
    Known("p3", design=""),
    Known("p3", conclusion=""),
    Known("p3", steps=""),
    Known("p4", json="no folder"),
    Known("p4", base=False),
    Known("p4", log=""),
    Known("p4", design="+-", steps="-+"),
    Known("p5", steps="+?"),
    Known("p5", design="--", log=CHEATS),
    Known("p5", design="+-", steps="?-", conclusion="-"),
    Known("p5"),
)
"""The answers; the question of each is its place in this list."""

ONE = (Known("p1"),)
"""An answer that nothing is the matter with."""

PATCH = """\
diff --git a/reproduce_exp_bench.sh b/reproduce_exp_bench.sh
new file mode 100755
--- /dev/null
+++ b/reproduce_exp_bench.sh
@@ -0,0 +1 @@
+python keep.py > out.csv # {0}
diff --git a/keep.py b/keep.py
--- a/keep.py
+++ b/keep.py
@@ -1 +1 @@
-{1}
+x = 2
"""


def question(number: int, known: Known) -> ExpTask:
    """The question; the text of each leaf says whose it is."""
    signs = known.design or "++"
    return exp_task(
        conference="conf",
        paper_id=known.paper,
        index=number,
        design=Design(constant={f"d{at}": f"@{number}.D{at}@" for at in range(len(signs))}),
        requirements=tuple(f"Step @{number}.I{at}@" for at in range(2)),
        expected_outcome=f"@{number}.C0@",
        github_url="https://github.com/acme/original",
    )


def write_twenty(folder: Path, known: tuple[Known, ...] = TWENTY) -> None:
    """Write tasks, repositories and answers of that many questions."""
    for number, one in enumerate(known):
        task = question(number, one)
        to_task_folder(task, folder / "tasks" / task.folder)
        if one.base:
            base = folder / "repos" / task.folder
            base.mkdir(parents=True)
            (base / "keep.py").write_text("x = 1\n")
        if one.json != "no folder":
            write_answer(folder / "answers" / task.folder, one)


def write_answer(folder: Path, one: Known) -> None:
    """Write an answer's folder."""
    folder.mkdir(parents=True)
    parts: dict[str, object] = {"design": {"d0": "a"} if one.design else {}}
    parts |= {"conclusion": "So it is."} if one.conclusion else {}
    (folder / "answer.json").write_text(one.json or json.dumps(parts))
    if one.steps:
        line = "y = 1" if one.script.startswith("no patch") else "x = 1"
        (folder / "changes.patch").write_text(PATCH.format(one.script, line))
    if one.log:
        (folder / "agent.log").write_text(f"$ {one.log}\n")


def graded(folder: Path, known: tuple[Known, ...] = ONE, **more: Any) -> ExpResults:
    """Grade what is written in a folder."""
    settings: dict[str, Any] = {"model": judge_model(known), "sandbox": ByScript(), **more}
    return grade_answers(
        folder / "answers",
        folder / "tasks",
        repos=folder / "repos",
        runs=folder / "runs",
        out=folder / "out",
        **settings,
    )


def judge_model(known: tuple[Known, ...] = TWENTY) -> ScriptedModel:
    """A model that grades each leaf as it is known."""
    signs = {
        f"@{number}.{part}{at}@": sign
        for number, one in enumerate(known)
        for part, said in (("D", one.design), ("I", one.steps), ("C", one.conclusion))
        for at, sign in enumerate(said)
    }

    def say(call: ModelCall) -> ModelAnswer:
        asked = call.messages[-1].content.split("CRITERION (")[-1]
        sign = signs[min((mark for mark in signs if mark in asked), key=asked.index)]
        return Refused("it would rather not") if sign == "?" else sign == "+"

    return ScriptedModel(say)


class ByScript:
    """A sandbox that runs nothing, and tells from the script what came of it."""

    name = "fake"
    isolates = True

    async def run(self, submission: Submission, spec: RunSpec) -> Execution:
        """What came of it."""
        script = submission.read("reproduce.sh")
        fails, made = "fails" in script, ("out.csv",) if "works" in script else ()
        execution = Execution(
            status="failed" if fails else "ok",
            exit_code=int(fails),
            created=made,
            submission=_left(submission, made),
        )
        return await FakeSandbox(execution).run(submission, spec)


def _left(submission: Submission, made: tuple[str, ...]) -> Submission:
    scratch = Scratch()
    submission.export(scratch.path)
    for name in made:
        (scratch.path / name).write_text("a,b\n")
    return FolderSubmission.of(scratch.path, scratch=scratch)
