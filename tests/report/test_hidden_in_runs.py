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
from rubric_engine.report.formats import to_json
from tests.report.keys import Drawing
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


def test_what_a_file_hides_stands_in_no_quote_or_reason_of_it(tmp_path: Path) -> None:
    drawn = Drawing(11)
    body = [drawn(64) for _ in range(20)]
    lines = ["-----BEGIN PRIVATE KEY-----", *body, "-----END PRIVATE KEY-----", "a: x", "b: y"]
    said = f"it has {body[8]} and {body[9][:30]}, 'Project' as well"
    cited = Citation(path="b.py", start_line=7, end_line=9, quote="\n".join(body[5:8]))
    named = Citation(path="b.py", start_line=23, end_line=24, quote="a: x\nb: y")
    grades = {"solve": Grade.graded(1, said, [cited, named])}
    run, _ = made(tmp_path, grades, files={"b.py": "\n".join(lines)})
    found = page_run(read_run(run), redact=["a: x\nb: y"])
    at = str(found.run["nodes"]["key"].index("solve"))
    grade = found.chunks[0][at]["grade"]
    assert grade["explanation"] == "it has *** and ***, 'Project' as well"
    assert [one["quote"] for one in grade["citations"]] == ["***\n***\n***", "***\n***"]
    whole = to_json([read_run(run)], redact=["a: x\nb: y"])[0]
    (same,) = (one for key, one in json.loads(whole)["grades"].items() if key == "solve")
    assert [one["quote"] for one in same["citations"]] == ["***\n***\n***", "***\n***"]
    text = json.dumps([found.run, *found.chunks]) + whole
    assert not any(line[:24] in text for line in body)
