"""What the tests of evidence share: rubrics and submissions as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rubric_engine.criterion import Criterion
from rubric_engine.evidence import Plan, Planner, Room, Source
from rubric_engine.files import File, FileIndex, Kind, sniff
from rubric_engine.judges.simple.sending import in_order
from rubric_engine.rubric import Rubric

CODE, EXECUTION, RESULTS = "Code Development", "Code Execution", "Result Analysis"


def source(files: Mapping[str, str | bytes], skipped: Sequence[File] = ()) -> Source:
    """A submission in memory; bytes are files without text."""
    texts = {path: text for path, text in files.items() if isinstance(text, str)}
    entries = [_file(path, content) for path, content in files.items()]
    return Source(FileIndex.of([*entries, *skipped]), lambda path, most: texts[path][:most])


def room(max_chars: int | None = 120_000, tokens: int = 1_000_000) -> Room:
    """A room in which a character is a token."""
    return Room(tokens, len, max_chars)


def leaf(key: str, category: str = CODE, text: str = "", **more: object) -> Criterion:
    """A leaf."""
    return Criterion.model_validate(
        {"id": key, "key": key, "requirements": text or key, "task_category": category, **more}
    )


def group(key: str, text: str = "") -> Criterion:
    """A criterion with sub-tasks."""
    return Criterion(id=key, key=key, requirements=text or key)


def rubric(leaves: Iterable[Criterion], root: str = "the paper is reproduced") -> Rubric:
    """A root with these leaves."""
    return Rubric.build([(None, group("root", root)), *(("root", one) for one in leaves)])


def topics(count: int, names: Sequence[str], categories: Sequence[str] = (CODE,)) -> Rubric:
    """A subtree for each name, with `count` leaves of each category."""
    pairs: list[tuple[str | None, Criterion]] = [(None, group("root", "everything"))]
    for name in names:
        pairs.append(("root", group(name, f"The {name} is right")))
        pairs += [
            (name, leaf(f"{name}-{category}-{at}", category))
            for category in categories
            for at in range(count)
        ]
    return Rubric.build(pairs)


def plan(
    tree: Rubric,
    handed_in: Source,
    within: Room,
    *,
    ranked: Mapping[str, Sequence[str]] | None = None,
    **more: Any,
) -> Plan:
    """The plan for a submission; `more` as `Planner` takes it."""
    return Planner(tree, handed_in, within, **more).plan(ranked or {})


def before(made: Plan) -> dict[str, str | None]:
    """By each group's key, in the order of sending, that of the one whose leader goes before."""
    pending = {group: group.leaves for group in made.groups}
    return {group.key: after for group, after in in_order(pending)}


def _file(path: str, content: str | bytes) -> File:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    kind: Kind = sniff(data)
    if isinstance(content, str) and kind not in ("notebook", "empty", "lfs_pointer"):
        kind = "text"
    return File(path, len(data), "0" * 64, kind)
