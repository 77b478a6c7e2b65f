"""The files of a case, as citations name them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rubric_engine.case import Case
from rubric_engine.errors import SubmissionError
from rubric_engine.evidence import render_notebook, shown_path
from rubric_engine.submitted import Submission

_MOST_READ = 10_000_000  # bytes of a file in which a quote is looked for


@dataclass(frozen=True)
class Reading:
    """Reads what a judge cites.

    Attributes:
        sources: Where to look, in this order.
        paths: Real path by the name that the evidence shows.
    """

    sources: tuple[Submission, ...]
    paths: Mapping[str, str]

    @classmethod
    def of(cls, case: Case) -> Reading:
        """Read what the run left, for it holds what was produced, then what was handed in."""
        sources = [case.submission]
        if case.execution and case.execution.submission:
            sources.append(case.execution.submission)
        paths = {shown_path(path): path for source in sources for path in source.files.readable}
        return cls(tuple(sources[::-1]), paths)

    def text(self, path: str) -> str | None:
        """Text of a file as line numbers count it; None where there is none."""
        for source in self.sources:
            if path in source.files:
                try:
                    text = source.read(path, max_bytes=_MOST_READ)
                except SubmissionError:
                    return None
                notebook = source.files[path].kind == "notebook"
                return render_notebook(text) if notebook else text
        return None
