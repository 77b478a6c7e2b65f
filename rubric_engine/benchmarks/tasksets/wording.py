"""A task in words, the same for whoever answers it and for whoever judges the answer. Pure."""

from __future__ import annotations

import json
from typing import Any

from rubric_engine.benchmarks.tasksets.task import ExpectedOutput, Form, SetTask

_DUE: dict[Form, str] = {
    "text": "a text",
    "number": "one number, alone on the last line",
    "list": "a list, one item a line",
    "json": "one JSON value",
    "table": "a table in Markdown or CSV, with a header",
    "csv": "CSV with a header",
    "code": "code in one fenced block",
}


def words_of(task: SetTask) -> str:
    """Background, question, constraints and the form that is due, as Markdown."""
    parts = [f"## Background\n\n{task.background}"] if task.background else []
    parts.append(f"## Question\n\n{task.question}")
    if task.constraints:
        parts.append("## Constraints\n\n" + "\n".join(f"- {each}" for each in task.constraints))
    parts.append(f"## Form of the answer\n\n{form_words(task.expected_output)}")
    return "\n\n".join(parts)


def form_words(expected: ExpectedOutput) -> str:
    """The form that is due, in words."""
    structure = expected.structure
    if structure is None:
        return f"The answer is {_DUE[expected.type]}."
    if isinstance(structure, str):
        return f"The answer is {_DUE[expected.type]}: {structure}"
    if isinstance(structure, list):
        noun = _NAMED.get(expected.type, "parts")
        return (
            f"The answer is {_DUE[expected.type]} with the {noun} {', '.join(map(str, structure))}."
        )
    return f"The answer is {_DUE[expected.type]} of this structure:\n\n{_json(structure)}"


_NAMED: dict[Form, str] = {"json": "keys", "table": "columns", "csv": "columns", "text": "sections"}


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def reference_words(task: SetTask) -> str | None:
    """The reference, for a judge alone; None where there is none."""
    if task.reference is None:
        return None
    parts = []
    if task.reference.answer is not None:
        parts.append(f"A right answer, which the author was not shown:\n\n{task.reference.answer}")
    if task.reference.points:
        points = "\n".join(f"- {point.text}" for point in task.reference.points)
        parts.append(f"What a right answer says:\n\n{points}")
    return "\n\n".join(parts) or None
