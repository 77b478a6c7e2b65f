"""What could not be read is never taken for absent, nor for present."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rubric_engine.submitted import Submission
from tests.judges.desk import result_of, written

FILES: dict[str, str | bytes] = {
    "plain/a.py": "x = 1\n",
    "binary/a.py": b"x = secret()\0",
    "broken/a.py": "x = secret(\n",
    "pointer/a.py": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "linked/b.py": "x = 1\n",
    "broken/a.json": '{"v": ',
    "plain/a.json": '{"w": 1}',
    "node_modules/a.py": "secret()",
}


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    written(tmp_path / "s", FILES)
    (tmp_path / "s" / "linked" / "a.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "s" / "away").symlink_to(tmp_path)
    return written(tmp_path / "s", {})


def contains(file: str, **more: Any) -> dict[str, Any]:
    return {"contains": {"file": file, "text": "secret", **more}}


def calls(file: str) -> dict[str, Any]:
    return {"python_calls": {"file": file, "name": "secret"}}


def no(check: dict[str, Any]) -> dict[str, Any]:
    return {"not": check}


def number(file: str) -> dict[str, Any]:
    return {"number": {"file": file, "json": "v", "equals": 1}}


TABLE = [
    (contains("plain/*.py", min=0, max=0), 1.0, "0 occurrences"),
    (contains("binary/*.py", min=0, max=0), 0.0, "binary/a.py (binary)"),
    (contains("*/*.py", min=0, max=5), 0.0, "not read: binary/a.py"),
    (contains("pointer/*.py", min=0, max=0), 0.0, "pointer/a.py: "),
    (contains("linked/*.py", min=0, max=0), 0.0, "not read: linked/a.py: link to"),
    (contains("away/*.py", min=0, max=0), 0.0, "away: link to"),
    (no(contains("plain/*.py")), 1.0, "0 occurrences"),
    (no(contains("binary/*.py")), 0.0, "binary/a.py (binary)"),
    (no(contains("linked/*.py")), 0.0, "linked/a.py"),
    (no(contains("away/*.py")), 0.0, "away: link to"),
    (no(contains("**/node_modules/*.py")), 1.0, "no file matches"),
    (no(calls("plain/*.py")), 1.0, "not in 1 file"),
    (no(calls("broken/*.py")), 0.0, "broken/a.py does not parse"),
    (no(calls("linked/*.py")), 0.0, "linked/a.py"),
    (no(calls("pointer/*.py")), 0.0, "pointer/a.py"),
    (no(number("plain/*.json")), 1.0, "no key 'v'"),
    (no(number("broken/*.json")), 0.0, "broken/a.json is no JSON"),
    (no({"sql": {"query": "select v = 1 from 'broken/a.json'"}}), 0.0, "Malformed JSON"),
    ({"file_absent": {"file": "linked/a.py"}}, 0.0, "linked/a.py: link to"),
    ({"file_absent": {"file": "away/a.py"}}, 0.0, "away: link to"),
    ({"file_absent": {"file": "pointer/*"}}, 0.0, "pointer/a.py: "),
    ({"file_absent": {"file": "plain/b.py"}}, 1.0, "none"),
    ({"file_exists": {"file": "linked/a.py"}}, 0.0, "linked/a.py: link to"),
    (no({"file_exists": {"file": "linked/a.py"}}), 0.0, "linked/a.py: link to"),
    (no({"file_absent": {"file": "linked/a.py"}}), 0.0, "linked/a.py: link to"),
    (no(no(contains("binary/*.py"))), 0.0, "binary/a.py"),
    (no(contains("binary/*.py", min=0, max=0)), 0.0, "binary/a.py"),
    (no({"any": [contains("binary/*.py"), contains("plain/*.py")]}), 0.0, "binary/a.py"),
    (no({"all": [contains("binary/*.py"), contains("plain/*.py")]}), 1.0, "binary/a.py"),
    (no({"all": [contains("binary/*.py"), calls("broken/*.py")]}), 0.0, "binary/a.py"),
]


@pytest.mark.parametrize(("check", "score", "found"), TABLE, ids=str)
def test_what_cannot_be_read_speaks_against_every_claim(
    submission: Submission, check: dict[str, Any], score: float, found: str
) -> None:
    result = result_of(check, submission)
    assert (result.score, result.reason) == (score, None), result.found
    assert found in result.found
