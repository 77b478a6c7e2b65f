"""What is settled before answers to EXP-Bench are graded, what it would cost, and the grading."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.benchmarks.expbench.grading import ExpResults
    from rubric_engine.benchmarks.expbench.grading.asked import Question
    from rubric_engine.cli.sandboxing import Box, Wanted
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight
    from rubric_engine.isolation import RunSpec


@dataclass(frozen=True)
class Setting:
    """What flags say of a grading; see `grade_answers`.

    Attributes:
        answers: Folder of the answers.
        tasks: Folder of the tasks.
        repos: Folder of the masked repositories.
        sample: How many questions.
        judge: Name or path of the judge's card.
        model: What flags say of its model.
        spending: What may be spent.
        runs: Folder of the runs.
        output: Folder of the results.
        wanted: What flags say of the sandbox.
    """

    answers: Path
    tasks: Path
    repos: Path | None
    sample: int | None
    judge: str
    model: Mapping[str, Any]
    spending: Spending
    runs: Path
    output: Path
    wanted: Wanted

    @cached_property
    def questions(self) -> list[Question]:
        """What is graded.

        Raises:
            TaskError: There is no question.
            UsageError: The folder of repositories is none.
        """
        from rubric_engine.benchmarks.expbench.grading.questions import read_questions

        return read_questions(self.tasks, self.repos, self.sample)

    @cached_property
    def box(self) -> Box:
        """Where answers are run.

        Raises:
            RubricEngineError: There is no such sandbox, or it does not answer.
        """
        from rubric_engine.cli.sandboxing import find_box

        return find_box(self.wanted, self.answers, needed=lambda: self.repos is not None)

    def check(self, *, dry: bool) -> None:
        """Make sure that it can begin.

        Args:
            dry: Nothing will be sent, so no key is needed.

        Raises:
            CredentialsError: A model is to be asked, and there is no key for it.
            RubricEngineError: Another input is wrong.
        """
        from rubric_engine.benchmarks.expbench.grading.asked import card_for
        from rubric_engine.benchmarks.expbench.grading.questions import strangers
        from rubric_engine.benchmarks.expbench.grading.results_folder import ExpFolder
        from rubric_engine.candidate import load_candidate
        from rubric_engine.models.credentials import find_key

        if not dry:
            for config in load_candidate(card_for(self.judge), model=self.model).models:
                find_key(config)
        strangers(self.answers, self.questions)  # told before anything is asked
        ExpFolder.require_free(self.output)

    def foresight(self) -> Foresight:
        """What it would still take, after what is kept of it.

        Raises:
            RubricEngineError: A cap could not hold for a model that would be asked, or the sandbox
                does not answer, by which it is known what is still to be graded.
        """
        from rubric_engine.benchmarks.expbench.grading.asked import Grading
        from rubric_engine.benchmarks.expbench.grading.foreseeing import foresee_grading
        from rubric_engine.benchmarks.expbench.grading.results_folder import read_outcomes

        kept = read_outcomes(self.output)
        box = self.box.sandbox if kept else None
        how = Grading(self.judge, self.model, self.runs, self.spending, box, self._spec)
        return foresee_grading(self.questions, self.answers, how, kept)

    def _spec(self, spec: RunSpec) -> RunSpec:
        from rubric_engine.cli.sandboxing import spec_with

        return spec_with(spec, self.wanted)

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Say what it may cost, and get a person's word; arguments as `consent.ask`.

        Raises:
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.consent import ask_where_priced

        ask_where_priced(self.foresight, above=above, silent=silent)

    def carry_out(self, *, tau: float, concurrency: int, silent: bool) -> ExpResults:
        """Grade, and show how it goes on.

        Args:
            tau: The share from which on a part holds.
            concurrency: Answers that are graded at a time.
            silent: Show nothing.
        """
        from rubric_engine.benchmarks.expbench.grading.running import grade_answers
        from rubric_engine.cli.expbench_watch import Watching
        from rubric_engine.cli.judgeeval_setting import command_line
        from rubric_engine.cli.output import note, printable
        from rubric_engine.cli.sandboxing import NONE

        if self.box.why and not silent:
            note(f"nothing is run: {printable(self.box.why)}")
        elif self.repos is None and self.wanted.asked != NONE and not silent:
            note("nothing is run: it takes the masked repositories, --repos DIR")
        with closing(Watching(max_cost=self.spending.max_cost, silent=silent)) as watching:
            return grade_answers(
                self.answers,
                self.tasks,
                judge=self.judge,
                model=self.model,
                repos=self.repos,
                sandbox=self.box.sandbox,
                spec=self._spec,
                tau=tau,
                sample=self.sample,
                spending=self.spending,
                concurrency=concurrency,
                runs=self.runs,
                out=self.output,
                command=command_line(),
                watcher=watching,
            )
