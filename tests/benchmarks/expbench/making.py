"""Questions of EXP-Bench for tests, whole and random."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from hypothesis import strategies as st

from rubric_engine.benchmarks.expbench import Design, ExpTask
from rubric_engine.benchmarks.expbench.rubric_of import rubric_of
from rubric_engine.benchmarks.expbench.task import Kind
from rubric_engine.case import Task
from rubric_engine.task import task_of

ENTRY: dict[str, Any] = {
    "question": "Does the second momentum help?",
    "method": "Train with and without it.",
    "expected_outcome": "It halves the number of steps.",
    "agent_instructions": "Write a script that trains twice.",
    "requirements": [
        "Step 1: Load the data (/workspace/train.py:1-9)",
        "Step 2: Train with both settings (/workspace/train.py:10)",
    ],
    "source": ["/workspace/train.py"],
    "masked_source": ["/workspace/train.py", "/workspace/lib/optim.py"],
    "design_complexity": {
        "constant_variables": {"data": ["MNIST"], "seed": "0"},
        "independent_variables": {"momentum": ["one", "two"]},
        "dependent_variables": {"steps": "number of steps"},
    },
}


def without(*names: str, **values: Any) -> dict[str, Any]:
    """The entry without some keys, and with others."""
    return {name: value for name, value in ENTRY.items() if name not in names} | values


def paper(folder: Path, *entries: Any, **top: Any) -> Path:
    """Write the file of a paper as the benchmark lays it out."""
    file = folder / "iclr2024" / "7" / "7_complete_final.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"questions": list(entries), **top}, indent=1))
    return file


def exp_task(**values: Any) -> ExpTask:
    """A question of kind 1."""
    known = {
        "conference": "iclr2024", "paper_id": "7", "index": 0, "kind": 1, "question": "Why?",
        "expected_outcome": "Because.", "source_files": ("/workspace/train.py",),
        "masked_files": ("/workspace/train.py",),
        "design": Design(constant={"seed": "0"}),
    }  # fmt: skip
    return ExpTask(**{**known, **values})


def engine_task(**values: Any) -> Task:
    """The same as a task of the engine, whose blacklist has a repository."""
    return replace(task_of(rubric_of(exp_task(**values))), blacklist=("acme/original",))


_odd = st.sampled_from(
    ['"', "'", ",", "\n", "\r\n", "\r", "\\", "\\n", "\\\\", r"\u2019", r"\xa0", r"\xd7", r"\x5c",
     r"\x5cu2019", r"C:\xa0\b", r"C:\users\u00e9", r"\ud83d\ude00", r"\ud83d", "研究",
     "\u00d7", "\u2019",
     "\u00a0", "😀", "[", "]", "{", "a", " ", "None", "x5c", "u2019", "xd7"]
)  # fmt: skip
_any = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.lists(_odd | _any, max_size=8).map("".join)
said = texts.filter(lambda text: bool(text.strip()))
_values = texts | st.lists(texts, max_size=3).map(tuple)
_variables = st.dictionaries(texts, _values, max_size=3)
_names = st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,8}", fullmatch=True)


@st.composite
def tables(draw: st.DrawFn) -> list[ExpTask]:
    """Questions as a CSV gives them, each with its own id."""
    ids = draw(st.lists(st.tuples(_names, _names, st.integers(0, 99)), max_size=4, unique=True))
    return [draw(_task(*one)) for one in ids]


@st.composite
def _task(draw: st.DrawFn, conference: str, paper_id: str, index: int) -> ExpTask:
    kind: Kind = draw(st.sampled_from(get_args(Kind)))
    files = () if kind == 3 else tuple(draw(st.lists(said, min_size=1, max_size=3)))
    url = draw(texts)
    return ExpTask(
        conference=conference, paper_id=paper_id, index=index, kind=kind,
        paper_title=draw(texts), question=draw(said), agent_instructions=draw(said),
        requirements=tuple(draw(st.lists(said, max_size=3))), expected_outcome=draw(said),
        source_files=tuple(dict.fromkeys(files)), masked_files=tuple(dict.fromkeys(files)),
        github_url=draw(texts), subtask_count=draw(st.none() | st.integers(0, 99)),
        design=Design(**{name: draw(_variables) for name in Design.model_fields}),
        extra={"pdf_url": url} if url else {},
    )  # fmt: skip
