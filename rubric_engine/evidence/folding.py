"""Many files in few lines: counted folder by folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from rubric_engine.evidence.lines import shown_path

UNSEEN = "no evidence for criteria of this category"
"""Why a file of another role is not shown; nobody needs such files listed folder by folder."""


class FileCounts:
    """Files and bytes by name and reason.

    Args:
        counts: Number of files and their bytes, by name and reason.
    """

    def __init__(self, counts: dict[tuple[str, str], tuple[int, int]]) -> None:
        self._counts = counts

    @classmethod
    def of(cls, files: Iterable[tuple[str, str, int]]) -> FileCounts:
        """Count paths with a reason and a size; the same path and reason counts once."""
        return cls({(path, why): (1, size) for path, why, size in files})

    def folded(self, fold: Callable[[str], str]) -> FileCounts:
        """The same with shorter names, and so with fewer of them."""
        counts: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for (name, why), (files, size) in self._counts.items():
            key = ("all folders" if why == UNSEEN else fold(name), why)
            before = counts[key]
            counts[key] = (before[0] + files, before[1] + size)
        return FileCounts(dict(counts))

    def __len__(self) -> int:
        return len(self._counts)

    def lines(self) -> list[str]:
        """One text line for each name and reason, sorted."""
        return [
            f"- {shown_path(name)}: {f'{files} files, ' if files > 1 else ''}{size} bytes: {why}"
            for (name, why), (files, size) in sorted(self._counts.items())
        ]


def itself(path: str) -> str:
    """No folding."""
    return path


def folder(path: str) -> str:
    """The folder that a file is in."""
    return path[: path.rfind("/") + 1] or "./"


def two_folders(path: str) -> str:
    """The two uppermost folders of a path."""
    return "".join(f"{part}/" for part in folder(path).split("/")[:2] if part)


def top_folder(path: str) -> str:
    """The uppermost folder of a path."""
    return folder(path).split("/")[0] + "/"


FOLDS: tuple[Callable[[str], str], ...] = (itself, folder, two_folders, top_folder)
"""Each makes shorter names of what the one before it made."""
