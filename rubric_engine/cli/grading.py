"""A grading as flags settle it: what it would take, and carrying it out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_engine.cli.monitor_watch import NOTHING, Watch

if TYPE_CHECKING:
    from rubric_engine.case import Case
    from rubric_engine.cli.choosing import Choice
    from rubric_engine.cli.run_line import RunLine
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight
    from rubric_engine.isolation import RunSpec, Sandbox
    from rubric_engine.result import Report


@dataclass(frozen=True)
class Grading:
    """All that a grading goes by.

    Attributes:
        case: What is graded; its execution is one that was made before.
        chosen: Who judges.
        model: What flags say of the model.
        sandbox: Where `reproduce.sh` runs, or None.
        spec: How it runs.
        rerun: Whether it runs also where an earlier run is kept.
        spending: What may be spent.
        folder: Folder of the runs.
        line: Told how `reproduce.sh` goes on.
        watch: What the monitor is given beside the case.
    """

    case: Case
    chosen: Choice
    model: Mapping[str, Any]
    sandbox: Sandbox | None
    spec: RunSpec
    rerun: bool
    spending: Spending
    folder: Path
    line: RunLine
    watch: Watch = NOTHING

    @property
    def pays(self) -> bool:
        """Whether a model is asked."""
        return bool(self.chosen.candidate.models) or self.watch.model is not None

    def foresight(self) -> Foresight:
        """What it would take.

        Raises:
            UsageError: A cap could not hold for a model that would be asked.
            PaperError: The paper leaves no room for evidence.
        """
        from rubric_engine.cli.settling import foreseen_run
        from rubric_engine.dry_run import foresee

        run = self.case.execution or foreseen_run(
            self.sandbox, self.case.submission, self.spec, self.folder, rerun=self.rerun
        )
        case = replace(self.case, execution=run)
        found = foresee(self.chosen.candidate, case, runs=self.folder, spending=self.spending)
        return self.watch.added(found, case, self.folder, self.spending)

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Say what it may cost, and get a person's word; arguments as `consent.ask`.

        Raises:
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.consent import ask

        if self.pays and not (silent and above is None):
            ask(self.foresight(), above=above, silent=silent)

    def carry_out(self, *, silent: bool) -> Report:
        """Grade into a new run, and show how it goes where it takes its time and somebody looks."""
        from rubric_engine import engine
        from rubric_engine.cli.failure import interrupting
        from rubric_engine.cli.progress import shown
        from rubric_engine.cli.watched import Watched
        from rubric_engine.rundir import new_run_name

        task, run_dir = self.case.task, self.folder / new_run_name(self.case.task.name)
        watched = Watched(task.name, task.view, self.spending.max_cost)
        with interrupting(run_dir), ExitStack() as seen:
            if self.pays and not silent:
                watched.running = self.line.text if self.sandbox is not None else None
                seen.enter_context(shown(watched))
            elif self.sandbox is not None and not silent:
                seen.enter_context(self.line.shown())
            return engine.grade(
                task,
                self.case.submission,
                judge=self.chosen.judge,
                model=self.model,
                execution=self.case.execution,
                agent_log=self.watch.log,
                monitor_model=self.watch.model,
                sandbox=self.sandbox,
                spec=self.spec,
                rerun=self.rerun,
                spending=replace(self.spending, watch=watched.connected),
                run_dir=run_dir,
                on_grade=watched.on_grade,
            )
