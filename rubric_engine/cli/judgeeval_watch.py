"""How measuring a judge goes on, on stderr: a line a case, and the live block of `grade`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rubric_engine.cli.output import counted, leaves, note, printable
from rubric_engine.cli.pace import clock
from rubric_engine.cli.progress import shown
from rubric_engine.cli.run_line import RunLine
from rubric_engine.cli.watched import Watched
from rubric_engine.judgeeval.watching import Watcher
from rubric_engine.spending.dollars import show_dollars

if TYPE_CHECKING:
    from rubric_engine.connection import Traffic
    from rubric_engine.grading import Grade
    from rubric_engine.judgeeval.case_result import CaseResult
    from rubric_engine.judgeeval.cases import LabelledCase
    from rubric_engine.sandbox.docker import Progress


class Watching(Watcher):
    """Shows an evaluation.

    Args:
        max_cost: Cap in dollars over all cases, or None.
        silent: Show nothing.
    """

    def __init__(self, *, max_cost: float | None, silent: bool) -> None:
        self._max_cost, self._silent = max_cost, silent
        self._pays = self._runs = False
        self._line = RunLine()
        self._watched: Watched | None = None
        self._seen = ExitStack()
        self._began = 0.0
        self._graded = 0

    def about(self, judge: str, *, pays: bool) -> None:
        """Say which judge is measured from here on, by name where there are several.

        Args:
            judge: Its name, or nothing where there is but one.
            pays: Whether it asks a model; then each grade is worth showing.
        """
        self._pays = pays
        if judge and not self._silent:
            note(f"judge       {printable(judge)}")

    def running(self, *, runs: bool) -> None:
        """Say whether submissions are run; it is known only once there is a sandbox."""
        self._runs = runs

    def tell(self, progress: Progress) -> None:
        """Take what the sandbox knows of the run; from any thread."""
        self._line.tell(progress)

    def kept(self, result: CaseResult) -> None:
        """Say that a case was judged before."""
        if not self._silent:
            note(f"{printable(result.name, 40):32} {leaves(result.asked)}, as judged before")

    def begin(self, case: LabelledCase, keys: frozenset[str]) -> None:
        """Show that a case begins."""
        self._began, self._graded, self._line = time.monotonic(), 0, RunLine()
        runs = self._runs and not case.elsewhere
        if self._silent:
            return
        if self._pays:
            self._watched = Watched(case.name, case.task.rubric.keep(keys), self._max_cost)
            self._watched.running = self._line.text if runs else None
            self._seen.enter_context(shown(self._watched))
        elif runs:
            self._seen.enter_context(self._line.shown())

    def standing(self, grades: Mapping[str, Grade]) -> None:
        """Count what was graded before."""
        for key, grade in grades.items():
            self.grade(key, grade)

    def connected(self, traffic: Callable[[], Traffic]) -> None:
        """Show the traffic."""
        if self._watched is not None:
            self._watched.connected(traffic)

    def grade(self, key: str, grade: Grade) -> None:
        """Show that a leaf has its grade."""
        self._graded += grade.status == "graded"
        if self._watched is not None:
            self._watched.on_grade(key, grade)

    def end(self, result: CaseResult) -> None:
        """Say how the case went."""
        self.close()
        if self._silent:
            return
        parts = [f"{leaves(result.asked)}, {self._graded} graded"]
        if self._pays:
            parts.append("unpriced" if result.paid is None else show_dollars(result.paid))
            parts.append(counted(result.tokens, "token"))
        parts.append(clock(time.monotonic() - self._began))
        note(f"{printable(result.name, 40):32} {'   '.join(parts)}")
        if result.trouble:
            note(f"  {printable(result.trouble)}")

    def close(self) -> None:
        """Stop showing."""
        self._seen.close()
        self._watched = None
