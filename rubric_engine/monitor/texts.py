"""The texts of a submission that rules read: which there are, and what each is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal

from rubric_engine.errors import SubmissionError
from rubric_engine.evidence.excerpt import most_bytes
from rubric_engine.evidence.roles import SCRIPT, role
from rubric_engine.files import File
from rubric_engine.monitor.notebook import Cell, cells_of, without_shell
from rubric_engine.monitor.strings import Strings, strings_of
from rubric_engine.monitored import Source
from rubric_engine.submitted import Submission

MOST_BYTES = 100_000_000
"""What is read of a submission, in all."""

Part = Literal["shell", "python", "notebook", "manifest", "build", "code", "docs", "data"]
"""What a text is to the rules: a `manifest` names what is installed, a `build` file runs shell."""

_MANIFESTS = frozenset(
    {".gitmodules", "build.gradle", "cargo.toml", "composer.json", "conda.yaml", "conda.yml"}
    | {"constraints.txt", "description", "environment.yaml", "environment.yml", "gemfile"}
    | {"go.mod", "package.json", "pipfile", "poetry.lock", "project.toml", "pyproject.toml"}
    | {"renv.lock", "setup.cfg", "uv.lock"}
)
_BUILDS = frozenset({"containerfile", "dockerfile", "gnumakefile", "justfile", "makefile"})


@dataclass(frozen=True)
class SourceText:
    """A text of a submission.

    Attributes:
        source: The submission as handed in, or as its run left it.
        path: Its path.
        part: What it is.
        text: Its beginning, up to what rules read.
    """

    source: Source
    path: str
    part: Part
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.text.split("\n")

    @cached_property
    def cells(self) -> list[Cell]:
        """Of a notebook, its code cells."""
        return cells_of(self.text)

    @cached_property
    def strings(self) -> Strings | None:
        """Of a Python program that parses, its strings."""
        return strings_of(without_shell(self.text))

    @property
    def programs(self) -> list[tuple[str, Callable[[int], int]]]:
        """Its code, in one piece or a cell each, and what tells the file's line of one of its."""
        if self.part == "notebook":
            return [(cell.code, cell.line) for cell in self.cells]
        return [(self.text, lambda line: line)]

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1


def texts(submission: Submission, source: Source = "submission") -> Iterator[SourceText]:
    """The texts of a submission, small ones first, up to `MOST_BYTES` in all."""
    left = MOST_BYTES
    for file in sorted(submission.files, key=lambda each: each.size):
        most = min(most_bytes(file), left)
        if most:
            left -= min(file.size, most)
            with suppress(SubmissionError):  # who judges it meets the same, and says so
                text = submission.read(file.path, max_bytes=most)
                yield SourceText(source, file.path, part_of(file, text[:200]), text)


def part_of(file: File, head: str) -> Part:
    """What a text is, by its name, its kind and its first line."""
    path = PurePosixPath(file.path.lower())
    if file.kind == "notebook" or path.suffix == ".ipynb":
        return "notebook"
    if file.path == SCRIPT or path.suffix in (".sh", ".bash", ".zsh") or _starts(head, "sh"):
        return "shell"
    if path.suffix in (".py", ".pyw") or _starts(head, "python"):
        return "python"
    if path.name in _MANIFESTS or _is_requirements(path):
        return "manifest"
    if path.name in _BUILDS or path.stem in ("dockerfile",) or path.suffix == ".mk":
        return "build"
    known = role(file)
    return known if known in ("code", "docs") else "data"


def _is_requirements(path: PurePosixPath) -> bool:
    return path.suffix in (".in", ".txt") and (
        "requirements" in path.name or path.parent.name == "requirements"
    )


def _starts(head: str, program: str) -> bool:
    first = head.split("\n", 1)[0]
    return first.startswith("#!") and program in first
