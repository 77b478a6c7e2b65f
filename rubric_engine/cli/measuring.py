"""Judges to be measured as flags settle it: what it would take, and carrying it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.cli.judgeeval_setting import Chosen
    from rubric_engine.cli.judgeeval_watch import Watching
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight
    from rubric_engine.isolation import Sandbox
    from rubric_engine.judgeeval.cases import LabelledCase
    from rubric_engine.judgeeval.evaluation import Evaluation


@dataclass(frozen=True)
class Measuring:
    """All that measuring judges goes by.

    Attributes:
        cases: What they are measured on.
        judges: The judges, by the folders of their results.
        model: What flags say of the model.
        sandbox: Where submissions run that were not run elsewhere, or None.
        sample: How many labelled leaves to ask about, or None for all.
        seed: Seed of the sample.
        threshold: Score from which on a leaf counts as met.
        spending: What all judges together may spend.
        runs: Folder of the runs and the ledger.
    """

    cases: Sequence[LabelledCase]
    judges: Mapping[Path, Chosen]
    model: Mapping[str, Any]
    sandbox: Sandbox | None
    sample: int | None
    seed: int
    threshold: float
    spending: Spending
    runs: Path

    @property
    def pays(self) -> bool:
        """Whether a model is asked."""
        return any(each.pays for each in self.judges.values())

    def foresight(self) -> Foresight:
        """What it would take, all judges together; what one pays for serves the next.

        Raises:
            CaseError: A case has no submission.
            UsageError: A cap could not hold.
        """
        from rubric_engine.cli.judgeeval_setting import foreseen
        from rubric_engine.dry_run import Promised, in_turn

        more = partial(foreseen, sample=self.sample, seed=self.seed, promised=Promised())
        return in_turn(
            [
                more(self.cases, each, self.sandbox, self.spending, self.runs)
                for each in self.judges.values()
            ]
        )

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Say what it may cost, and get a person's word; arguments as `consent.ask`.

        Raises:
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.consent import ask

        if self.pays and not (silent and above is None):
            ask(self.foresight(), above=above, silent=silent)

    def require_places(self) -> None:
        """Make sure that runs and results may be written where they are to lie.

        Raises:
            UsageError: They would lie in a submission, or another evaluation lies there.
        """
        from rubric_engine.judgeeval.result_folder import require_outside, require_place

        require_outside(self.runs, self.cases, "--runs")
        for folder in self.judges:
            require_place(folder, self.cases)

    def carry_out(self, name: str | None, watching: Watching) -> dict[Path, Evaluation]:
        """Measure one judge after the other.

        Args:
            name: What tables call the judge; None where it bears its own name.
            watching: Shows how it goes.

        Returns:
            The evaluations by their folders.
        """
        from rubric_engine.cli.judgeeval_setting import command_line
        from rubric_engine.cli.judgeeval_several import left_for
        from rubric_engine.judgeeval.evaluating import evaluate

        watching.running(runs=self.sandbox is not None)
        results: dict[Path, Evaluation] = {}
        with closing(watching):
            for folder, each in self.judges.items():
                watching.about(each.name if len(self.judges) > 1 else "", pays=each.pays)
                results[folder] = evaluate(
                    each.judge,
                    self.cases,
                    name=name,
                    model=self.model or None,
                    sandbox=self.sandbox,
                    sample=self.sample,
                    seed=self.seed,
                    threshold=self.threshold,
                    spending=left_for(folder, self.spending, self.judges, results, self.runs),
                    runs=self.runs,
                    out=folder,
                    command=command_line(),
                    watcher=watching,
                )
        return results
