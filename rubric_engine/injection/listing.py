"""Which findings are listed where there are too many: some of every kind, from every file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from rubric_engine.injection.finding import Finding, Kind


def fair(findings: Iterable[Finding], most: int) -> tuple[Finding, ...]:
    """At most so many findings, by path and line: one of each kind and file before seconds.

    Whoever plants a thousand harmless places fills the room of their kind and files only, so that
    a place of another kind is listed still, and one in another file where its kind has room.
    """
    queues: dict[Kind, list[tuple[int, Finding]]] = defaultdict(list)
    ranks = Counter[tuple[str, Kind]]()
    for finding in findings:
        queues[finding.kind].append((ranks[finding.path, finding.kind], finding))
        ranks[finding.path, finding.kind] += 1
    rounds = zip_longest(*(_by_rank(queue) for queue in queues.values()))
    chosen = [finding for finding in chain.from_iterable(rounds) if finding is not None][:most]
    return tuple(sorted(chosen, key=lambda each: (each.path, each.line or 0, each.kind)))


def _by_rank(queue: Sequence[tuple[int, Finding]]) -> list[Finding]:
    return [finding for _, finding in sorted(queue, key=lambda ranked: ranked[0])]


class Listing:
    """Counts findings, and keeps those that may be listed.

    Args:
        most: How many are listed.
    """

    def __init__(self, most: int) -> None:
        self.counts = Counter[Kind]()
        self._most = most
        self._kept: list[Finding] = []

    def take(self, found: Iterable[Finding]) -> None:
        """Take findings of one text."""
        here = Counter[Kind]()
        for finding in found:
            here[finding.kind] += 1
            if here[finding.kind] <= self._most:
                self._kept.append(finding)
        self.counts += here
        if len(self._kept) > 20 * self._most:
            self._kept = self._first_of_kinds()

    def listed(self) -> tuple[Finding, ...]:
        """The findings that are listed, by path and line."""
        return fair(self._kept, self._most)

    def _first_of_kinds(self) -> list[Finding]:
        """What can still be listed: of each kind as many as would be if it were the only one."""
        of_kind: dict[Kind, list[Finding]] = defaultdict(list)
        for finding in self._kept:
            of_kind[finding.kind].append(finding)
        return [each for own in of_kind.values() for each in fair(own, self._most)]
