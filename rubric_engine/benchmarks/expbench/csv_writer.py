"""`dump_expbench_csv`: questions as the CSV that `load_expbench` reads back as the same."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from rubric_engine.benchmarks.expbench.csv_file import COLUMNS
from rubric_engine.benchmarks.expbench.escapes import guarded
from rubric_engine.benchmarks.expbench.task import ExpTask, Values


def dump_expbench_csv(tasks: Iterable[ExpTask]) -> str:
    """Write questions as a CSV of the data set's 14 columns.

    Questions that were read from such a CSV come back equal. Of those from a paper's JSON file
    the method comes back before the instructions, as the data set has them, files to be hidden as
    those that answer it, and of what else is known only `pdf_url`.

    Args:
        tasks: The questions.

    Returns:
        The text; every cell is in quotes, and lines end in a newline.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(list(_cells(task)) for task in tasks)
    return text.getvalue()


def _cells(task: ExpTask) -> Iterator[str]:
    yield task.conference
    yield task.paper_id
    yield guarded(task.paper_title)
    yield str(task.index)
    yield str(task.kind)
    yield "" if task.subtask_count is None else str(task.subtask_count)
    yield guarded(task.question)
    parts = (task.method, task.agent_instructions)
    yield guarded("\n\n".join(part for part in parts if part))
    yield _list(task.requirements)
    yield guarded(task.expected_outcome)
    yield _list(task.hidden_files)
    yield guarded(task.github_url)
    yield guarded(str(task.extra.get("pdf_url", "")))
    yield _design(task)


def _list(texts: Iterable[str]) -> str:
    return repr([guarded(text) for text in texts])


def _design(task: ExpTask) -> str:
    groups = {
        f"{name}_variables": {guarded(key): _values(value) for key, value in variables.items()}
        for name, variables in task.design.groups()
    }
    return json.dumps(groups, ensure_ascii=False)


def _values(values: Values) -> str | list[str]:
    return guarded(values) if isinstance(values, str) else [guarded(value) for value in values]
