"""The page of a comparison as one HTML text that fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rubric_engine.comparing import Comparison
    from rubric_engine.report import Mask


def comparison_page(found: Comparison, redact: Sequence[str] = ()) -> str:
    """A comparison as a page; secrets in its texts are masked.

    Args:
        found: The comparison.
        redact: Patterns of google-re2; what they find is hidden in all texts.
    """
    return values_page(masked_values(found, comparison_mask(redact)))


def values_page(values: Mapping[str, Any]) -> str:
    """The same of a comparison as masked values, as `masked_values` gives them."""
    from rubric_engine.page import assemble

    page = _page_of(values)
    names = [str(page["comparison"][side]["id"] or side.upper()) for side in ("a", "b")]
    return assemble(page, entry="comparison", title=" and ".join(names))


def page_values(found: Comparison, redact: Sequence[str] = ()) -> dict[str, Any]:
    """The page's data as plain JSON values.

    Args:
        found: The comparison.
        redact: Patterns of google-re2; what they find is hidden in all texts.

    Returns:
        ``{"page": 1, "version", "kind": "comparison", "runs": [], "comparison"}``, the last as
        `comparison_values` makes it. The runs' own pages show all of their leaves.
    """
    return _page_of(masked_values(found, comparison_mask(redact)))


def _page_of(values: Mapping[str, Any]) -> dict[str, Any]:
    from importlib.metadata import version

    from rubric_engine.figures import typeset

    return {
        "page": 1,
        "version": version("rubric-engine"),
        "kind": "comparison",
        "runs": [],
        "comparison": {**values, "said": [typeset(text) for text in values["said"]]},
    }


def comparison_mask(redact: Sequence[str] = ()) -> Mask:
    """What hides secrets in a comparison, and what a person names, but no word of ours.

    Args:
        redact: Patterns of google-re2.

    Raises:
        UsageError: A pattern is none.
    """
    from rubric_engine.comparing import KIND_WORDS
    from rubric_engine.report import Mask

    return Mask(redact, kept=[*KIND_WORDS, *KIND_WORDS.values()])


def masked_values(found: Comparison, mask: Mask) -> dict[str, Any]:
    """A comparison as plain JSON values, masked; criteria whose keys look alike then are numbered.

    Args:
        found: The comparison.
        mask: Hides what nobody should send on.
    """
    from rubric_engine.cli.plain_values import plain
    from rubric_engine.comparing import comparison_values
    from rubric_engine.comparing.values import score_said
    from rubric_engine.report.apart import told_apart
    from rubric_engine.report.commands import show_leaf

    values = plain(comparison_values(found))
    masked: dict[str, Any] = mask.of(values)
    sides = [
        (one[side]["key"], hidden[side], masked[side]["id"])
        for one, hidden in zip(values["changes"], masked["changes"], strict=True)
        for side in ("a", "b")
        if one[side] is not None
    ]
    shown = {key: side["key"] for key, side, _ in sides}
    names = dict(zip(shown, told_apart(list(shown.values())), strict=True))
    for key, side, run in sides:
        side["key"] = names[key]
        side["show"] = None if run is None else show_leaf(run, names[key])
    for side, report in (("a", found.first), ("b", found.second)):
        masked[side]["said"] = score_said(report, masked[side]["disqualified"])
    masked["policy"] = values["policy"]
    for fact, hidden in zip(values["unlike"], masked["unlike"], strict=True):
        hidden["name"] = fact["name"]  # a word of ours
    return masked
