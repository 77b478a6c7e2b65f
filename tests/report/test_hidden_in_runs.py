"""What is hidden in the page data of a run."""

from __future__ import annotations

import json
from pathlib import Path

from rubric_engine import Grade
from rubric_engine.grading import Citation
from rubric_engine.report import (
    page_run,
    read_run,
)
from tests.report.made import made


def test_secrets_and_redacted_texts_go_nowhere(tmp_path: Path) -> None:
    key = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3"
    source = f"x = 1\ntoken = '{key}'\n" + "y = 2\n" * 20 + f"z = '{key}'\n"
    cited = Citation(path="b.py", start_line=2, end_line=2, quote=f"token = '{key}'")
    grade = Grade.graded(1, f"it holds {key} of Project-X", [cited])
    run, _ = made(tmp_path, {"solve": grade}, files={"b.py": source})
    found = page_run(read_run(run), redact=["(?i)project-x"])
    text = json.dumps([found.run, *found.chunks])
    assert key not in text
    assert "roject-X" not in text
    at = str(found.run["nodes"]["key"].index("solve"))
    (place,) = found.chunks[0][at]["grade"]["citations"]
    assert place["excerpt"]["lines"][1] == "token = '***'"
    # The excerpt's, the quote's, the explanation's: what stands in no shown line is not counted.
    assert found.run["masked"] == {"secrets": 3, "redacted": 1}
