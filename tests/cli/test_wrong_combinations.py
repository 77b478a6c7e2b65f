"""Cards of judges made of judges that are wrong: where, why, and what mends them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.paying import paying
from tests.cli.test_combined_judges import Combining, combining, key

__all__ = ["combining", "key", "paying"]

WRONG = {
    "cascade-empty": ("kind: cascade\njudges: []", (3, 9), "must not be empty"),
    "cascade-twice": ("kind: cascade\njudges: [rules, rules]", None, "'rules' stands twice"),
    "cascade-unknown": ("kind: cascade\njudges: [ruels]", None, "did you mean 'rules'?"),
    "band-reversed": ("kind: cascade\njudges: [rules]\nunsure: [0.8, 0.2]", (4, 9), "lower"),
    "band-nan": ("kind: cascade\njudges: [rules]\nunsure: [.nan, 0.2]", (4, 10), "a number"),
    "panel-one": ("kind: panel\njudges: [rules]", (3, 9), "at least two judges"),
    "panel-twice": ("kind: panel\njudges: [random, random]", None, "'random' stands twice"),
    "panel-alias": ("kind: panel\njudges: [@/one, @/../cards/one]", None, "once as"),
    "weights-none": (
        "kind: panel\njudges: [rules, random]\nvote: weighted",
        (1, 1),
        "missing: 'rules', 'random'",
    ),
    "weights-less": (
        "kind: panel\njudges: [rules, random]\nvote: weighted\nweights: {rules: 0.8}",
        (5, 10),
        "missing: 'random'",
    ),
    "weights-other": (
        "kind: panel\njudges: [rules, random]\nvote: weighted\n"
        "weights: {rules: 0.8, random: 0.6, other: 0.6}",
        (5, 10),
        "which has 'rules', 'random': 'other'",
    ),
    "lead-high": (
        "kind: repeat\nof: rules\nn: 3\nvote: lead_by\nlead: 5",
        (6, 7),
        "more than n",
    ),
    "self": ("kind: repeat\nof: @/self\nn: 3", None, "is made of itself"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_card_names_its_place_and_what_mends_it(combining: Combining, name: str) -> None:
    text, where, why = WRONG[name]
    combining.card("one", "kind: rules")
    card = combining.card(name, text.replace("@", str(combining.folder)))
    said = combining(card, "--json")
    error: dict[str, Any] = said.json["error"]
    place = error["where"]
    assert (said.code, place["file"]) == (3, str(card / "judge.yaml"))
    assert where is None or (place["line"], place["column"]) == where
    assert why in error["message"]
    assert error["fix"]
