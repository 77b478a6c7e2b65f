"""Hypothesis strategies for rubric files: what a loader may meet, and what it must keep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from rubric_engine.near import near
from tests.strategies import GLOBS

TEXT = st.one_of(
    st.text(max_size=12),
    st.text(alphabet=" \n\t:#-'\"\\{}[],&*!|>%@`~?\x00\x7f\x85\u2028\ufeffaé1😀", max_size=12),
    st.sampled_from(
        ["null", "~", "true", "no", "010", "1e3", "-", "---", "...", "a: b", "a #b", "<<", "=",
         "2024-01-01", " a", "a ", "a\n\nb\n", "a\n  b", "\na", "{", "word " * 40,
         "two  blanks " * 20, ".inf", "0x1F", "a:", "#a", "a\r\nb", "日本語 のテキスト " * 12],
    ),
)  # fmt: skip
"""Texts, the ones that YAML finds hard often."""

LONE = st.text(alphabet="a\ud800\udfff", min_size=1, max_size=4)
"""Texts with half surrogate pairs, which only JSON can write."""

WEIGHTS = st.one_of(
    st.integers(1, 20), st.floats(1e-300, 1e300), st.sampled_from([0.1, 1e16, 2**53 + 2])
)

JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
        TEXT,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip
"""Values of unknown keys."""

CHECKS = st.sampled_from(
    [
        {"file_exists": {"file": "a b", "min": 2}},
        {"exit_code": {}},
        {"number": {"file": "x.json", "json": "a[0]", "equals": 1e-9, "rel": 0.5}},
        {"not": {"any": [{"contains": {"file": "**/*.py", "text": "no"}}, {"exit_code": {}}]}},
        {"sql": {"query": "select max(hb) * 3 <= min(gd)\nfrom 'steps.csv' where k = 1000"}},
        {"log_contains": {"regex": r"loss:\s*[0-9.]+ \"é\"", "max": 3}},
    ]
)


@st.composite
def own_fields(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """Keys of a criterion, sub-tasks and category aside."""
    optional = {
        "checks": st.lists(CHECKS, max_size=2),
        "evidence": st.lists(GLOBS, max_size=3),
        "tags": st.lists(TEXT, max_size=3),
        "aggregate": st.sampled_from(["all", "min", "at_least(2)", None]),
        "note_to_judge": st.one_of(st.none(), TEXT),
        "paper_ref": TEXT,
        "scale": st.lists(
            st.fixed_dictionaries({"score": st.floats(0, 1), "says": TEXT}), max_size=2
        ),
        "finegrained_task_category": TEXT,
    }
    more = draw(st.fixed_dictionaries({}, optional=optional))
    return {"id": name, "requirements": draw(TEXT), "weight": draw(WEIGHTS), **more}


@st.composite
def trees(draw: st.DrawFn, *, loose: bool = False, max_nodes: int = 8) -> dict[str, Any]:
    """A criterion with everything below it.

    Args:
        loose: Whether it has repeated ids and unknown keys, as a file without a header may.
        max_nodes: Upper bound of its size.
    """
    count = draw(st.integers(1, max_nodes))
    some = st.sampled_from(["a", "b", "a#2", "a#3"]) if loose else TEXT.filter(bool)
    names = draw(st.lists(some, min_size=count, max_size=count, unique=not loose))
    nodes = [draw(own_fields(name)) for name in names]
    for index in range(1, count):
        nodes[draw(st.integers(0, index - 1))].setdefault("sub_tasks", []).append(nodes[index])
    for node in nodes:
        if "sub_tasks" not in node:
            node["task_category"] = draw(TEXT.filter(bool))
        if loose:
            unknown = draw(st.dictionaries(TEXT, JSON, max_size=2))
            node.update((key, value) for key, value in unknown.items() if key not in node)
            if draw(st.booleans()):
                node["requirements"] = draw(LONE)
    return nodes[0]


@st.composite
def headed(draw: st.DrawFn) -> dict[str, Any]:
    """A file with a header."""
    category = st.fixed_dictionaries(
        {"question": TEXT},
        optional={
            "sees": st.lists(st.sampled_from(["code", "docs", "log"]), max_size=2),
            "needs_run": st.booleans(),
        },
    )
    head = {"title": TEXT, "categories": st.dictionaries(TEXT, category, max_size=2)}
    file: dict[str, Any] = {"rubric": 1, **draw(st.fixed_dictionaries({}, optional=head))}
    file["root"] = draw(trees())
    used = {node["task_category"] for node in _leaves(file["root"])}
    declared = file.get("categories", {})
    for name in [name for name in declared if any(near(leaf, [name]) for leaf in used - {name})]:
        del declared[name]  # a leaf's category would be taken for a slip of it
    return file


def _leaves(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "sub_tasks" not in node:
        yield node
    for below in node.get("sub_tasks", ()):
        yield from _leaves(below)


FILES = st.one_of(trees(loose=True), headed()).map(json.dumps)
"""Texts of files that load."""
