"""Having a model read an agent's log: what it would cost, a person's word, and what it said."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.connection import Connection, Spending
    from rubric_engine.dry_run import Foresight
    from rubric_engine.monitor import Watched
    from rubric_engine.monitoring import Look, ModelMonitor

CARD = "monitor"


@dataclass(frozen=True)
class Reading:
    """A log that a model is to read.

    Attributes:
        watched: The log, and what it is about.
        card: Path or name of the monitor's card.
        model: What flags say of the model.
        spending: What may be spent.
        folder: Folder of the runs, where the ledger lies.
        untrusted: The submission; no card in it is found by name.
    """

    watched: Watched
    card: str
    model: Mapping[str, Any]
    spending: Spending
    folder: Path
    untrusted: Path

    def foresight(self) -> Foresight:
        """What it would take.

        Raises:
            UsageError: A cap could not hold for the model.
        """
        from rubric_engine.dry_run import Foresight, foresee_monitor

        reader = self._unasked()
        priced = foresee_monitor(reader, self.watched, runs=self.folder, spending=self.spending)
        return Foresight((priced,), 0, 0, 0.0)

    def confirm(self, *, above: float | None, silent: bool) -> None:
        """Say what it may cost, and get a person's word; arguments as `consent.ask`.

        Raises:
            UsageError: Nobody is there to be asked, or the answer was no.
        """
        from rubric_engine.cli.consent import ask

        if not (silent and above is None):
            ask(self.foresight(), above=above, silent=silent)

    def look(self) -> Look:
        """Ask; what the ledger has is not paid again, and caps hold over all tries."""
        from rubric_engine.threads import run_anywhere

        return run_anywhere(self._look())

    async def _look(self) -> Look:
        from rubric_engine.connection import Connection
        from rubric_engine.given import judge_context
        from rubric_engine.monitoring import load_monitor

        base = self.folder.resolve()
        async with Connection(base, self._name(), self.spending) as connection:
            context = judge_context(connection, self.model)
            reader = load_monitor(self.card, context, untrusted=self.untrusted)
            said = await reader.look(self.watched)
            _tell(connection)
            return said

    def _unasked(self) -> ModelMonitor:
        from rubric_engine.candidate import load_reader

        return load_reader(self.card, untrusted=self.untrusted, model=self.model)

    def _name(self) -> str:
        """The same for the same calls, however they are asked for: a cap holds over all tries."""
        log = self.watched.agent_log
        text = "" if log is None else log.text
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
        digest.update(self._unasked().identity.encode())
        return f"monitor-{digest.hexdigest()[:12]}"


def _tell(connection: Connection) -> None:
    """Say on stderr what was spent."""
    from rubric_engine.cli.costs import cost_lines
    from rubric_engine.cli.output import note

    for line in cost_lines(connection.cost()):
        note(line)
