"""The page of a comparison as one HTML text that fetches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.comparing import Comparison


def comparison_page(found: Comparison) -> str:
    """A comparison as a page; secrets in its texts are masked.

    Args:
        found: The comparison.
    """
    from rubric_engine.page import assemble

    page = page_values(found)
    names = [str(page["comparison"][side]["id"] or side.upper()) for side in ("a", "b")]
    return assemble(page, entry="comparison", title=" and ".join(names))


def page_values(found: Comparison) -> dict[str, Any]:
    """The page's data as plain JSON values.

    Returns:
        ``{"page": 1, "version", "kind": "comparison", "runs": [], "comparison"}``, the last as
        `comparison_values` makes it. The runs' own pages show all of their leaves.
    """
    from importlib.metadata import version

    from rubric_engine.cli.plain_values import plain
    from rubric_engine.comparing import comparison_values
    from rubric_engine.report import Mask

    return {
        "page": 1,
        "version": version("rubric-engine"),
        "kind": "comparison",
        "runs": [],
        "comparison": Mask().of(plain(comparison_values(found))),
    }
