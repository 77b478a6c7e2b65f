"""What the pictures of the documentation show: shipped submissions, graded, compared and labelled.

Files are written once; what a server shows is served anew for each picture, as an address lets in
one browser.
"""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from rubric_engine.case import Case
from rubric_engine.cli.app import run
from rubric_engine.cli.label_plan import make_labelling
from rubric_engine.judgeeval.labelling.book import PlannedBook
from rubric_engine.judgeeval.labelling.folder import LabelFolder
from rubric_engine.labels import Label
from rubric_engine.rubric_file import load_rubric
from rubric_engine.rundir import RunFolder
from rubric_engine.runs import load_report
from rubric_engine.task import load_task
from rubric_engine.web.kept_case import kept_case
from rubric_engine.web.labelling.app import label_app
from rubric_engine.web.labelling.opening import blind_desk, deciding_desk
from rubric_engine.web.serving import Ending
from rubric_engine.web.viewing.app import view_app
from rubric_engine.web.viewing.shelf import Shelf
from tests.web.serving import served

Shown = Callable[[], AbstractContextManager[str]]
"""Opens a page: gives the address of it."""

PARTIAL, WRONG, CHINESE = "heavy-ball-partial", "heavy-ball-wrong", "count-min-partial"

GOES_ON = "2026-05-01-heavy-ball-7f3a2c"
"""Name of the run that is shown as it goes on."""


def pages(folder: Path) -> Mapping[str, Shown]:
    """Grade, and say how each page is opened.

    Args:
        folder: Where runs and pages go.
    """
    runs = {name: _graded(folder, name) for name in (PARTIAL, WRONG, CHINESE)}
    for name in (PARTIAL, CHINESE):
        run(["report", str(runs[name]), "-o", str(folder / f"{name}.html")])
    run(["judgeeval", "report", "judgeeval/results", "--html", str(folder / "evaluation.html")])
    pair = [str(runs[name]) for name in (WRONG, PARTIAL)]
    run(["compare", *pair, "--html", str(folder / "compare.html")])
    files = (PARTIAL, CHINESE, "evaluation", "compare")
    return {name: _file(folder / f"{name}.html") for name in files} | {
        "view": lambda: _view(folder, runs),
        "label": lambda: _label(folder, runs[PARTIAL], adjudicates=False),
        "adjudicate": lambda: _label(folder, runs[PARTIAL], adjudicates=True),
    }


def _graded(folder: Path, name: str) -> Path:
    base = folder / "runs" / name
    task = ["--task", name.rpartition("-")[0], "--judge", "rules", "--sandbox", "local"]
    run(["grade", f"judgeeval/{name}/submission", *task, "--runs", str(base)])
    return next(path.parent for path in base.glob("*/run.json"))


def _file(path: Path) -> Shown:
    @contextmanager
    def shown() -> Iterator[str]:
        yield path.as_uri()

    return shown


@contextmanager
def _view(folder: Path, runs: Mapping[str, Path]) -> Iterator[str]:
    """All runs, and one that goes on, of which half is graded."""
    base = folder / "viewed"
    shutil.rmtree(base, ignore_errors=True)
    for path in runs.values():
        shutil.copytree(path, base / path.name)
    done, ending = load_report(runs[PARTIAL]), Ending()
    facts = json.loads((runs[PARTIAL] / "run.json").read_text())
    left = ("run", "status", "started", "seal", "score")
    with RunFolder(base / GOES_ON) as going:
        going.write_rubric(load_rubric(runs[PARTIAL] / "rubric.json"))
        going.state("running", {name: fact for name, fact in facts.items() if name not in left})
        for key, grade in itertools.islice(done.grades.items(), len(done.grades) // 2):
            going.append(key, grade)
        with served(view_app(Shelf([base]), ending), ending) as server:
            yield f"{server.origin}/?token={server.token}"


@contextmanager
def _label(folder: Path, run_path: Path, *, adjudicates: bool) -> Iterator[str]:
    """An annotator who has begun, or an adjudicator of two who disagree."""
    case = kept_case(run_path, load_report(run_path).rubric)
    labels = folder / "labels"
    shutil.rmtree(labels, ignore_errors=True)
    plan = make_labelling(
        labels,
        Path(f"judgeeval/{PARTIAL}/submission"),
        load_task("heavy-ball"),
        case.submission,
        ("ada", "ben"),
    )
    _begin(plan, case)
    desk = deciding_desk(plan, "cleo", case) if adjudicates else blind_desk(plan, "ada", case)
    with served(label_app(desk)) as server:
        yield f"{server.origin}/?token={server.token}"


def _begin(plan: LabelFolder, case: Case) -> None:
    """The first leaves, on every third of which the two disagree."""
    keys = case.task.rubric.leaves()[:12]
    met = Label(verdict="met", reason="The lines that I cite do what is asked.")
    lacks = Label(verdict="not_met", reason="The step is computed, but from another constant.")
    PlannedBook(plan, "ada").put(dict.fromkeys(keys, met))
    PlannedBook(plan, "ben").put({key: met if at % 3 else lacks for at, key in enumerate(keys)})
