"""Which files a group is shown."""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rubric_engine.categories import EvidenceKind
from rubric_engine.evidence.account import Choice, account
from rubric_engine.evidence.excerpt import Excerpt
from rubric_engine.evidence.group import PartName
from rubric_engine.evidence.hints import names
from rubric_engine.evidence.holdings import Holdings
from rubric_engine.evidence.rank import words
from rubric_engine.evidence.roles import is_readme
from rubric_engine.rubric import Rubric

Sees = frozenset[EvidenceKind]
Excerpts = dict[PartName, Sequence[Excerpt]]

_CHARS_PER_LEAF = 1000
"""What a leaf sends of its own, about: its text with those above and before it. Groups may send as
much anew as their leaves do, so that prompts of many short leaves are not all files."""

_MOST_ROOMS = 8
"""Files beyond so many rooms make no more groups: of a submission of gigabytes there would be
thousands, which would show files that no criterion is about."""

_COMMON_DOCS = 4
"""A fourth part of the room for files holds documents that all groups see alike."""


@dataclass(frozen=True)
class Shares:
    """How the room of a family of groups, which choose from the same files, is divided.

    Attributes:
        base: Room for documents and code.
        produced: Room for what the run produced.
        most_groups: How many subtrees may have a choice of their own.
    """

    base: int
    produced: int
    most_groups: int


@dataclass(frozen=True)
class Topic:
    """What a subtree is about.

    Attributes:
        query: Words of its top and of what is above it.
        hints: The `evidence` globs of its leaves.
        ranked: Paths that somebody else ranked, the closest first.
    """

    query: tuple[str, ...]
    hints: tuple[str, ...]
    ranked: tuple[str, ...] = ()


class Selector:
    """Chooses from holdings, for one rubric."""

    def __init__(self, rubric: Rubric, holdings: Holdings) -> None:
        self._rubric = rubric
        self._holdings = holdings
        self._bases: dict[tuple[Sees, Topic, int], Excerpts] = {}

    def all_fits(self, sees: Sees) -> bool:
        """Whether a prompt has room for all that these leaves may see."""
        left = self._free(sees)
        for _, shelf, paths in self._holdings.sections(sees):
            total = shelf.total(paths, left)
            if total is None:
                return False
            left -= total
        return left >= 0

    def everything(self, sees: Sees) -> Choice:
        """All that these leaves may see."""
        chosen: Excerpts = {
            name: [shelf.whole(path) for path in paths]
            for name, shelf, paths in self._holdings.sections(sees)
        }
        return self._account(sees, chosen)

    def shares(self, family: Iterable[Sees], leaves: int) -> Shares:
        """Divide the room.

        All groups of a family choose documents and code in the same room, the smallest that one
        of them has left: only then does the prompt of one extend that of another.

        The number of groups is bounded so that what they send anew is at most two times all
        files and about what the leaves send of their own.
        """
        seen = list(family)
        sees = frozenset(sight for one in seen for sight in one)
        free = self._free(sees)
        produced = 0
        if "produced" in sees:
            most = free // (4 if "code" in sees else 2)
            total = self._holdings.executed.total(self._holdings.produced, most)
            produced = most if total is None else total
        room = max(self._holdings.room.chars, 1)
        files = min(self._holdings.bytes_of(sees), _MOST_ROOMS * room)
        most_groups = (2 * files + _CHARS_PER_LEAF * leaves) // room
        return Shares(free - produced, produced, max(1, most_groups))

    def topic(self, top: str, leaves: Iterable[str], ranked: Iterable[str] = ()) -> Topic:
        """What the leaves of a subtree are about: told by its top, never by one leaf's text."""
        path = self._rubric.path(top)
        query = [word for key in (*path, top) for word in words(self._rubric[key].requirements)]
        hints = {glob: None for leaf in leaves for glob in self._rubric[leaf].evidence}
        return Topic(tuple(query), tuple(hints), tuple(ranked))

    def choice(self, sees: Sees, topic: Topic, shares: Shares) -> Choice:
        """Choose for the leaves of one subtree that see the same kinds of evidence."""
        key = (sees & {"docs", "code"}, topic, shares.base)
        if key not in self._bases:
            self._bases[key] = self._base(*key)
        chosen = dict(self._bases[key])
        if "produced" in sees:
            holdings = self._holdings
            scores = holdings.produced_ranking.scores(topic.query)
            ranked = _ranked(holdings.produced, scores, topic)
            chosen["produced"] = _in_order(
                *holdings.executed.fill(ranked, shares.produced), holdings.produced
            )
        return self._account(sees, chosen)

    def _base(self, base: Sees, topic: Topic, room: int) -> Excerpts:
        holdings = self._holdings
        common = self._common_docs(room // _COMMON_DOCS) if "docs" in base else []
        taken = {excerpt.path for excerpt in common}
        order = [path for _, _, paths in holdings.sections(base) for path in paths]
        rest = [path for path in order if path not in taken]
        left = room - sum(excerpt.size for excerpt in common)
        # More documents than the common ones only where no code wants the room: prose has more
        # words than code in common with a criterion, and would always win.
        scores = holdings.ranking.scores(topic.query)
        ranked = _ranked(rest, scores, topic, frozenset(holdings.docs))
        found = _in_order(*holdings.handed_in.fill(ranked, left), order)
        docs = [excerpt for excerpt in found if holdings.roles[excerpt.path] == "docs"]
        code = [excerpt for excerpt in found if holdings.roles[excerpt.path] == "code"]
        return {"docs": common + docs, "code": code}

    def _common_docs(self, room: int) -> list[Excerpt]:
        """The first documents that fit; of a long README at least the beginning."""
        shelf = self._holdings.handed_in
        common: list[Excerpt] = []
        for path in self._holdings.docs:
            excerpt = shelf.whole(path)
            if excerpt.size > room:
                break
            common.append(excerpt)
            room -= excerpt.size
        first = self._holdings.docs[:1]
        if not common and first and is_readme(first[0]):
            piece = shelf.piece(first[0], room)
            return [piece] if piece else []
        return common

    def _free(self, sees: Sees) -> int:
        """Room less what is always shown: script, log and receipt."""
        fixed = sum(excerpt.size for excerpt in self._holdings.always(sees).values())
        return self._holdings.room.limit - self._holdings.receipt_room - fixed

    def _account(self, sees: Sees, chosen: Excerpts) -> Choice:
        always = {name: [excerpt] for name, excerpt in self._holdings.always(sees).items()}
        return account(self._holdings, sees, {**chosen, **always})


def closest_first(holdings: Holdings, paths: Iterable[str], topic: Topic) -> Iterator[str]:
    """Any of the paths held, the closest to a topic first."""
    made = holdings.produced_ranking.scores(topic.query)
    return _ranked(paths, made | holdings.ranking.scores(topic.query), topic)


def _ranked(
    paths: Iterable[str], scores: Mapping[str, float], topic: Topic, last: Container[str] = ()
) -> Iterator[str]:
    """Hinted files first, then ranked ones, `last` ones at the end, else by score, then by path.

    Sorted as far as it is asked for: of thousands of files a prompt takes a few.
    """
    given = {path: at for at, path in enumerate(topic.ranked)}

    def place(path: str) -> tuple[bool, int, bool, float, str]:
        hinted = any(names(glob, path) for glob in topic.hints)
        rank = given.get(path, len(given))
        return not hinted, rank, path in last, -scores.get(path, 0.0), path

    heap = [place(path) for path in paths]
    heapq.heapify(heap)
    while heap:
        yield heapq.heappop(heap)[-1]


def _in_order(whole: list[Excerpt], piece: Excerpt | None, order: Sequence[str]) -> list[Excerpt]:
    """Excerpts in an order that no group decides, so that groups begin alike; a piece last."""
    place = {path: at for at, path in enumerate(order)}
    return [*sorted(whole, key=lambda excerpt: place[excerpt.path]), *([piece] if piece else [])]
