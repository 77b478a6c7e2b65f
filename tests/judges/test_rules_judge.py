from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rubric_engine.case import Case, Task
from rubric_engine.errors import SubmissionError
from rubric_engine.judge import Judge
from rubric_engine.judges import RulesJudge
from tests.judges.desk import (
    CODE,
    RESULT,
    grade_of,
    grades_of,
    leaf_of,
    ran,
    result_of,
    rubric_of,
    written,
)

FILES: dict[str, str | bytes] = {"a.py": "def f(): pass\n", "v.csv": "v\n1\n"}

YES = {"file_exists": {"file": "a.py"}}
NO = {"file_exists": {"file": "b.py"}}
WRONG = {"contains": {"file": "a.py", "regex": "("}}
LIMIT = {"log_contains": {"text": "x"}}


def test_it_is_a_judge() -> None:
    judge = RulesJudge()
    assert isinstance(judge, Judge)
    assert judge.card.name == "rules"


def test_a_leaf_without_checks_is_for_a_model(tmp_path: Path) -> None:
    grade = grade_of([], written(tmp_path / "s", FILES))
    assert grade.reason == "needs_model"
    assert not grade.failed


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({"any": [NO, YES]}, 1.0),
        ({"any": [NO, NO]}, 0.0),
        ({"all": [NO, YES]}, 0.0),
        ({"all": [YES, YES]}, 1.0),
        ({"not": NO}, 1.0),
        ({"not": YES}, 0.0),
        ({"not": {"not": {"all": [YES, {"any": [NO, YES]}]}}}, 1.0),
        ({"any": [LIMIT, YES]}, 1.0),
        ({"any": [LIMIT, NO]}, "not_run"),
        ({"all": [LIMIT, NO]}, 0.0),
        ({"all": [LIMIT, YES]}, "not_run"),
        ({"not": LIMIT}, "not_run"),
        ({"any": [WRONG, YES]}, "rubric_error"),
        ({"all": [WRONG, NO]}, "rubric_error"),
        ({"not": WRONG}, "rubric_error"),
        ({"any": [{"all": [NO, WRONG]}, LIMIT, YES]}, "rubric_error"),
    ],
)
def test_any_all_and_not(tmp_path: Path, check: dict[str, Any], expected: float | str) -> None:
    result = result_of(check, written(tmp_path / "s", FILES))
    assert (result.reason or result.score) == expected


def test_a_grade_says_what_was_looked_for_and_found(tmp_path: Path) -> None:
    checks: list[dict[str, Any]] = [YES, {"any": [NO, {"python_defines": {"name": "g"}}]}]
    grade = grade_of(checks, written(tmp_path / "s", FILES))
    assert grade.score == 0.0
    assert grade.explanation.splitlines() == [
        "1 of 2 checks hold.",
        "[yes] file_exists: a file a.py -> 1 file: a.py",
        "[no] any: any of: a file b.py; a name g defined in **/*.py -> "
        "file_exists: no file matches b.py; python_defines: not in 1 file",
    ]


KINDS: list[dict[str, Any]] = [
    YES,
    NO,
    WRONG,
    {"file_absent": {"file": "b.py"}},
    {"contains": {"file": "a.py", "text": "def"}},
    {"python_defines": {"name": "f"}},
    {"python_calls": {"name": "f"}},
    {"exit_code": {}},
    {"log_contains": {"text": "done"}},
    {"produced": {"file": "new.csv"}},
    {"number": {"file": "new.csv", "regex": "([0-9])", "equals": 2}},
    {"sql": {"query": "select max(v) = 2 from 'new.csv'"}},
    {"all": [YES, {"not": NO}]},
]


def test_neither_order_nor_company_of_leaves_changes_a_grade(tmp_path: Path) -> None:
    before = written(tmp_path / "before", FILES)
    run = ran(before, written(tmp_path / "after", {**FILES, "new.csv": "v\n2\n"}), log="done\n")
    leaves = [
        leaf_of([check], key=f"{number}-{category}", task_category=category)
        for number, check in enumerate(KINDS)
        for category in (CODE, RESULT)
    ]
    judge = RulesJudge()
    forward = grades_of(leaves, before, run, judge)
    assert grades_of(leaves[::-1], before, run, judge) == forward
    assert grades_of(leaves[-4:], before, run, judge).items() <= forward.items()
    assert list(forward) == [leaf.key for leaf in leaves]


def test_a_submission_that_changes_meanwhile_is_no_zero(tmp_path: Path) -> None:
    submission = written(tmp_path / "s", FILES)
    (tmp_path / "s" / "a.py").unlink()
    with pytest.raises(SubmissionError):
        submission.read("a.py")
    check = {"contains": {"file": "a.py", "text": "def"}}
    assert grade_of([check], submission).reason == "infra"
    assert grade_of([{"python_defines": {"name": "f"}}], submission).reason == "infra"


ENDLESS = "with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t"


def test_a_cancelled_grading_ends_its_query_and_leaves_no_copies(
    tmp_path: Path, scratch: Path
) -> None:
    submission = written(tmp_path / "s", FILES)
    leaves = [leaf_of([YES], "first"), leaf_of([{"sql": {"query": ENDLESS}}], "endless")]
    case = Case(Task("task", rubric_of(leaves)), submission)

    async def start_and_cancel() -> list[str]:
        keys = []

        async def consume() -> None:
            async for key, _ in RulesJudge().grade(leaves, case):
                keys.append(key)

        task = asyncio.create_task(consume())
        while not list(scratch.iterdir()):  # a folder has no event to wait for
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return keys

    assert asyncio.run(start_and_cancel()) == ["first"]
    assert not list(scratch.iterdir())
