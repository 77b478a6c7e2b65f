"""A chat model grades under a cap; the cap stops the run, and a higher one goes on with it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from rubric_engine import Spending, grade, load_submission, load_task, resume
from rubric_engine.testing import ScriptedServer

with ScriptedServer() as server, TemporaryDirectory() as folder:
    run = Path(folder) / "runs" / "first"
    report = grade(
        load_task("heavy-ball"),
        load_submission("judgeeval/heavy-ball-full/submission"),
        judge="simple",
        model={"name": "scripted", "base_url": server.base_url},  # or only a name: "gpt-5.6"
        spending=Spending(max_tokens=100_000),
        run_dir=run,
    )
    print(f"{report.statuses['graded']} leaves graded; {report.reasons}")

    report = resume(run, spending=Spending(max_tokens=1_000_000))
    print(f"{report.statuses['graded']} leaves graded; {report.cost['calls']:.0f} calls in all")
