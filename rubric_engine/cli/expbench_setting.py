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
    from rubric_engine.cli.sandboxing import Wanted
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight


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

    @cached_property
    def questions(self) -> list[Question]:
        """What is graded.

        Raises:
            TaskError: There is no question.
            UsageError: The folder of repositories is none.
        """
        from rubric_engine.benchmarks.expbench.grading.questions import read_questions

        return read_questions(self.tasks, self.repos, self.sample)

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
        """What it would take.

        Raises:
            UsageError: A cap could not hold for a model that would be asked.
        """
        from rubric_engine.benchmarks.expbench.grading.foreseeing import foresee_grading

        return foresee_grading(
            self.questions,
            self.answers,
            judge=self.judge,
            model=self.model,
            runs=self.runs,
            spending=self.spending,
        )

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Say what it may cost, and get a person's word; arguments as `consent.ask`.

        Raises:
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.consent import ask_where_priced

        ask_where_priced(self.foresight, above=above, silent=silent)

    def carry_out(
        self, wanted: Wanted, *, tau: float, concurrency: int, silent: bool
    ) -> ExpResults:
        """Grade, and show how it goes on.

        Args:
            wanted: What flags say of the sandbox.
            tau: The share from which on a part holds.
            concurrency: Answers that are graded at a time.
            silent: Show nothing.
        """
        from rubric_engine.benchmarks.expbench.grading.running import grade_answers
        from rubric_engine.cli.expbench_watch import Watching
        from rubric_engine.cli.judgeeval_setting import command_line
        from rubric_engine.cli.output import note, printable
        from rubric_engine.cli.sandboxing import NONE, find_box, spec_with

        box = find_box(wanted, self.answers, needed=lambda: self.repos is not None)
        if box.why and not silent:
            note(f"nothing is run: {printable(box.why)}")
        elif self.repos is None and wanted.asked != NONE and not silent:
            note("nothing is run: it takes the masked repositories, --repos DIR")
        with closing(Watching(max_cost=self.spending.max_cost, silent=silent)) as watching:
            return grade_answers(
                self.answers,
                self.tasks,
                judge=self.judge,
                model=self.model,
                repos=self.repos,
                sandbox=box.sandbox,
                spec=lambda spec: spec_with(spec, wanted),
                tau=tau,
                sample=self.sample,
                spending=self.spending,
                concurrency=concurrency,
                runs=self.runs,
                out=self.output,
                command=command_line(),
                watcher=watching,
            )
