"""Whether an `evidence` glob of a rubric names a file."""

from __future__ import annotations

from rubric_engine.globs import matches

_WILD = frozenset("*?[]!#\\ ")


def names(glob: str, path: str) -> bool:
    """As `matches`, but quick for a glob without wildcards, as most hints are.

    >>> names("src", "src/a.py"), names("src/*.py", "src/a.py"), names("src/a", "src/a.py")
    (True, True, False)
    """
    if _WILD.isdisjoint(glob):
        plain = glob.removeprefix("./").strip("/")
        return path == plain or path.startswith(f"{plain}/")
    return matches(glob, path)
