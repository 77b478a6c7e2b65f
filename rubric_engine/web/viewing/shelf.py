"""The runs that can be looked at, by id, and what is read of them.

An id out of an address is looked up in the list of runs; it never becomes a part of a path.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rubric_engine.errors import RubricEngineError
from rubric_engine.report import LABELS, Mask, RunPage, page_run, read_run, run_head
from rubric_engine.report.reading import RunMaterial
from rubric_engine.runs import KeptRun, kept_run, runs_in
from rubric_engine.web.viewing.known import Known, Stamp, stamp_of
from rubric_engine.web.viewing.live import Live

_FILES = ("run.json", "report.json", "grades.jsonl", "rubric.json", LABELS)
"""What page data follow from; all else of a run's folder does not change any more."""

_PAGES = 3
_RECENT = 60.0
"""Seconds within which somebody may have asked for a run and not yet for its changes."""


class Shelf:
    """All runs of this user in some folders, or some runs that were named.

    Args:
        bases: Folders of runs.
        only: Folders of the only runs that are shown; empty for all.
        redact: Patterns of google-re2; what they find is hidden in all texts.

    Raises:
        UsageError: A pattern is none.
    """

    def __init__(
        self, bases: Sequence[Path], only: Sequence[Path] = (), redact: Sequence[str] = ()
    ) -> None:
        Mask(redact)
        self._redact = tuple(redact)
        self._bases = list(bases)
        self._only = list(only)
        self._heads: Known[dict[str, Any] | str] = Known(10_000)
        self._pages: Known[RunPage] = Known(_PAGES)
        self._live: Known[Live] = Known(_PAGES)
        self._given: dict[str, deque[tuple[float, Live]]] = {}

    @property
    def runs(self) -> dict[str, KeptRun]:
        """The runs by id, the newest first; an id is the name of a folder, or that and a number."""
        found = [kept_run(path) for path in self._only] if self._only else self._ours
        ids: dict[str, KeptRun] = {}
        for run in found:
            name = run.path.resolve().name
            twins = sum(each.path.resolve().name == name for each in ids.values())
            ids[f"{name}~{twins + 1}" if twins else name] = run
        return dict(reversed(ids.items()))

    @property
    def is_chosen(self) -> bool:
        """Whether the runs were named."""
        return bool(self._only)

    @property
    def _ours(self) -> list[KeptRun]:
        return [run for run in runs_in(self._bases) if run.ours]

    def page(self) -> tuple[dict[str, Any], list[str]]:
        """All runs without their criteria as page data, and why others cannot be shown."""
        heads = {name: self._head(name, run) for name, run in self.runs.items()}
        shown = [{**head, "id": name} for name, head in heads.items() if not isinstance(head, str)]
        why = [f"{name}: {head}" for name, head in heads.items() if isinstance(head, str)]
        page = {"page": 1, "version": version("rubric-engine"), "kind": "runs", "runs": shown}
        return page, why

    def run(self, id: str) -> RunPage | None:
        """A run's page data; None where there is no such run.

        Raises:
            RubricEngineError: It cannot be read.
        """
        run = self.runs.get(id)
        if run is None:
            return None
        found = self._pages.get(id, _stamp(run), lambda: self._page(run))
        self._given.setdefault(id, deque(maxlen=100)).append((time.monotonic(), Live.of(found.run)))
        return found

    def live(self, id: str) -> Live | None:
        """How far a run is; None where there is no such run.

        Raises:
            RubricEngineError: It cannot be read.
        """
        run = self.runs.get(id)
        if run is None:
            return None
        return self._live.get(id, _stamp(run), lambda: Live.read(_read(run), self._redact))

    def given(self, id: str) -> Live | None:
        """How far a run was when somebody was given it who may ask for its changes now."""
        since = time.monotonic() - _RECENT
        given = list(self._given.get(id, ()))
        return next((live for at, live in given if at >= since), given[-1][1] if given else None)

    def asked(self, id: str, node: int) -> dict[str, str] | None:
        """Prompt and answer of a leaf; None where there is no such leaf, or none are kept.

        Raises:
            RubricEngineError: The ledger cannot be read.
        """
        run = self.runs.get(id)
        if run is None:
            return None
        material = _read(run)
        keys = list(material.report.rubric)
        if material.asked is None or not 0 <= node < len(keys):
            return None
        return dict(Mask(self._redact).of(dict(material.asked(keys[node]))))

    def _head(self, name: str, run: KeptRun) -> dict[str, Any] | str:
        return self._heads.get(name, _stamp(run), lambda: _head(run, self._redact))

    def _page(self, run: KeptRun) -> RunPage:
        return page_run(_read(run), redact=self._redact, served=True)


def _head(run: KeptRun, redact: Sequence[str]) -> dict[str, Any] | str:
    """A run's head, or why it has none."""
    try:
        return run_head(_read(run), redact)
    except RubricEngineError as error:
        return error.message
    except RecursionError:
        return "report.json is nested too deeply"


def _read(run: KeptRun) -> RunMaterial:
    return read_run(run.path)


def _stamp(run: KeptRun) -> Stamp:
    return (run.path, run.status, *stamp_of(*(run.path / name for name in _FILES)))
