"""Finding a task or a judge by name, and never in a place that a submission controls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

from rubric_engine._content import content_folder
from rubric_engine.errors import InputError
from rubric_engine.near import near


@dataclass
class Lookup:
    """Looks for a named folder and remembers where it looked.

    Args:
        kind: The folder of the repository that holds such things: `rubrics` or `judges`.
        marks: Names of files of which a folder must hold one to be what is looked for.
        untrusted: A submission's root; only what ships is found by name in it.
    """

    kind: str
    marks: tuple[str, ...]
    untrusted: Path | None = None
    tried: list[str] = field(default_factory=list)

    def find(self, name: str) -> Path | None:
        """Return the path of `name`: a path, ./KIND/name, entry points, PaperBench's, shipped."""
        if is_path(name):
            self.tried.append(f"{name} (a path)")
            path = Path(name).expanduser()
            return path if is_file(path) or is_folder(path) else None
        for place in self._places(name):
            if planted(place, self.kind, self.untrusted):
                self.tried.append(f"{place} (passed over: it lies inside the submission)")
                continue
            self.tried.append(str(place))
            if is_file(place) or any(is_file(place / mark) for mark in self.marks):
                return place
        return None

    def _places(self, name: str) -> Iterator[Path]:
        yield Path(name)
        yield Path(self.kind) / name
        for point in entry_points(group=f"rubric_engine.{self.kind}", name=name):
            found = point.load()
            if isinstance(found, str | Path):
                yield Path(found)
        data = os.environ.get("PAPERBENCH_DATA_DIR")
        if data and self.kind == "rubrics":
            yield Path(data) / "papers" / name
        yield content_folder(self.kind) / name

    def missing(self, name: str, what: str, error: type[InputError]) -> InputError:
        """The error for a `name` that `find` did not find: all that was tried, and what ships."""
        ships = shipped(self.kind)
        meant = near(name, ships)
        example = f"./{self.kind}/{Path(name).name}"
        return error(
            f"no {what} {name!r}" + (f"; {meant}" if meant else ""),
            looked=[
                *(f"tried {place}" for place in self.tried),
                f"shipped: {', '.join(ships) or 'none'}",
            ],
            fix=[f"give the path of a folder that holds {self.marks[0]}, such as {example}"],
        )


def is_path(name: str) -> bool:
    """True where a person plainly gave a path, not a name."""
    return os.sep in name or name.startswith((".", "~"))


def planted(path: Path, kind: str, untrusted: Path | None) -> bool:
    """Whether a submission's author may have put there what a name finds.

    What ships is as good as the code that runs here, wherever a person installed both.

    Args:
        path: What was found.
        kind: The folder of the repository that holds such things.
        untrusted: The submission's root, if there is one.
    """
    if untrusted is None or not inside(path, untrusted):
        return False
    return path.resolve().parent != content_folder(kind).resolve()


def inside(path: Path, folder: Path) -> bool:
    """True where `path` lies in `folder`, links resolved."""
    return path.resolve().is_relative_to(folder.resolve())


def is_file(path: Path) -> bool:
    """Whether a path is a file; one that the system cannot even look at is not."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; one that the system cannot even look at is not."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def shipped(kind: str) -> list[str]:
    """Names of the shipped folders of a kind, sorted."""
    folder = content_folder(kind)
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
