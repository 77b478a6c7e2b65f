"""The runs that can be looked at, by id, and what is read of them.

An id out of an address is looked up in the list of runs; it never becomes a part of a path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rubric_engine.errors import RubricEngineError
from rubric_engine.report import LABELS, Mask, RunPage, chunk_of, page_run, read_run
from rubric_engine.report.reading import RunMaterial
from rubric_engine.report.sources import MaskedTexts
from rubric_engine.runs import KeptRun
from rubric_engine.web.viewing.folders import Found, RunFolders
from rubric_engine.web.viewing.given import Given
from rubric_engine.web.viewing.heads import listed, mark_of
from rubric_engine.web.viewing.hiding import Hiding
from rubric_engine.web.viewing.known import Known, Stamp, stamp_of
from rubric_engine.web.viewing.live import Live
from rubric_engine.web.viewing.unread import unread

_FILES = ("run.json", "report.json", "grades.jsonl", "rubric.json", LABELS)
"""What page data follow from; all else of a run's folder does not change any more."""

_PAGES = 3
"""Runs that are held whole: a page shows one, and somebody may go back and forth."""

_CHUNKS = 12
"""Chunks that are held of runs whose page is not, as while a run goes on."""


class Shelf:
    """All runs of this user in some folders, or some runs that were named.

    What it holds is bounded, however long it is open: the files and pages of `_PAGES` runs,
    `_CHUNKS` chunks, two states of each run that was asked for within two minutes (`Given`), and a
    few lines of every other.

    Args:
        bases: Folders of runs.
        only: Folders of the only runs that are shown; empty for all.
        redact: Patterns of google-re2; what they find is hidden in all texts.

    Attributes:
        hiding: Hides it, and secrets.

    Raises:
        UsageError: A pattern is none.
    """

    def __init__(
        self, bases: Sequence[Path], only: Sequence[Path] = (), redact: Sequence[str] = ()
    ) -> None:
        self.hiding = Hiding(redact)
        self._folders = RunFolders(bases, only, self.hiding.name)
        self._heads: Known[dict[str, Any] | str] = Known(10_000)
        self._read: Known[RunMaterial] = Known(_PAGES)
        self._pages: Known[RunPage] = Known(_PAGES)
        self._chunks: Known[Mapping[str, Any] | None] = Known(_CHUNKS)
        self._live: Known[Live] = Known(_PAGES)
        self._given = Given()
        self._version = version("rubric-engine")

    @property
    def found(self) -> Found:
        """The runs that there are now."""
        return self._folders.look()

    def has(self, id: str) -> bool:
        """Whether there is such a run."""
        return self._folders.run(id) is not None

    def page(self) -> dict[str, Any]:
        """All runs without their criteria as page data, those of JudgeEval last.

        What cannot be shown is there as well: `broken`, each with an `id` and `why`; `strangers`,
        how many runs somebody else made; `looked`, where runs were looked for; `redacted`, whether
        a person named what is to be hidden.
        """
        found = self.found
        heads = {name: self._head(name, run) for name, run in found.runs.items()}
        self._heads.keep(heads)
        shown = [{"id": name, **head} for name, head in heads.items() if not isinstance(head, str)]
        why = {name: head for name, head in heads.items() if isinstance(head, str)}
        why |= {self.hiding.name(name): text for name, text in found.broken.items()}
        return {
            "page": 1,
            "version": self._version,
            "kind": "runs",
            "runs": sorted(shown, key=lambda head: head["case"] is not None),
            "broken": [{"id": name, "why": self.hiding.text(text)} for name, text in why.items()],
            "strangers": found.strangers,
            "looked": [self.hiding.text(str(path.absolute())) for path in self._folders.places],
            "redacted": bool(self.hiding.redact),
        }

    def run(self, id: str) -> RunPage | None:
        """A run's page data; None where there is no such run.

        Raises:
            RubricEngineError: It cannot be read.
        """
        run = self._folders.run(id)
        if run is None:
            return None
        stamp = _stamp(run)  # before it is read: what changes meanwhile makes another mark
        found = self._pages.get(id, stamp, lambda: self._page(self._material(id, run, stamp)))
        if found.run["status"] == "running":
            self._given.put(id, Live.of(found.run))
        return replace(found, run=found.run | {"id": id, "mark": mark_of(stamp)})

    def chunk(self, id: str, number: int) -> Mapping[str, Any] | None:
        """Details of some leaves of a run; None where there are none.

        Of a page that is held they are a part; else they alone are made, and not the whole page.

        Raises:
            RubricEngineError: The run cannot be read.
        """
        run = self._folders.run(id)
        if run is None:
            return None
        stamp = _stamp(run)
        page = self._pages.held(id, stamp)
        if page is not None:
            return page.chunks[number] if number < len(page.chunks) else None
        return self._chunks.get(
            f"{number} {id}", stamp, lambda: self._chunk(self._material(id, run, stamp), number)
        )

    def live(self, id: str) -> Live | None:
        """How far a run is; None where there is no such run.

        Raises:
            RubricEngineError: It cannot be read.
        """
        run = self._folders.run(id)
        if run is None:
            return None
        stamp = _stamp(run)
        return self._live.get(id, stamp, lambda: self._how_far(self._material(id, run, stamp)))

    def given(self, id: str) -> Live | None:
        """How far a run was when somebody was given it who may ask for its changes now."""
        return self._given.get(id)

    def asked(self, id: str, node: int) -> dict[str, str] | None:
        """Prompt and answer of a leaf; None where there is no such leaf, or none are kept.

        Raises:
            RubricEngineError: The ledger cannot be read.
        """
        run = self._folders.run(id)
        if run is None:
            return None
        material = self._material(id, run, _stamp(run))
        keys = list(material.report.rubric)
        if material.asked is None or not 0 <= node < len(keys):
            return None
        mask, grade = Mask(self.hiding.redact), material.report.grades.get(keys[node])
        hide = MaskedTexts(material.lines, mask).repeated(grade) if grade is not None else None
        return dict(mask.of(dict(material.asked(keys[node])), hide=hide))

    def _head(self, name: str, run: KeptRun) -> dict[str, Any] | str:
        stamp = _stamp(run)
        return self._heads.get(name, stamp, lambda: listed(run, stamp, self.hiding.redact))

    def _material(self, id: str, run: KeptRun, stamp: Stamp) -> RunMaterial:
        """What the files of a run say, read once for all that is asked of it."""
        return self._read.get(id, stamp, lambda: _read(run))

    def _page(self, material: RunMaterial) -> RunPage:
        return page_run(material, redact=self.hiding.redact, served=True)

    def _chunk(self, material: RunMaterial, number: int) -> Mapping[str, Any] | None:
        return chunk_of(material, list(material.report.rubric), number, Mask(self.hiding.redact))

    def _how_far(self, material: RunMaterial) -> Live:
        return Live.read(material, self.hiding.redact)


def _read(run: KeptRun) -> RunMaterial:
    try:
        return read_run(run.path)
    except (RubricEngineError, RecursionError) as error:
        raise unread(run, error) from None


def _stamp(run: KeptRun) -> Stamp:
    return (run.path, run.status, *stamp_of(run.path, *_FILES))
