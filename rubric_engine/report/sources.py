"""The texts that a run's grades cite, out of the run's folder."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rubric_engine.errors import RubricEngineError
from rubric_engine.evidence import render_notebook, split
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.files import is_source
from rubric_engine.grading import Citation
from rubric_engine.isolation import Execution
from rubric_engine.kept.reading import read_as
from rubric_engine.report.masking import Mask, MaskedLines
from rubric_engine.submission import load_snapshot
from rubric_engine.submitted import Submission

_MOST_KEPT = 32_000_000
"""Characters of texts that are kept ready: many citations name the same few files."""


class Texts:
    """What citations of a run name, as judges number its lines.

    Code and documents are read as handed in, what the run of `reproduce.sh` made as it left it,
    and its log where a citation names that.

    Args:
        handed_in: The submission; None where it is not kept.
        execution: The run, with the executed submission; None where there was none.
    """

    def __init__(self, handed_in: Submission | None, execution: Execution | None) -> None:
        self._handed_in = handed_in
        self._execution = execution
        ran = execution.submission if execution is not None else None
        made = (*execution.created, *execution.modified) if execution is not None else ()
        self._ran = ran
        self._made = frozenset(made)

    def lines(self, path: str) -> list[str] | None:
        """The lines of a file by its path, or of the log; None where there is no such text."""
        log = self._execution.log if self._execution is not None else None
        if path == LOG_NAME and log is not None:
            return split(log.text)
        texts = (_read(source, path) for source in self._sources(path))
        text = next((text for text in texts if text is not None), None)
        return split(text) if text is not None else None

    def has(self, citation: Citation) -> bool:
        """Whether there is such a place; a file that is no text has no lines."""
        lines = self.lines(citation.path)
        if lines is None:
            return citation.start_line is None and bool(self._sources(citation.path))
        first = citation.start_line or 1
        return first <= (citation.end_line or first) <= max(len(lines), 1)

    def _sources(self, path: str) -> list[Submission]:
        """Who has a file, the version that a judge goes by first."""
        both = [source for source in (self._handed_in, self._ran) if source is not None]
        produced = path in self._made and not is_source(path)
        return [one for one in (both[::-1] if produced else both) if path in one.files]


def _read(source: Submission, path: str) -> str | None:
    file = source.files[path]
    most = most_bytes(file)
    if not most:
        return None
    with suppress(RubricEngineError, OSError):  # a snapshot that lost a file shows no excerpt
        text = source.read(path, max_bytes=most)
        return (render_notebook(text) if file.kind == "notebook" else None) or text
    return None


class MaskedTexts:
    """The same texts masked, the last ones kept ready.

    Args:
        lines: Gives the lines of a text by its path.
        mask: Masks them.
    """

    def __init__(self, lines: Callable[[str], Sequence[str] | None], mask: Mask) -> None:
        self._lines = lines
        self._mask = mask
        self._kept: OrderedDict[str, MaskedLines | None] = OrderedDict()
        self._size = 0

    def of(self, path: str) -> MaskedLines | None:
        """A text by its path; None where there is none."""
        if path not in self._kept:
            lines = self._lines(path)
            self._keep(path, self._mask.lines(lines) if lines is not None else None)
        self._kept.move_to_end(path)
        return self._kept[path]

    def _keep(self, path: str, text: MaskedLines | None) -> None:
        self._kept[path] = text
        self._size += _size(text)
        while self._size > _MOST_KEPT and len(self._kept) > 1:
            self._size -= _size(self._kept.popitem(last=False)[1])


def _size(text: MaskedLines | None) -> int:
    return sum(map(len, text.lines)) if text is not None else 0


def texts_in(run: Path) -> Texts:
    """The texts that a run kept; none of what is missing or damaged, which others report."""
    handed_in = execution = None
    with suppress(RubricEngineError):
        handed_in = load_snapshot(run, "handed_in")
    with suppress(RubricEngineError):
        execution = read_as(run / "execution.json", Execution)
        left = load_snapshot(run, "executed")
        execution = execution.model_copy(update={"submission": left})
    return Texts(handed_in, execution)
