"""Finding a task or a judge by name, and never in a place that a submission controls."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType

from rubric_engine._content import content_folder
from rubric_engine.errors import InputError
from rubric_engine.near import near

_PAPERBENCH = "PAPERBENCH_DATA_DIR"
_SHIPPED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "judges": frozenset(
            [
                "all-met",
                "all-not-met",
                "answers",
                "anthropic",
                "auto",
                "cascade",
                "decision",
                "gemini",
                "labels",
                "llamacpp",
                "monitor",
                "ollama",
                "openai",
                "openrouter",
                "panel",
                "random",
                "rules",
                "simple",
                "sparrow-cascade",
                "sparrow-decider",
                "sparrow-panel",
                "sparrow-robot",
                "thorough",
                "vllm",
            ]
        ),
        "rubrics": frozenset({"count-min", "heavy-ball", "variance-reduction"}),
    }
)
"""What ships. In a clone people add their own to the same folders, and only names tell them apart.
"""


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
        seen: set[Path] = set()
        for place in self._places(name):
            if (where := place.absolute()) in seen:
                continue  # in a clone, the shipped folder is also that of the current one
            seen.add(where)
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
        data = os.environ.get(_PAPERBENCH)
        if data and self.kind == "rubrics":
            yield Path(data) / "papers" / name
        yield content_folder(self.kind) / name

    def missing(self, name: str, what: str, error: type[InputError]) -> InputError:
        """The error for a `name` that `find` did not find: what was tried, and what there is."""
        ships, own = shipped(self.kind), self._own()
        meant = near(name, [*own, *ships])
        example = f"./{self.kind}/{Path(name).name}"
        return error(
            f"no {what} {name!r}" + (f"; {meant}" if meant else ""),
            looked=[
                *(f"tried {place}" for place in self.tried),
                *([f"here: {', '.join(own)}"] if own else []),
                f"shipped: {', '.join(ships) or 'none'}",
            ],
            fix=[
                f"give the path of a folder that holds {self.marks[0]}, such as {example}",
                *self._more_places(),
            ],
        )

    def _more_places(self) -> list[str]:
        """Where other names are known, once a person says where that lies."""
        if self.kind != "rubrics" or os.environ.get(_PAPERBENCH):
            return []
        return [f"of a paper of PaperBench: export {_PAPERBENCH}=FOLDER, which holds its papers/"]

    def _own(self) -> list[str]:
        """Names of the current folder that are no shipped ones."""
        folder = Path(self.kind)
        if planted(folder / "any", self.kind, self.untrusted):
            return []
        return sorted(named(folder, self.marks) - set(shipped(self.kind)))


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


def named(folder: Path, marks: tuple[str, ...]) -> set[str]:
    """Names of what lies in a folder and holds one of some files."""
    try:
        entries = list(folder.iterdir())
    except OSError:
        return set()
    return {entry.name for entry in entries if any(is_file(entry / mark) for mark in marks)}


def shipped(kind: str) -> list[str]:
    """Names of the shipped folders of a kind, sorted; what people add to them is none."""
    folder = content_folder(kind)
    if not folder.is_dir():
        return []
    names = {entry.name for entry in folder.iterdir() if entry.is_dir()}
    return sorted(names & _SHIPPED.get(kind, names))
