"""A run over a set of tasks as flags settle it: what it would take, and carrying it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.benchmarks.tasksets.identity import Asked
    from rubric_engine.benchmarks.tasksets.results import Results, Settings
    from rubric_engine.benchmarks.tasksets.task_set import TaskSet
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight


@contextmanager
def _uncancelled() -> Iterator[None]:
    """Nobody but an agent cancels a run of the command line: Ctrl-C is an interrupt there."""
    from asyncio import CancelledError

    from rubric_engine.errors import TaskError

    try:
        yield
    except CancelledError:
        raise TaskError(
            "the run was cancelled from within: the agent cancels tasks that are not its own",
            code="E639",
            fix=["let the agent cancel only what it began; the same command goes on then"],
        ) from None


@dataclass(frozen=True)
class Benching:
    """All that a run over a set goes by.

    Attributes:
        tasks: What was chosen of the set.
        agent: Who answers.
        judge: Name or path of the card of who judges.
        model: What flags say of its model.
        settings: How often tasks are asked, and how they were chosen.
        spending: What agent and judges together may spend.
        runs: Folder of the runs and the ledger.
        folder: Folder of the results.
        agent_timeout: Seconds after which an agent of one's own is given up; None for never.
    """

    tasks: TaskSet
    agent: Asked
    judge: str
    model: Mapping[str, Any]
    settings: Settings
    spending: Spending
    runs: Path
    folder: Path
    agent_timeout: float | None = None

    def require_place(self, *, resume: bool) -> None:
        """Make sure that results may be kept in the folder, or that a run is there to go on with.

        Raises:
            UsageError: It holds something else, or no run.
        """
        from rubric_engine.benchmarks.tasksets.results_folder import ResultsFolder
        from rubric_engine.cli.bench_setting import require_begun

        ResultsFolder.require_free(self.folder)
        if resume:
            require_begun(self.folder)

    def foresight(self) -> Foresight:
        """What it would still take, after what is kept of it.

        Raises:
            UsageError: A cap could not hold.
        """
        from rubric_engine.benchmarks.tasksets.foreseeing import foresee_run
        from rubric_engine.benchmarks.tasksets.results_folder import read_kept

        return foresee_run(
            self.tasks,
            self.agent,
            self.settings.samples,
            read_kept(self.folder),
            judge=self.judge,
            model=self.model,
            runs=self.runs,
            spending=self.spending,
        )

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Find the keys, say what it may cost, and get a person's word; see `consent.ask`.

        Raises:
            CredentialsError: There is no key for a model that will be asked.
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.bench_setting import find_keys
        from rubric_engine.cli.consent import ask_where_priced

        find_keys(self.tasks, self.agent, self.judge, self.model)
        ask_where_priced(self.foresight, above=above, silent=silent)

    def carry_out(self, *, concurrency: int, retries: int, silent: bool) -> Results:
        """Ask and judge.

        Args:
            concurrency: Answers judged, and own agents at work, at a time.
            retries: How often an agent of one's own that breaks is asked again.
            silent: Show nothing.

        Raises:
            TaskError: The agent cancelled the run.
        """
        from rubric_engine.benchmarks.tasksets.running import run_task_set
        from rubric_engine.cli.bench_watch import Watching
        from rubric_engine.cli.guests import guest_output
        from rubric_engine.cli.judgeeval_setting import command_line

        watching = Watching(self.tasks.name, max_cost=self.spending.max_cost, silent=silent)
        with _uncancelled(), guest_output(), closing(watching):
            return run_task_set(
                self.tasks,
                self.agent,
                judge=self.judge,
                judge_model=self.model,
                samples=self.settings.samples,
                spending=self.spending,
                concurrency=concurrency,
                retries=retries,
                agent_timeout=self.agent_timeout,
                runs=self.runs,
                out=self.folder,
                settings=self.settings,
                command=command_line(),
                watcher=watching,
            )
