"""Collects what is wrong with a rubric while it is read, and places it afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubric_engine.errors import Problem, RubricError
from rubric_engine.near import near
from rubric_engine.rubric_file.document import KEEP, Document
from rubric_engine.rubric_file.models import fault_problems, several
from rubric_engine.rubric_file.places import Mark

_DEEPEST_TRAIL = 20
_MOST_KEYS = 200


# Neither frozen nor compared: there are as many of these as criteria.
@dataclass(slots=True, eq=False)
class Node:
    """A criterion as it stands in the file.

    Attributes:
        raw: Its mapping.
        parent: The node above it.
        leaf: True without sub-tasks; None where `sub_tasks` is no list.
    """

    raw: dict[str, Any]
    parent: Node | None
    leaf: bool | None = True

    @property
    def name(self) -> str:
        """Its id as a message shows it."""
        return repr(str(self.raw["id"])) if "id" in self.raw else "without an id"

    def above(self) -> tuple[str, ...]:
        """Texts of the nodes above it, from the root down; of very many, the nearest."""
        trail: list[str] = []
        node = self.parent
        while node is not None and len(trail) < _DEEPEST_TRAIL:
            trail.append(str(node.raw.get("requirements") or node.name))
            node = node.parent
        return tuple(reversed(trail))


@dataclass(frozen=True)
class Flaw:
    """A problem whose place is not yet known.

    Attributes:
        code: Its code.
        message: What is wrong.
        container: The mapping or list that it stands in.
        loc: Path from there.
        of_key: Whether the place of the last key is meant, not that of its value.
        node: The criterion concerned.
        hint: What would mend it.
        inside: How far into the text of the value, in characters.
    """

    code: str
    message: str
    container: Any
    loc: tuple[Any, ...] = ()
    of_key: bool = False
    node: Node | None = None
    hint: str | None = None
    inside: int = 0


class Flaws:
    """The flaws of one document; so many that nobody reads them are only counted."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.kept: list[Flaw] = []
        self.unkept = 0

    def __len__(self) -> int:
        return len(self.kept) + self.unkept

    @property
    def full(self) -> bool:
        """True where further flaws are only counted."""
        return len(self.kept) >= KEEP

    def add(self, flaw: Flaw) -> None:
        """Take a flaw."""
        if self.full:
            self.unkept += 1
        else:
            self.kept.append(flaw)

    def mark(self, container: Any, loc: Sequence[Any] = (), *, of_key: bool = False) -> Mark:
        """A position, the start of the file where the document has none."""
        places = self.document.places
        return places.along(container, loc, of_key=of_key) if places else (1, 1)

    def error(self) -> RubricError:
        """The error that lists everything; the document must have positions."""
        # What an alias or a tag stands for is not known, so what follows from it is noise.
        faults = list(fault_problems(self.document))
        unknown_content = any(problem.code == "E216" for problem in faults)
        found = [] if unknown_content else [self._problem(flaw) for flaw in self.kept]
        error = several([*faults, *found], RubricError, unkept=self.unkept + self.document.unkept)
        assert isinstance(error, RubricError)
        return error

    def _problem(self, flaw: Flaw) -> Problem:
        node = flaw.node
        mark = self.mark(flaw.container, flaw.loc, of_key=flaw.of_key)
        if flaw.inside:
            mark = self.document.within(mark, flaw.container[flaw.loc[0]], flaw.inside)
        return Problem(
            flaw.code,
            flaw.message,
            self.document.place(mark),
            key=str(node.raw["id"]) if node and "id" in node.raw else None,
            path=node.above() if node else (),
            hint=flaw.hint,
        )


def near_key(name: str, mapping: Mapping[str, Any]) -> str | None:
    """The near miss of a name among the keys of a mapping that a person may have written."""
    return near(name, mapping) if len(mapping) <= _MOST_KEYS else None
