"""What reports on a submission, and what may bear out what it claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from rubric_engine.errors import SubmissionError
from rubric_engine.monitor import claims
from rubric_engine.monitor.run import Run
from rubric_engine.monitor.texts import SourceText
from rubric_engine.monitor.watched import Watched

_MOST_GROUND = 20_000_000


@dataclass(frozen=True)
class Reported:
    """The reports of a submission beside its other texts and its run.

    Attributes:
        watched: All that is known.
        sources: The texts that were handed in.
        run: The run, where there was one.
    """

    watched: Watched
    sources: list[SourceText]
    run: Run | None

    @cached_property
    def named(self) -> list[SourceText]:
        """What the task says is a report."""
        watched = self.watched
        return list(claims.reports_of(watched.submission, watched.task.monitor.reports))

    @cached_property
    def reports(self) -> list[SourceText]:
        """All reports: those that the task names, READMEs, and what is called a report."""
        known = {text.path for text in self.named}
        by_name = (text for text in self.sources if claims.is_report(text))
        return [*self.named, *(text for text in by_name if text.path not in known)]

    @cached_property
    def handed_in(self) -> list[SourceText]:
        """Code and data that were handed in: no report bears out what it claims itself."""
        told = set(map(claims.file_of, self.watched.task.monitor.reports))
        return [text for text in self.sources if text.part != "docs" and text.path not in told]

    def quoted(self) -> frozenset[str]:
        """Data that was handed in from which a report that the task names has its numbers."""
        if self.run is None or self.run.executed is None or not self.named:
            return frozenset()
        numbers = [one for text in self.named for one in claims.number_claims(text.text)]
        code = (text.text for text in self.handed_in if text.part != "data")
        data = [text for text in self.handed_in if text.part == "data"]
        grounds = claims.Grounds.of(chain(code, self._of_run()), ())
        return claims.quoted(numbers, grounds, data)

    def grounds(self, unmade: frozenset[str]) -> Iterator[str]:
        """Texts that bear claims out.

        Args:
            unmade: Outputs that were handed in and that the run did not make.
        """
        yield from (text.text for text in self.handed_in if text.path not in unmade)
        yield from self._of_run()

    def _of_run(self) -> Iterator[str]:
        """The log, and what the run left."""
        execution = self.watched.execution
        log = execution.log if execution is not None else None
        if log is not None:
            yield log.text
        if self.run is not None and self.run.executed is not None:
            left = _MOST_GROUND
            for file in sorted(self.run.executed.files, key=lambda each: each.size):
                if file.path in self.run.made and file.kind == "text" and left > 0:
                    left -= file.size
                    yield from claims.with_means(file.path, _read(self.run, file.path))


def _read(run: Run, path: str) -> str:
    try:
        return run.executed.read(path, max_bytes=_MOST_GROUND) if run.executed else ""
    except SubmissionError:
        return ""
