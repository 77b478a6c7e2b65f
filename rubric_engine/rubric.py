"""The rubric: a tree of weighted criteria, as a value.

The tree is a frozen `networkx.DiGraph` of keys with one `Criterion` a node. Look-ups are constant
time and nothing recurses. Views (`subset`, `without`, `prune_to_depth`) are new rubrics whose
criteria keep their keys, so the same grades fit all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rubric_engine.categories import BUILT_IN, Category, category
from rubric_engine.checks import reads_run
from rubric_engine.criterion import Criterion
from rubric_engine.cutting import with_leaves, with_levels
from rubric_engine.errors import RubricError
from rubric_engine.formulas import require_metrics
from rubric_engine.worth import shares

if TYPE_CHECKING:
    import networkx as nx

    Graph = nx.DiGraph[str]


class Rubric:
    """A tree of criteria. `load_rubric` builds it from a file, `Rubric.build` from values.

    Attributes:
        graph: Frozen `nx.DiGraph` of keys, edges from parent to child, children in document order;
            each node holds its `criterion`.
        root: Key of the root.
        title: Title from the header, or None.
        categories: The rubric's own categories, beside the built-in ones.
        metrics: What the header names of combinations of categories: the text of each by its name.
        warnings: What the loader found odd and let pass, one line each.
    """

    def __init__(
        self,
        graph: Graph,
        root: str,
        *,
        title: str | None = None,
        categories: Mapping[str, Category] | None = None,
        metrics: Mapping[str, str] | None = None,
        warnings: Iterable[str] = (),
    ) -> None:
        import networkx as nx  # slow to import: many commands make no rubric

        self.graph: Graph = nx.freeze(graph)
        self._criteria: dict[str, Criterion] = {
            key: node["criterion"] for key, node in graph.nodes.items()
        }
        self.root = root
        self.title = title
        self.categories = dict(categories or {})
        used = (one.task_category for one in self._criteria.values()) if metrics else ()
        known = (*BUILT_IN, *self.categories, *filter(None, used))
        self.metrics = require_metrics(metrics or {}, known)
        self.warnings = tuple(warnings)

    @classmethod
    def build(cls, criteria: Iterable[tuple[str | None, Criterion]], **more: Any) -> Rubric:
        """Build a rubric from ``(parent key, criterion)`` pairs, parents before children.

        Args:
            criteria: The pairs in document order; the first has parent None and is the root.
            **more: `title`, `categories`, `metrics` and `warnings`, as attributes.

        Raises:
            RubricError: No criterion, a key twice, a parent that does not stand before, or a metric
                that is none.
        """
        import networkx as nx

        graph: Graph = nx.DiGraph()
        root: str | None = None
        for parent, criterion in criteria:
            key = criterion.key
            if key in graph:
                raise RubricError(f"key {key!r} stands twice", code="E203", key=key)
            if (parent is None) != (root is None) or (parent is not None and parent not in graph):
                raise RubricError(f"parent {parent!r} of {key!r} does not stand before it", key=key)
            graph.add_node(key, criterion=criterion)
            if parent is None:
                root = key
            else:
                graph.add_edge(parent, key)
        if root is None:
            raise RubricError("a rubric needs at least one criterion", code="E207")
        return cls(graph, root, **more)

    def __getitem__(self, key: str) -> Criterion:
        try:
            return self._criteria[key]
        except KeyError:
            raise KeyError(f"no criterion {key!r} in this rubric") from None

    def __contains__(self, key: object) -> bool:
        return key in self.graph

    def __len__(self) -> int:
        return len(self.graph)

    def __iter__(self) -> Iterator[str]:
        return iter(self.order)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rubric):
            return NotImplemented
        return (
            self.title == other.title
            and self.categories == other.categories
            and self.metrics == other.metrics
            and list(self._pairs()) == list(other._pairs())
        )

    __hash__ = None  # type: ignore[assignment]  # equal by content, and the content is large

    def __repr__(self) -> str:
        return f"<Rubric {self.title or self.root!r}: {len(self)} criteria>"

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All keys in document order, depth first, parents before children."""
        order, stack = [], [self.root]
        while stack:
            key = stack.pop()
            order.append(key)
            stack.extend(reversed(self.children(key)))
        return tuple(order)

    @cached_property
    def levels(self) -> Mapping[str, int]:
        """Level of every criterion by key, the root's being 1, in document order."""
        level: dict[str, int] = {}
        for key in self.order:
            above = self.parent(key)
            level[key] = 1 if above is None else level[above] + 1
        return MappingProxyType(level)

    @cached_property
    def _leaves(self) -> tuple[str, ...]:
        return tuple(key for key in self.order if self.is_leaf(key))

    @cached_property
    def _worth(self) -> dict[str, float]:
        return shares(self, lambda _: True)

    @cached_property
    def sha256(self) -> str:
        """Hash of all criteria, own categories and metrics, the same for YAML and JSON."""
        digest = hashlib.sha256()
        own = {name: row.model_dump(mode="json") for name, row in self.categories.items()}
        metrics = [dict(self.metrics)] if self.metrics else []
        criteria = ([parent, c.model_dump(mode="json")] for parent, c in self._pairs())
        for part in [own, *metrics, *criteria]:
            digest.update(json.dumps(part, sort_keys=True).encode() + b"\n")
        return digest.hexdigest()

    def _pairs(self) -> Iterator[tuple[str | None, Criterion]]:
        return ((self.parent(key), self[key]) for key in self.order)

    def leaves(self) -> tuple[str, ...]:
        """Keys of the leaves in document order."""
        return self._leaves

    def is_leaf(self, key: str) -> bool:
        """True for a criterion with a category; a group that a view emptied is no leaf."""
        return self[key].task_category is not None

    def children(self, key: str) -> tuple[str, ...]:
        """Keys of the sub-tasks of `key`, in document order."""
        return tuple(self.graph.successors(self[key].key))

    def parent(self, key: str) -> str | None:
        """Key of the criterion above, None for the root."""
        return next(iter(self.graph.predecessors(self[key].key)), None)

    def path(self, key: str) -> tuple[str, ...]:
        """Keys from the root down to `key`, both included."""
        steps: list[str] = []
        above: str | None = key
        while above is not None:
            steps.append(above)
            above = self.parent(above)
        return tuple(reversed(steps))

    def worth(self, key: str) -> float:
        """Share of the root's score that the weights give to `key`; the root's is 1.0."""
        return self._worth[key]

    def category_of(self, key: str) -> Category:
        """The row of the category of a leaf."""
        return category(self[key].task_category, self.categories)

    def needs_run(self, key: str) -> bool:
        """True where a leaf's category, or one of its checks, needs `reproduce.sh` to have run."""
        return self.category_of(key).needs_run or any(map(reads_run, self[key].checks))

    def subset(self, *, category: str) -> Rubric:
        """The rubric with the leaves of one category only; groups without leaves go."""
        return self._keep(lambda leaf: leaf.task_category == category)

    def without(self, *, finegrained: str) -> Rubric:
        """The rubric less the leaves of one fine-grained category; groups without leaves go."""
        return self._keep(lambda leaf: leaf.finegrained_task_category != finegrained)

    def keep(self, keys: Iterable[str]) -> Rubric:
        """The rubric with the leaves of these keys only; groups without leaves go."""
        wanted = frozenset(keys)
        return self._keep(lambda leaf: leaf.key in wanted)

    def prune_to_depth(self, levels: int) -> Rubric:
        """Keep so many levels (1 is the root alone).

        A group that loses its children becomes a leaf of category `Subtree`, tagged `estimated`.

        Raises:
            ValueError: `levels` is less than 1.
        """
        if levels < 1:
            raise ValueError(f"levels must be 1 or more, got {levels}")
        return self._view(with_levels(self, levels))

    def _keep(self, wanted: Callable[[Criterion], bool]) -> Rubric:
        return self._view(with_leaves(self, wanted))

    def _view(self, pairs: Iterable[tuple[str | None, Criterion]]) -> Rubric:
        return Rubric.build(
            pairs, title=self.title, categories=self.categories, metrics=self.metrics
        )
