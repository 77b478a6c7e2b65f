"""The `metrics` of a rubric's header: names, what each asks, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import prod
from unicodedata import normalize

from rubric_engine.errors import Problem, RubricError
from rubric_engine.formulas.formula import Formula, Named, Passes, signed_atoms
from rubric_engine.formulas.parsing import FormulaError, Name, is_name, parse_formula
from rubric_engine.formulas.signs import Signs
from rubric_engine.near import near

MOST_WAYS = 4096
"""Most ways to complete the categories that a metric has with and without `not`."""


@dataclass(frozen=True)
class MetricsFlaw:
    """Something that is wrong with a metric.

    Attributes:
        code: E220 it is no formula, E221 a name in it is unknown, E222 it cannot be decided.
        message: What is wrong.
        name: Name of the metric.
        at: Where in its text, in characters from 0; None where its name is wrong.
        hint: What would mend it.
    """

    code: str
    message: str
    name: str
    at: int | None = 0
    hint: str | None = None


@dataclass(frozen=True, eq=False)
class Metrics(Mapping[str, str]):
    """The text of each metric by its name, in the order of the header; `read_metrics` makes one.

    Attributes:
        texts: The texts.
        formulas: What each asks, in an order in which each stands after those that it names.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    formulas: Mapping[str, Formula] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Metrics({dict(self.texts)!r})"

    @cached_property
    def signs(self) -> Signs:
        """What each asks of categories, itself or through others."""
        return Signs(self.formulas)

    def within(self, names: Iterable[str]) -> tuple[str, ...]:
        """Metrics and those that they name, also through others, each after those it names."""
        found = set(names)
        left = list(found)
        while left:
            for atom, _ in signed_atoms(self.formulas[left.pop()]):
                if isinstance(atom, Named) and atom.name not in found:
                    found.add(atom.name)
                    left.append(atom.name)
        return tuple(one for one in self.formulas if one in found)


def require_metrics(texts: Mapping[str, str], categories: Iterable[str]) -> Metrics:
    """Read metrics, or refuse them; those that were read stand, also for a view of their rubric.

    Raises:
        RubricError: Something is wrong with them; `problems` lists all of it.
    """
    if isinstance(texts, Metrics):
        return texts
    found, flaws = read_metrics(texts, dict.fromkeys(categories))
    if flaws:
        first = flaws[0]
        raise RubricError(
            first.message,
            code=first.code,
            fix=[first.hint] if first.hint else (),
            problems=[Problem(one.code, one.message, hint=one.hint) for one in flaws],
        )
    return found


def read_metrics(
    texts: Mapping[str, str], categories: Collection[str]
) -> tuple[Metrics, list[MetricsFlaw]]:
    """Read the metrics of a header.

    Args:
        texts: The text of each by its name.
        categories: Names of all categories that a leaf of the rubric may have.

    Returns:
        The metrics, and what is wrong with them; with a flaw they are not to be used.
    """
    flaws = [flaw for name in texts if (flaw := _wrong_name(name)) is not None]
    flaws += _alike(texts, categories)
    formulas: dict[str, Formula] = {}
    for name, text in texts.items():
        try:
            formulas[name] = parse_formula(text, lambda found: _resolve(found, texts, categories))
        except FormulaError as error:
            said = f"metric {name!r}: {error.message}"
            flaws.append(MetricsFlaw(error.code, said, name, error.at, error.hint))
    if not flaws:
        ordered, flaws = _ordered(formulas)
        metrics = Metrics(dict(texts), ordered)
        return metrics, flaws or [flaw for name in texts if (flaw := _too_mixed(metrics, name))]
    return Metrics(dict(texts)), flaws


def _wrong_name(name: str) -> MetricsFlaw | None:
    if is_name(name):
        return None
    hint = "take words without and, or, not, quotes, parentheses and signs"
    return MetricsFlaw("E220", f"a metric cannot be named {name!r}", name, None, hint)


def _alike(names: Iterable[str], categories: Collection[str]) -> Iterator[MetricsFlaw]:
    """Names that Unicode counts as one, such as an accent apart and in one with its letter."""
    forms: dict[str, str] = {_form(category): category for category in categories}
    for name in names:
        other = forms.setdefault(_form(name), name)
        if other != name:
            message = f"{name!a} cannot be told from {other!a} by its looks"
            yield MetricsFlaw("E220", message, name, None, "take another name")


def _form(name: str) -> str:
    return name if name.isascii() else normalize("NFKC", name)


def _resolve(found: Name, texts: Mapping[str, str], categories: Collection[str]) -> Formula:
    if not found.quoted and found.text in texts:
        if found.at_least is not None:
            hint = f'"{found.text}" in quotes is the category' if found.text in categories else None
            message = f"{found.text!r} is a metric, true or false; only a category has a score"
            raise FormulaError(message, found.at, hint)
        return Named(found.text)
    if found.text in categories:
        return Passes(found.text, found.at_least)
    what = "category" if found.quoted else "category or metric"
    known = dict.fromkeys(categories if found.quoted else [*texts, *categories])
    alike = next((name for name in known if _form(name) == _form(found.text)), None)
    meant = f"{alike!a} is meant? {found.text!a} only looks like it" if alike else None
    hint = meant or near(found.text, known) or f"known: {', '.join(known)}"
    raise FormulaError(f"no {what} is named {found.text!r}", found.at, hint, "E221")


def _ordered(formulas: Mapping[str, Formula]) -> tuple[dict[str, Formula], list[MetricsFlaw]]:
    needs = {
        name: [atom.name for atom, _ in signed_atoms(formula) if isinstance(atom, Named)]
        for name, formula in formulas.items()
    }
    try:
        return {name: formulas[name] for name in TopologicalSorter(needs).static_order()}, []
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        shown = " needs ".join(map(repr, circle[:20]))
        hint = "a category of the same name stands in quotes" if len(circle) == 2 else None
        return {}, [MetricsFlaw("E222", f"metrics in a circle: {shown}", circle[0], hint=hint)]


def _too_mixed(metrics: Metrics, name: str) -> MetricsFlaw | None:
    """Deciding a metric takes a look at every way to complete such categories."""
    mixed = [len(levels) + 1 for levels in metrics.signs.mixed(name).values()]
    if prod(mixed) <= MOST_WAYS:
        return None
    message = f"metric {name!r} has {len(mixed)} categories both with and without 'not'"
    return MetricsFlaw("E222", message, name, hint="ask less in one metric")
