"""What of a desk the page is told: no weight, no score, no other label. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubric_engine.labels import Label
from rubric_engine.rubric import Rubric


def shown_label(label: Label) -> dict[str, Any]:
    """Of a label what its own author sees.

    Args:
        label: The label.
    """
    return {
        "verdict": label.verdict,
        "reason": label.reason,
        "citations": [str(citation) for citation in label.citations],
        "flag": label.flag,
    }


def shown_tree(
    rubric: Rubric, leaves: Sequence[str], said: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Leaves, and what stands above them, in the order of the tree.

    Args:
        rubric: The rubric.
        leaves: What is labelled.
        said: What others say of a leaf, where that may be seen.
    """
    wanted = {key for leaf in leaves for key in rubric.path(leaf)}
    keys = [key for key in rubric.order if key in wanted]
    index = {key: at for at, key in enumerate(keys)}
    return {
        "nodes": [
            {
                "key": key,
                "parent": index.get(rubric.parent(key) or "", -1),
                "requirements": rubric[key].requirements,
            }
            for key in keys
        ],
        "leaves": [
            {
                "node": index[key],
                "category": rubric[key].task_category or "",
                "question": rubric.category_of(key).question,
                "place": rubric[key].paper_ref,
                "said": said.get(key),
            }
            for key in leaves
        ],
    }
