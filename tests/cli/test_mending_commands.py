"""What mends an error is the command that goes on with the work at hand."""

from __future__ import annotations

import pytest

from rubric_engine.cli.failure import going_on_by
from rubric_engine.errors import StorageError

AGAIN = "wait, then continue with: rubric-engine {}"


@pytest.mark.parametrize(
    ("words", "latest", "named"),
    [
        (["grade", "sub"], "resume latest", "resume RUN   # once it answers"),
        (["resume"], "resume latest", "resume RUN   # once it answers"),
        (
            ["bench", "run", "my set"],
            "bench run 'my set'",
            "bench run 'my set'   # once it answers",
        ),
        (
            ["judgeeval", "run", "\\1"],
            "judgeeval run '\\1'",
            "judgeeval run '\\1'   # once it answers",
        ),
    ],
)
def test_only_a_grading_is_resumed(words: list[str], latest: str, named: str) -> None:
    fix = [
        AGAIN.format("resume latest"),
        "rubric-engine resume RUN   # once it answers",
        "free space",
    ]
    found = going_on_by(StorageError("full", fix=fix), words)
    assert found.fix == (AGAIN.format(latest), f"rubric-engine {named}", "free space")
