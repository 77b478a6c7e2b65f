"""Which data files a query names, and a folder of its own for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rubric_engine.files import File
from rubric_engine.judges.rules.outcome import Undecided
from rubric_engine.judges.rules.view import View
from rubric_engine.submission.removing import remove_tree
from rubric_engine.submission.scratch import Scratch
from rubric_engine.submission.tree import reason_of
from rubric_engine.submission.writing import TreeWriter

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet")
"""Suffixes of the files that a query can read; DuckDB goes by the suffix, too."""

MAX_FILE = 250_000_000
"""Bytes of the largest data file that is copied; copying takes twice that of memory."""

_MAX_PATH = 3000  # bytes; a longer one, below the folder of a copy, is too long for the system

_TOKEN = re.compile(
    r"""--[^\n]* | /\*.*?\*/                       # comments name nothing
      | '(?P<text>(?:[^']|'')*)' | "(?P<name>(?:[^"]|"")*)" | \$\$(?P<dollars>.*?)\$\$
    """,
    re.VERBOSE | re.DOTALL,
)
_WILD = re.compile(r"[*?\[]")
_PUT_TOGETHER = re.compile(r"\|\||\b(?:concat|format|printf|replace)\w*\s*\(", re.IGNORECASE)


def names_in(query: str) -> tuple[str, ...]:
    """The texts in a query that name data files: by their suffix; without any, all globs."""
    texts = _texts(query)
    named = tuple(text for text in texts if text.lower().endswith(SUFFIXES))
    return named or tuple(text for text in texts if _WILD.search(text))


def _texts(query: str) -> list[str]:
    found = []
    for token in _TOKEN.finditer(query):
        text = token["text"] or token["name"] or token["dollars"] or ""
        found.append(text.replace(token[0][0] * 2, token[0][0]))
    return found


def files_of(name: str, view: View) -> tuple[File, ...]:
    """The data files that a name in a query stands for."""
    exact = (view.files[name],) if name in view.files else ()
    try:
        files = exact or view.glob(name)
    except ValueError:  # a glob of DuckDB's, but none of ours
        return exact
    return tuple(file for file in files if file.path.lower().endswith(SUFFIXES))


def wanted(query: str, view: View) -> tuple[File, ...]:
    """The data files that a query may read; all of them where it puts a name together."""
    names = [*names_in(query), *(text for text in _texts(query) if _WILD.search(text))]
    files = {file.path: file for name in names for file in files_of(name, view)}
    if not files and _PUT_TOGETHER.search(query):
        files = {file.path: file for file in files_of("**", view)}
    return tuple(files.values())


class Copies:
    """Copies of data files, each made once, and folders that hold some of them.

    Args:
        most: Bytes of the files of one query.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._scratch: Scratch | None = None
        self._kept: dict[tuple[int, str], Path] = {}
        self._number = 0

    def remove(self) -> None:
        """Remove all of them."""
        if self._scratch is not None:
            self._scratch.remove()

    @contextmanager
    def folder(self, files: tuple[File, ...], view: View) -> Iterator[Path]:
        """A new folder that holds some files under their names, removed afterwards.

        Raises:
            Undecided: They are too large, or the disk refuses.
        """
        _require_fit(files, self._most)
        self._scratch = self._scratch or Scratch()
        self._number += 1
        folder = (self._scratch.path / f"query-{self._number}").resolve()
        try:
            folder.mkdir()
            with TreeWriter(folder) as tree:
                for file in files:
                    if len(os.fsencode(file.path)) <= _MAX_PATH:
                        self._link(file, view, tree)
            yield folder
        except OSError as error:
            message = f"the data files cannot be copied: {reason_of(error)}"
            raise Undecided("infra", message) from error
        finally:
            remove_tree(folder)

    def _link(self, file: File, view: View, tree: TreeWriter) -> None:
        assert self._scratch is not None
        key = id(view), file.path
        if key not in self._kept:
            kept = self._scratch.path / f"file-{len(self._kept)}"
            kept.write_bytes(view.content(file))
            kept.chmod(0o400)
            self._kept[key] = kept
        above, _, name = file.path.rpartition("/")
        tree.make_folder(above)
        os.link(self._kept[key], name, dst_dir_fd=tree.folder(above))


def _require_fit(files: tuple[File, ...], most: int) -> None:
    for file in files:
        if file.size > MAX_FILE:
            large = f"{file.path} has {file.size} bytes; at most {MAX_FILE} are copied"
            raise Undecided("check_limit", large)
    if sum(file.size for file in files) > most:
        together = f"the data files of the query have more than {most} bytes together"
        raise Undecided("check_limit", together)
