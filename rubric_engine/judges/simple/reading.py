"""The texts of a case, as citations name them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rubric_engine.case import Case
from rubric_engine.errors import SubmissionError
from rubric_engine.evidence import render_notebook, shown_path
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.evidence.logs import LOG_NAME
from rubric_engine.files import File
from rubric_engine.judges.simple.plain import PlainText
from rubric_engine.submitted import Submission

_MOST_KEPT = 16_000_000  # bytes of texts made ready: many citations name the same few files


@dataclass(frozen=True)
class Reading:
    """Reads what a judge cites.

    Attributes:
        sources: The submission as handed in and, where there was a run, as the run left it.
        log: What the run printed, as prompts number its lines; None where there is no log.
    """

    sources: tuple[Submission, ...]
    log: str | None
    _paths: Mapping[str, str]
    _kept: OrderedDict[str, PlainText] = field(default_factory=OrderedDict)

    @classmethod
    def of(cls, case: Case) -> Reading:
        """Everything of a case that a prompt may have shown."""
        execution = case.execution
        ran = execution.submission if execution is not None else None
        sources = (case.submission,) if ran is None else (case.submission, ran)
        paths = {shown_path(path): path for source in sources for path in source.files.readable}
        log = execution.log if execution is not None else None
        return cls(sources, log.text if log is not None else None, paths)

    def path(self, shown: str) -> str:
        """The real path of a file by the name that prompts show."""
        return self._paths.get(shown, shown)

    def versions(self, path: str) -> Iterator[PlainText]:
        """The texts of that path, each once: a run may have changed what was handed in.

        The log is one of them. It has no path in a submission; a file may have its name.
        """
        if path == LOG_NAME and self.log is not None:
            yield self._ready(LOG_NAME, self.log)
        for source, file in self._files(path):
            name = f"{path} {file.sha256}"
            kept = self._kept.get(name)
            text = _read(source, file) if kept is None else ""
            if text is not None:
                yield kept or self._ready(name, text)

    def weight(self, path: str) -> int:
        """Bytes that must be made ready before `versions` are known; none of what is kept."""
        log = len(self.log or "") if path == LOG_NAME and LOG_NAME not in self._kept else 0
        files = self._files(path)
        return log + sum(
            min(file.size, most_bytes(file))
            for _, file in files
            if f"{path} {file.sha256}" not in self._kept
        )

    def _files(self, path: str) -> list[tuple[Submission, File]]:
        found = {
            source.files[path].sha256: (source, source.files[path])
            for source in self.sources
            if path in source.files
        }
        return list(found.values())

    def _ready(self, name: str, text: str) -> PlainText:
        if name not in self._kept:
            self._kept[name] = PlainText.of(text)
        self._kept.move_to_end(name)
        while len(self._kept) > 1 and sum(kept.size for kept in self._kept.values()) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[name]


def _read(source: Submission, file: File) -> str | None:
    """A file's text as prompts number its lines; None where none can be shown."""
    most = most_bytes(file)
    if not most:
        return None
    try:
        text = source.read(file.path, max_bytes=most)
    except SubmissionError:
        return None
    return (render_notebook(text) if file.kind == "notebook" else None) or text
