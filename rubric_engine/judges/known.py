"""Every judge that a name finds here: its card, and where that comes from."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from rubric_engine._content import content_folder
from rubric_engine.errors import RubricEngineError
from rubric_engine.judge import JudgeCard
from rubric_engine.judges.combine import COMBINED, members_of
from rubric_engine.judges.foreign import GROUP
from rubric_engine.judges.kinds import BUILT_IN
from rubric_engine.judges.registry import CARD, find_card
from rubric_engine.lookup import inside, is_file, named, shipped

KIND = "judges"
"""Folder in which judges are found by name."""

HERE, SHIPPED, CLONE = "here", "shipped", "clone"


@dataclass(frozen=True)
class Known:
    """A judge that a name finds.

    Attributes:
        name: The name.
        source: `here` for one of the current folder, `shipped`, `clone` for one that somebody
            added to the clone that is installed, or the package that registers it.
        card: Its card; None where it cannot be read.
        file: Where the card stands; None where no file holds one.
        error: Why it cannot be read, or None.
        runs_code: Whether to load it would import code that a card of the current folder names.
    """

    name: str
    source: str
    card: JudgeCard | None
    file: Path | None
    error: RubricEngineError | None = None
    runs_code: bool = False


def known_judges() -> tuple[Known, ...]:
    """All judges that a name finds here, by name; no code that a card names is run."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    names = {*points, *named(Path(KIND), (CARD,)), *named(content_folder(KIND), (CARD,))}
    return tuple(_known(name, points.get(name)) for name in sorted(names))


def _known(name: str, point: EntryPoint | None) -> Known:
    try:
        card, file = find_card(name)
    except RubricEngineError as error:
        places = (folder / name / CARD for folder in (Path(KIND), content_folder(KIND)))
        lies = next((place for place in places if is_file(place)), None)
        return Known(name, _source(name, lies, point), None, None, error)
    source = _source(name, file, point)
    return Known(name, source, card, file, runs_code=source == HERE and not _is_ours(card, set()))


def _source(name: str, file: Path | None, point: EntryPoint | None) -> str:
    ships = file is not None and inside(file, content_folder(KIND))
    if ships and name in shipped(KIND):
        return SHIPPED
    if file is not None and inside(file, Path()):
        return HERE
    if ships:
        return CLONE
    if point is None:
        return HERE
    return point.dist.name if point.dist is not None else point.value


def _is_ours(card: JudgeCard, seen: set[str]) -> bool:
    """Whether built-in and installed code alone makes the judge of a card, and its members."""
    if card.kind not in COMBINED:
        return card.kind in BUILT_IN or card.kind in entry_points(group=GROUP).names
    return all(_is_ours_by_name(name, seen) for name in members_of(card))


def _is_ours_by_name(name: str, seen: set[str]) -> bool:
    if name in seen:  # its card has its say where it was met first
        return True
    seen.add(name)
    try:
        return _is_ours(find_card(name)[0], seen)
    except RubricEngineError:
        return False
