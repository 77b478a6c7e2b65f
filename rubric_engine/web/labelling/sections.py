"""The paper in sections, and which of them a leaf is about. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rubric_engine.case import Task
from rubric_engine.evidence.rank import Ranking, words
from rubric_engine.rubric import Rubric
from rubric_engine.web.labelling.blocks import Block, blocks

NEAREST = 5
"""Sections that are offered for a leaf."""

_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*\S)")
_FENCE = re.compile(r"\s*(```|~~~)")
_KIND = re.compile(r"^(sections?|sec\.?|appendix|app\.?|§)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, up to the next one."""

    title: str
    text: str

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Both as a reader sees them."""
        return (Block("heading", (self.title,)), *blocks(self.text))


class Paper:
    """What a task says, in sections: the paper, then what was added to it.

    Args:
        task: The task.
    """

    def __init__(self, task: Task) -> None:
        self.sections = tuple(_sections(task))

    def near(self, rubric: Rubric, leaf: str) -> list[int]:
        """Numbers of the sections that a leaf is most likely about, the likeliest first.

        Where the leaf names a place, sections whose title has it come first; the others follow by
        the words that they share with the leaf and with what stands above it.

        Args:
            rubric: The rubric.
            leaf: Key of the leaf.
        """
        named = self._named(rubric[leaf].paper_ref or "")
        *above, _ = rubric.path(leaf)
        query = words(rubric[leaf].requirements)
        query += words(" ".join(rubric[key].requirements for key in above[-2:]))
        scores = self._ranking.scores(query)
        ranked = sorted(scores, key=lambda key: (-scores[key], int(key)))
        return list(dict.fromkeys([*named, *map(int, ranked)]))[:NEAREST]

    def search(self, wanted: str) -> list[int]:
        """Numbers of the sections that hold a text, whatever its case."""
        needle = wanted.casefold()
        return [
            number
            for number, section in enumerate(self.sections)
            if needle and needle in f"{section.title}\n{section.text}".casefold()
        ]

    def _named(self, place: str) -> list[int]:
        bare = _KIND.sub("", place.strip()).casefold()
        if not bare:
            return []
        return [
            number
            for number, section in enumerate(self.sections)
            if _KIND.sub("", section.title).casefold().startswith(bare) or bare == _number(section)
        ]

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking(
            {str(at): f"{each.title}\n{each.text}" for at, each in enumerate(self.sections)}
        )


def _number(section: Section) -> str:
    return section.title.split(" ")[0].strip(".:").casefold()


def _sections(task: Task) -> Iterator[Section]:
    texts = {"Paper": task.paper, "Addendum": task.addendum}
    texts["Addendum for judges"] = task.judge_addendum
    for name, text in texts.items():
        for section in _split(text or "", name):
            title = (
                section.title if name in ("Paper", section.title) else f"{name}: {section.title}"
            )
            yield Section(title, section.text)


def _split(text: str, beginning: str) -> Iterator[Section]:
    title, lines, is_code = beginning, [], False
    found: list[Section] = []
    for line in text.split("\n"):
        is_code ^= _FENCE.match(line) is not None
        heading = None if is_code else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        found.append(Section(title, "\n".join(lines).strip()))
        title, lines = heading["title"], []
    found.append(Section(title, "\n".join(lines).strip()))
    return (each for each in found if each.text or each.title != beginning)
