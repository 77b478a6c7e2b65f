"""EXP-Bench's files of a paper: `<conference>/<paper>/<paper>_complete_final.json`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rubric_engine.benchmarks.expbench.fields import design_of, kind_fits, text_of, texts_of
from rubric_engine.benchmarks.expbench.notes import DOUBTFUL, TAKEN, WRONG, Notes, Part
from rubric_engine.benchmarks.expbench.task import PLAIN_NAME, ExpTask, Kind
from rubric_engine.errors import TaskError
from rubric_engine.rubric_file.document import Document
from rubric_engine.rubric_file.json_text import parse_json
from rubric_engine.rubric_file.models import fault_problems, too_deep
from rubric_engine.rubric_file.scalars import NotJsonError, free, shown
from rubric_engine.rubric_file.source import Blame

JSON_ENDING = "_complete_final.json"
"""How the file of a paper ends."""

_TOP = ("questions", "main_takeaways", "follow_up_work_ideas")
_READ = (
    "question", "hypothesis", "method", "agent_instructions", "requirements", "expected_outcome",
    "source", "masked_source", "design_complexity",
)  # fmt: skip
_KEPT = (
    "subsection_source", "no_answer", "mode", "usage_instructions", "design_ambiguity",
    "experiment_setup_complexity", "experiment_setup_ambiguity", "experiment_constraints",
    "random_uncertainty", "systematic_uncertainty",
)  # fmt: skip
_SETUP = "experiment_setup_complexity"


def read_json(text: str, path: Path, notes: Notes) -> list[ExpTask]:
    """Read the questions of a paper.

    Args:
        text: Text of the file.
        path: Where it lies; its last folders and its name say the conference and the paper.
        notes: Takes what is wrong and what was let pass.

    Returns:
        The questions that can be read.

    Raises:
        TaskError: It is not JSON.
    """
    document = parse_json(text, str(path), Blame(TaskError, WRONG, "file"), placed=True)
    notes.problems += fault_problems(document, WRONG)
    top = _top(document, notes)
    if top is None:
        return []
    raw = top.values.get("questions")
    if not isinstance(raw, list):
        found = "missing" if raw is None else shown(raw)
        top.wrong("questions", f"'questions' is {found}, a list is due")
        return []
    named = _names(path, top)
    read = (_entry(top, raw, index, named) for index in range(len(raw)))
    return [task for task in read if task is not None]


def _top(document: Document, notes: Notes) -> Part | None:
    places = document.places
    assert places is not None
    value = document.value

    def where(loc: Any, of_key: bool) -> Any:
        return document.place(places.along(value, loc, of_key=of_key))

    if not isinstance(value, dict) or too_deep(value):
        found = "nested too deeply" if isinstance(value, dict) else shown(value)
        notes.wrong(f"the file is {found}; a mapping with 'questions' is due", where((), False))
        return None
    for name in value:
        if name not in _TOP:
            notes.unknown(name, _TOP, where((name,), True))
    return Part(value, where, notes, "the file")


def _names(path: Path, top: Part) -> tuple[str, str]:
    """Conference and paper, as the path says them."""
    folders = path.absolute().parent
    paper = path.name.removesuffix(JSON_ENDING).removesuffix(".json")
    # The file of a paper lies in a folder of that name, in that of the conference.
    above = folders.parent.name if folders.name == paper else folders.name
    for name in (above, paper):
        if not re.fullmatch(PLAIN_NAME, name):
            hint = "<conference>/<paper>/<paper>_complete_final.json"
            top.wrong("questions", f"{name!r} in its path is no plain name", hint)
            return "unknown", "unknown"
    return above, paper


def _entry(top: Part, raw: list[Any], index: int, named: tuple[str, str]) -> ExpTask | None:
    place = top.where(("questions", index), False)
    name = f"question {index}"
    if not isinstance(raw[index], dict):
        top.notes.wrong(f"{name} is {shown(raw[index])}, a mapping is due", place)
        return None
    before = len(top.notes.problems)

    def where(loc: Any, of_key: bool) -> Any:
        return top.where(("questions", index, *loc), of_key)

    part = Part(raw[index], where, top.notes, name, frozenset((*_READ, *_KEPT)))
    values = _values(part)
    if len(top.notes.problems) > before:
        return None
    return ExpTask(conference=named[0], paper_id=named[1], index=index, **values)


def _values(part: Part) -> dict[str, Any]:
    kind, source, masked = _kind(part), texts_of(part, "source"), texts_of(part, "masked_source")
    kind_fits(part, kind, (*source, *masked), "masked_source" if masked else "source")
    return {
        "kind": kind,
        "question": _question(part),
        "method": text_of(part, "method", needed=True),
        "agent_instructions": text_of(part, "agent_instructions"),
        "requirements": _requirements(part, kind),
        "expected_outcome": text_of(part, "expected_outcome", needed=True),
        "source_files": source,
        "masked_files": masked or source,
        "design": design_of(part, "design_complexity"),
        "extra": _extra(part),
    }


def _kind(part: Part) -> Kind:
    if "masked_source" in part.values:
        return 1
    return 2 if "source" in part.values or "mode" in part.values else 3


def _question(part: Part) -> str:
    if "question" not in part.values and "hypothesis" in part.values:
        part.warn(TAKEN, "hypothesis", "'hypothesis' is taken as the question")
        return text_of(part, "hypothesis", needed=True)
    return text_of(part, "question", needed=True)


def _requirements(part: Part, kind: Kind) -> tuple[str, ...]:
    """Those of the file; where none were drawn from code, the steps of the set-up."""
    found = texts_of(part, "requirements")
    setup = part.values.get(_SETUP)
    if not found and kind == 3 and isinstance(setup, dict):
        found = texts_of(part.inside(_SETUP, setup), "setup_steps")
    if not found:
        part.warn(DOUBTFUL, "requirements", "there are no requirements: nothing of it is graded")
    return found


def _extra(part: Part) -> dict[str, Any]:
    kept = {}
    for name, raw in part.values.items():
        if name in _READ:
            continue
        if name not in _KEPT:
            part.notes.unknown(name, (*_READ, *_KEPT), part.where((name,), True))
        try:
            kept[name] = free(raw)
        except NotJsonError as error:
            part.wrong(name, f"{name!r}: {error}")
    return kept
