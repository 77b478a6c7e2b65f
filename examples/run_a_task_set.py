"""An agent answers twelve tasks and its answers are judged; every fifth request fails at first."""

import json
import re
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from rubric_engine.benchmarks.tasksets import (
    load_task_set,
    run_task_set,
    summarise,
    summarise_by,
)
from rubric_engine.testing import Reply, Request, ScriptedServer

script = json.loads(Path("examples/tasks/scripted.json").read_text(encoding="utf-8"))
asked: Counter[str] = Counter()


def say(request: Request) -> Reply:
    """What the scripted model says: as an agent to a task, as a judge to a criterion."""
    if task := re.match(r"# Task (\S+)", request.question):
        answer = script["answers"][task[1]]
        return Reply(answer, refusal=None if answer else "I would rather not say.")
    criterion = request.question.split("CRITERION (")[1].split("): ")[1]
    name = next(name for name in script["judgements"] if criterion.startswith(name))
    asked[name] += 1
    said = script["judgements"][name][asked[name] - 1]
    verdict = {"met": said} if isinstance(said, bool) else {"score": said}
    found = {"expectations": "", "findings": "", "citations": [], "searched": ["answer.md"]}
    return Reply(found | verdict)


with (
    ScriptedServer(answer=say, fault_at=dict.fromkeys(range(5, 100, 5), "503")) as server,
    TemporaryDirectory() as folder,
):
    results = run_task_set(
        load_task_set("examples/tasks"),
        {"name": "m1", "base_url": server.base_url},  # or "my_package.my_module:answer"
        judge_model={"name": "m2", "base_url": server.base_url},
        runs=Path(folder) / "runs",
        out=Path(folder) / "results",
    )

every = summarise(results)
print(f"{every.success.value:.1%} of {every.success.n} answers came back well-formed")
print(f"mean score {every.score.value:.1%} of {every.score.n} answers")
for phase in summarise_by(results, "phase"):
    print(f"{phase.name:18} {phase.score.value:6.1%}  n {phase.score.n}")
