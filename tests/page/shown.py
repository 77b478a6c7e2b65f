"""A made-up run as a page, and what of it several tests look at."""

from __future__ import annotations

from typing import Any

from rubric_engine.page import assemble
from tests.page.made import made_page, made_run, said_of

RUN, CHUNKS = made_run(150)
NODES = RUN["nodes"]
LEAVES = [at for at, verdict in enumerate(NODES["verdict"]) if verdict is not None]
PAGE = assemble(made_page(RUN), [CHUNKS], title="Report")


def active(page: Any) -> int:
    """The row of the tree that is active."""
    name = page.get_attribute("#tree", "aria-activedescendant")
    assert page.locator(f"#{name}").count() == 1, "the active row is drawn"
    return int(name.removeprefix("row-"))


def lone(verdict: str, score: float | None, disqualified: str | None = None) -> dict[str, Any]:
    """A run of one leaf."""
    run, _ = made_run(1)
    leaf = max(
        range(len(run["nodes"]["key"])), key=lambda at: run["nodes"]["verdict"][at] is not None
    )
    nodes = {name: [column[leaf]] for name, column in run["nodes"].items()}
    low = high = score
    if verdict == "open":
        low, high = 0.0, 1.0
    whole = {"value": score, "low": low, "high": high, "worth": 100.0, "lost": 0.0, "open": 0.0}
    nodes |= {name: [value] for name, value in whole.items()}
    nodes |= {"parent": [-1], "verdict": [verdict], "flags": [0]}
    coverage = 1.0 if verdict == "met" else 0.0
    whole = {"value": score, "low": low, "high": high, "coverage": coverage}
    said = said_of(whole, run["cost"], whole=verdict != "open", disqualified=disqualified)
    return run | {
        "nodes": nodes, "complete": True, "score": whole, "said": said,
        "disqualified": disqualified,
    }  # fmt: skip
