"""What the monitor of a grading is given: the log of an agent, and a model that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.case import Case
    from rubric_engine.connection import Spending
    from rubric_engine.dry_run import Foresight
    from rubric_engine.monitoring import ModelMonitor


@dataclass(frozen=True)
class Watch:
    """What the monitor is given beside the case.

    Attributes:
        log: Log of the agent that made the submission.
        model: Settings of the model that reads it, or None.
    """

    log: str | None = None
    model: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, log: Path | None, name: str | None, settings: Mapping[str, Any]) -> Watch:
        """What flags say.

        Args:
            log: Value of `--agent-log`.
            name: Value of `--monitor-model`.
            settings: What flags say of the judge's model: its endpoint and pace are taken.

        Raises:
            UsageError: A model, and no log that it could read.
        """
        from rubric_engine.cli.monitor_inputs import agent_log
        from rubric_engine.errors import UsageError

        if name is not None and log is None:
            raise UsageError(
                "--monitor-model reads the log of an agent, and there is none",
                fix=["--agent-log FILE"],
            )
        text = agent_log(log) if log is not None else None
        own = {key: said for key, said in settings.items() if key != "context_tokens"}
        return cls(text, {**own, "name": name} if name is not None else None)

    def added(self, found: Foresight, case: Case, folder: Path, spending: Spending) -> Foresight:
        """What a grading would take, with what the monitor's model would."""
        from rubric_engine.candidate import load_reader
        from rubric_engine.cli.monitor_reading import CARD
        from rubric_engine.given import root_of

        if self.model is None:
            return found
        reader = load_reader(CARD, untrusted=root_of(case.submission), model=self.model)
        return with_reader(found, reader, self.log, case, folder, spending)


def with_reader(
    found: Foresight,
    reader: ModelMonitor | None,
    log: str | None,
    case: Case,
    folder: Path,
    spending: Spending,
) -> Foresight:
    """What a grading would take, with what a model would that reads the agent's log."""
    from rubric_engine.dry_run import foresee_monitor
    from rubric_engine.kept import AGENT_LOG
    from rubric_engine.monitor import Text, Watched

    if reader is None or log is None:
        return found
    watched = Watched.of(case, Text(AGENT_LOG, log))
    priced = foresee_monitor(reader, watched, runs=folder, spending=spending)
    return replace(found, priced=(*found.priced, priced))


NOTHING = Watch()
"""Rules alone, and no log."""
