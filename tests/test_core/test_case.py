"""A case's files: of the submission as handed in, and of what its run left."""

from __future__ import annotations

from pathlib import Path

from rubric_engine.case import Case, Task
from rubric_engine.isolation import Execution
from rubric_engine.submission import load_submission
from tests.strategies import flat, leaf


def test_each_file_comes_once_and_again_where_the_run_changed_it(tmp_path: Path) -> None:
    texts = {"large.csv": "1,2\n" * 9, "a.py": "x = 1\n", "steps.csv": "1\n"}
    for name, more in {"before": {}, "after": {"steps.csv": "1,2,3\n2\n", "b.md": "b"}}.items():
        (tmp_path / name).mkdir()
        for path, text in (texts | more).items():
            (tmp_path / name / path).write_text(text)
    before, after = (load_submission(tmp_path / name) for name in ("before", "after"))
    case = Case(Task("t", flat(leaf("x"))), before, Execution(status="ok", submission=after))
    found = [(source is after, file.path) for source, file in case.files()]
    assert found == [
        (True, "b.md"), (False, "steps.csv"), (False, "a.py"), (True, "steps.csv"),
        (False, "large.csv"),
    ]  # fmt: skip
    assert case.sources == (before, after)
    assert [file.path for _, file in Case(case.task, before).files()] == [
        "steps.csv", "a.py", "large.csv",
    ]  # fmt: skip
