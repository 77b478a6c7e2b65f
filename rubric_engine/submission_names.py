"""What a submission is called where people read of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

CALLED = "submission_called"
"""Where a run's provenance says it, if that is not the name of the submission's folder itself."""

_PACKED = re.compile(r"\.(tar(\.\w+)?|tgz|tbz2?|txz)$", re.IGNORECASE)

_TELL_NOTHING = frozenset(
    {
        "code", "executed", "home", "project", "repo", "repository", "root", "solution", "source",
        "src", "submission", "submissions", "tmp", "work", "workspace",
    }
)  # fmt: skip
"""Names that say what lies there, and not whose it is."""


def called(place: PurePath) -> str:
    """Name of a submission for people; one that says only what it is gives way to its folder's.

    Args:
        place: The absolute path of the submission, a folder or an archive.

    Returns:
        Such as ``heavy-ball-partial`` for ``.../heavy-ball-partial/submission``; the submission's
        own name where no folder above it tells more.
    """
    own = _PACKED.sub("", place.name)
    names = (own, *(above.name for above in place.parents))
    return next((name for name in names if name and name.lower() not in _TELL_NOTHING), own)


def called_in(provenance: Mapping[str, Any]) -> str:
    """Name for people of the submission that a run graded.

    Args:
        provenance: The facts of the run, which may hold anything.

    Returns:
        The name; empty where none is known.
    """
    return str(provenance.get(CALLED) or provenance.get("submission") or "")
