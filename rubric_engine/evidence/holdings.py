"""All that a submission offers as evidence, sorted into the parts of a prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from rubric_engine.categories import EvidenceKind
from rubric_engine.evidence.excerpt import Excerpt
from rubric_engine.evidence.folding import UNSEEN
from rubric_engine.evidence.group import PartName
from rubric_engine.evidence.hints import names
from rubric_engine.evidence.logs import show_log
from rubric_engine.evidence.rank import Ranking, words
from rubric_engine.evidence.receipt import MOST_CHARS, Omission
from rubric_engine.evidence.roles import SCRIPT, Role, is_readme, role
from rubric_engine.evidence.room import Room
from rubric_engine.evidence.shelf import Shelf, Source
from rubric_engine.files import File, FileIndex
from rubric_engine.rubric import Rubric

RANKED_BYTES = 20_000
"""Of each file, what ranking reads; of many files less, so that all are within `_RANKED_TOTAL`."""

_RANKED_TOTAL = 4_000_000

NO_ROOM = "for want of room"


class Holdings:
    """The evidence, before anything is chosen.

    Args:
        rubric: The whole rubric.
        handed_in: The submission as handed in.
        room: Room of a prompt.
        executed: The submission after the run, where there was one.
        produced: Paths of it that the run produced.
        log: What the run printed.
        not_taken: What the run left and nobody can read.
    """

    def __init__(
        self,
        rubric: Rubric,
        handed_in: Source,
        room: Room,
        executed: Source | None,
        produced: Collection[str],
        log: str | None,
        not_taken: Collection[File] = (),
    ) -> None:
        self.room = room
        self.index: FileIndex = handed_in.files
        self.handed_in = Shelf(handed_in, room)
        self.executed = Shelf(executed or handed_in, room)
        known = (executed or handed_in).files
        self.produced = tuple(sorted(path for path in set(produced) if path in known))
        self._produced = frozenset(self.produced)
        self._code_hints = tuple(_code_hints(rubric))
        self.roles: dict[str, Role] = {file.path: self._role(file) for file in self.index}
        self._root = rubric[rubric.root].requirements
        self._log = log or ""
        self._not_taken = tuple(not_taken)
        self._unless_shown: dict[frozenset[EvidenceKind], tuple[Omission, ...]] = {}

    def _role(self, file: File) -> Role:
        """The role of a file that was handed in; data that a rubric points at stands with code."""
        found = role(file)
        if found != "data" or file.path in self._produced:
            return found
        return "code" if any(names(glob, file.path) for glob in self._code_hints) else "data"

    def sections(
        self, sees: Collection[EvidenceKind]
    ) -> Iterator[tuple[PartName, Shelf, Sequence[str]]]:
        """The files that leaves may see, part by part, in the order of a prompt."""
        if "docs" in sees:
            yield "docs", self.handed_in, self.docs
        if "code" in sees:
            yield "code", self.handed_in, self.code
        if "produced" in sees:
            yield "produced", self.executed, self.produced

    def always(self, sees: Collection[EvidenceKind]) -> dict[PartName, Excerpt]:
        """Script and log, as far as leaves may see them and there are any."""
        found: dict[PartName, Excerpt] = {}
        if "script" in sees and self.script is not None:
            found["script"] = self.script
        if "log" in sees and self.log is not None:
            found["log"] = self.log
        return found

    def bytes_of(self, sees: Collection[EvidenceKind]) -> int:
        """Bytes of all files that leaves may see."""
        return sum(
            shelf.file(path).size for _, shelf, paths in self.sections(sees) for path in paths
        )

    def size_of(self, path: str) -> int:
        """Bytes of a file, or of the log."""
        if path in self.index:
            return self.index[path].size
        if path in self._produced:
            return self.executed.file(path).size
        return len(self._log.encode("utf-8", "surrogatepass"))

    def unless_shown(self, sees: frozenset[EvidenceKind]) -> tuple[Omission, ...]:
        """A line of the receipt for every file, as it stands there if the file is not shown."""
        if sees not in self._unless_shown:
            lines = {file.path: _skipped(file) for file in self.index.skipped}
            if "produced" in sees:
                for path in self.produced:
                    lines[path] = Omission(path, NO_ROOM, self.executed.file(path).size)
            for file in self.index:
                lines[file.path] = Omission(file.path, self._why(sees, file), file.size)
            if sees & {"produced", "log"}:  # who judges a run is told what it left
                lines |= {
                    file.path: Omission(file.path, file.skipped or "", file.size)
                    for file in self._not_taken
                }
            self._unless_shown[sees] = tuple(lines[path] for path in sorted(lines))
        return self._unless_shown[sees]

    def _why(self, sees: frozenset[EvidenceKind], file: File) -> str:
        role = self.roles[file.path]
        if role in sees or ("produced" in sees and file.path in self._produced):
            return NO_ROOM
        if role == "data":
            return "data that was handed in, and not made by the run"
        if role == "other":
            return f"{file.kind}, no text"
        return UNSEEN

    @property
    def receipt_room(self) -> int:
        """What is kept free for the receipt."""
        return min(MOST_CHARS, self.room.limit // 8)

    @cached_property
    def script(self) -> Excerpt | None:
        """`reproduce.sh`, or its beginning."""
        if self.roles.get(SCRIPT) != "script":
            return None
        most = self.room.limit // 8
        whole = self.handed_in.whole(SCRIPT)
        return whole if whole.size <= most else self.handed_in.piece(SCRIPT, most)

    @cached_property
    def log(self) -> Excerpt | None:
        """The log, or its telling lines."""
        return show_log(self._log, self.room, self.room.limit // 4)

    @cached_property
    def ranking(self) -> Ranking:
        """Ranks code and documents as handed in."""
        return self._ranking(self.handed_in, [*self.code, *self._docs])

    @cached_property
    def produced_ranking(self) -> Ranking:
        """Ranks what the run produced."""
        return self._ranking(self.executed, self.produced)

    @cached_property
    def code(self) -> tuple[str, ...]:
        """Paths of the code, in the order of a prompt."""
        return self._of("code")

    @cached_property
    def docs(self) -> tuple[str, ...]:
        """Paths of the documents in the order of a prompt: the one that all should see first."""
        scores = self.ranking.scores(words(self._root))
        return tuple(
            sorted(
                self._docs,
                key=lambda path: (not is_readme(path), -scores.get(path, 0.0), path),
            )
        )

    @property
    def _docs(self) -> tuple[str, ...]:
        return self._of("docs")

    def _of(self, wanted: Role) -> tuple[str, ...]:
        return tuple(path for path, found in sorted(self.roles.items()) if found == wanted)

    def _ranking(self, shelf: Shelf, paths: Collection[str]) -> Ranking:
        most = min(RANKED_BYTES, _RANKED_TOTAL // (len(paths) or 1))
        return Ranking({path: shelf.beginning(path, most) for path in paths})


def _code_hints(rubric: Rubric) -> dict[str, None]:
    """The `evidence` globs of leaves that may see code, each once."""
    return {
        glob: None
        for leaf in rubric.leaves()
        if "code" in rubric.category_of(leaf).sees
        for glob in rubric[leaf].evidence
    }


def _skipped(file: File) -> Omission:
    return Omission(file.path, f"skipped: {file.skipped}", file.size)
