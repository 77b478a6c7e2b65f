"""What a page has to show of a run, worked out from `report.json` alone.

Shares have one decimal, points two, dollars are rounded up to cents (to two digits below ten cents)
and scores and probabilities of a leaf have three digits, as docs/page.md says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rubric_engine.figures import percent, span_of
from rubric_engine.figures import points as rounded
from rubric_engine.spending.dollars import show_most

NOBODY_TRIED = ("needs_model", "not_run")
WORDS = {"open": "no grade"}
SIGNS = {"met": "✓", "part": "◐", "not met": "✗", "open": "○", "n/a": "\u2013"}
POLICY = {"zero": "ungraded leaves count as 0 (missing=zero)",
          "renormalise": "ungraded leaves are left out (missing=renormalise)"}  # fmt: skip
CHIPS = {
    "not met": "✗ not met",
    "part": "◐ part",
    "open": "○ no grade",
    "met": "✓ met",
    "n/a": "\u2013 n/a",
}


def points(value: float | None) -> str:
    """Points of 100."""
    return "-" if value is None else rounded(value, 2)


def short(value: float) -> str:
    """A score or a probability."""
    return f"{value:.3g}"


class Shown:
    """What is shown of one report.

    Args:
        report: The content of `report.json`.
        labels: Verdicts of a human by key.
    """

    def __init__(self, report: dict[str, Any], labels: Mapping[str, str] | None = None) -> None:
        self.report = report
        self.labels = labels or {}
        self.rows: list[dict[str, Any]] = report["criteria"]
        self.leaves = [row for row in self.rows if row["verdict"] is not None]

    def headline(self) -> str:
        """The score, or its range."""
        score = self.report["score"]
        if self.report["disqualified"]:
            return "0.0%"
        if score["low"] is None:
            return "not applicable"
        if score["coverage"] == 1 and "open" not in {row["verdict"] for row in self.leaves}:
            return percent(score["value"])
        return f"between {percent(score['low'])} and {percent(score['high'])}"

    def score_lines(self) -> list[str]:
        """What stands below the headline of a score with open leaves."""
        score, policy = self.report["score"], POLICY[self.report["missing"]]
        lines = [
            f"{percent(score['value'])} if {policy}",
            f"coverage {percent(score['coverage'])} of the weight is graded",
        ]
        if score.get("sd") is not None:
            sd = rounded(100 * score["sd"])
            lines.append(f"expected; sd {sd} points, taking leaves as independent")
        return lines

    def cost(self) -> str:
        """What was paid, tokens and calls."""
        cost = self.report["cost"]
        if not cost.get("attempts"):
            return "nothing"
        tokens = f"{cost['input_tokens']:,} in"
        cached = percent(cost["cached_tokens"] / cost["input_tokens"])
        calls = f"{cost['calls']:,} call{'s' * (cost['calls'] != 1)}"
        return (
            f"{show_most(cost['usd'])} {tokens} ({cached} cached), {cost['output_tokens']:,} out; "
            f"{calls} + {cost.get('replayed', 0):,} replayed"
        )

    def size(self) -> str:
        """How many leaves and criteria."""
        return f"{len(self.leaves):,} leaves, {len(self.rows):,} criteria"

    def categories(self) -> list[list[str]]:
        """The table of categories."""
        return [
            [row["category"], f"{row['leaves']:,}", span_of(row["score"])]
            + [points(row[name]) for name in ("points", "lost", "open")]
            for row in self.report["categories"]
        ]

    def lost_first(self) -> list[tuple[str, str]]:
        """Lost and worth of what lost most: leaves, and groups that own their points."""
        sharing = {row["parent"] for row in self.rows if row["lost"] is not None}
        found = [row for row in self.rows if row["lost"] and row["key"] not in sharing]
        found.sort(key=lambda row: (-row["lost"], -row["open"]))
        return [(points(row["lost"]), points(row["worth"])) for row in found[:5]]

    def chips(self) -> dict[str, int]:
        """Leaves of each filter; of those that none has there is no filter."""
        verdicts = Counter(row["verdict"] for row in self.leaves)
        counts = {words: verdicts[name] for name, words in CHIPS.items()}
        for row in self.leaves:
            for name in self._doubts(row):
                counts[name] = counts.get(name, 0) + 1
        return {name: count for name, count in counts.items() if count}

    def _doubts(self, row: Mapping[str, Any]) -> Iterator[str]:
        grade = self.report["grades"][row["key"]]
        if grade.get("reason", "not_run") not in NOBODY_TRIED:
            yield "failed"
        if any(place.get("verified") in ("moved", "not_found") for place in _cited(grade)):
            yield "unverified citation"
        votes = [*grade.get("samples", ()), *(one.get("score") for one in grade.get("members", ()))]
        said = {score >= 0.5 for score in votes if score is not None}
        if len(said) > 1 or grade.get("reason") == "split":
            yield "split votes"
        if 0.2 <= grade.get("probability", -1) <= 0.8:
            yield "unsure"
        label = self.labels.get(row["key"])
        wanted = {"met": True, "not_met": False}.get(label or "")
        score = grade.get("score")
        if None not in (wanted, score) and (score >= 0.5) != wanted:
            yield "human differs"

    def row(self, key: str) -> list[str]:
        """Score, worth and lost of a criterion in the tree."""
        row = next(row for row in self.rows if row["key"] == key)
        return [self.verdict(key), points(row["worth"]), points(row["lost"])]

    def verdict(self, key: str) -> str:
        """The verdict of a leaf, the score of a group."""
        row = next(row for row in self.rows if row["key"] == key)
        score = self.report["scores"][key]
        if row["verdict"] is None:
            return span_of(score) if score["low"] is not None else "n/a"
        much = f" {short(score['value'])}" if row["verdict"] == "part" else ""
        return f"{SIGNS[row['verdict']]} {WORDS.get(row['verdict'], row['verdict'])}{much}"

    def panel(self, key: str, weight: float) -> dict[str, str]:
        """The figures beside an open criterion."""
        row = next(row for row in self.rows if row["key"] == key)
        grade = self.report["grades"].get(key, {})
        shown = {"worth": f"{points(row['worth'])} of 100", "weight": f"{weight:g}"}
        if row["lost"] is None:
            shown["worth"] = f"{points(row['worth'])}, its points belong to a group above"
        else:
            shown["lost"] = points(row["lost"])
        if row["open"]:
            shown["open"] = points(row["open"])
        if row["category"] is not None:
            shown["category"] = row["category"]
        if row["verdict"] == "part":
            shown["score"] = short(grade["score"])
        if grade.get("probability") is not None:
            shown["probability"] = short(grade["probability"])
        if grade.get("reason"):
            shown["no grade"] = grade["reason"]
        return shown

    def samples(self, key: str) -> str | None:
        """What single samples said of a leaf."""
        samples = self.report["grades"].get(key, {}).get("samples", ())
        met = sum(score >= 0.5 for score in samples)
        told = ", ".join(map(short, samples))
        count = f"{len(samples)} sample{'s' * (len(samples) != 1)}"
        return f"{count}: {met} met, {len(samples) - met} not met ({told})" if samples else None

    def tokens(self, key: str) -> str:
        """What a leaf's judge read and wrote."""
        usage = self.report["grades"][key].get("usage")
        if not usage:
            return ""
        read, wrote = (f"{usage.get(name, 0):,.0f}" for name in ("input_tokens", "output_tokens"))
        return f"{read} tokens in, {wrote} out"

    def below(self, key: str) -> str:
        """How many leaves below a group have which verdict."""
        parents = {row["key"]: row["parent"] for row in self.rows}
        counts = Counter(
            row["verdict"] for row in self.leaves if key in _above(parents, row["key"])
        )
        return ", ".join(
            sorted(f"{count:,} {WORDS.get(name, name)}" for name, count in counts.items())
        )


def _above(parents: Mapping[str, str | None], key: str) -> Iterator[str]:
    above = parents[key]
    while above is not None:
        yield above
        above = parents[above]


def _cited(grade: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for part in (grade, *grade.get("checks", ()), *grade.get("members", ())):
        yield from part.get("citations", ())
    for member in grade.get("members", ()):
        yield from _cited(member)
