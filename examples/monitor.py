"""Was a result honestly come by? Rules look, a person decides, and the run's report follows."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rubric_engine import grade, load_submission, load_task
from rubric_engine.monitored import MonitorDecision
from rubric_engine.runs import decide

task = replace(load_task("heavy-ball"), blacklist=("https://github.com/owner/listed",))
command = {"command": "git clone https://github.com/owner/listed"}
log = json.dumps({"type": "tool_use", "name": "bash", "input": command})

with TemporaryDirectory() as folder:
    submission = load_submission("judgeeval/heavy-ball-partial/submission")
    run = Path(folder) / "runs" / "one"
    report = grade(task, submission, agent_log=log, run_dir=run)
    assert report.monitor is not None
    print(report.monitor.verdict, report.disqualified)
    for finding in report.monitor.findings:
        if finding.severity == "violation":
            print(finding.rule, finding.place)
            said = MonitorDecision(
                finding=finding.id, decision="confirm", why="it cloned it", by="ann", at="today"
            )
            report, _ = decide(run, said)
    print(report.score.value, report.disqualified)
