"""What metrics ask of categories, themselves and through others: one pass over all of them.

What a metric asks is two sets, of what counts as it is and of what counts under `not`. A set is the
bits of one number, so that a long chain of metrics costs little more than its own text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import inf

from rubric_engine.formulas.formula import Formula, Named, Passes, signed_atoms


@dataclass(frozen=True, slots=True)
class _Bits:
    """Sets as bits: what counts as it is, and what counts under `not`."""

    plain: int = 0
    negated: int = 0

    def under(self, sign: bool) -> _Bits:
        return self if sign else _Bits(self.negated, self.plain)

    def __or__(self, other: _Bits) -> _Bits:
        return _Bits(self.plain | other.plain, self.negated | other.negated)


class Signs:
    """What each metric asks of categories, itself or through others.

    Args:
        formulas: What each asks, each after those that it names.
    """

    def __init__(self, formulas: Mapping[str, Formula]) -> None:
        self._numbers: dict[Passes, int] = {}
        self._places: dict[str, int] = {}
        self._atoms: dict[str, _Bits] = {}
        self._categories: dict[str, _Bits] = {}
        for name, formula in formulas.items():
            self._add(name, formula)
        self._by_number = list(self._numbers)
        self._by_place = list(self._places)

    def of(self, name: str) -> dict[Passes, set[bool]]:
        """For what a metric asks, whether it counts as it is (True), under `not`, or both."""
        bits = self._atoms[name]
        return {
            self._by_number[at]: {
                sign for sign, own in ((True, bits.plain), (False, bits.negated)) if own >> at & 1
            }
            for at in ones(bits.plain | bits.negated)
        }

    def mixed(self, name: str) -> dict[str, tuple[float | None, ...]]:
        """What a metric asks of each category that counts both as it is and under `not`.

        Returns:
            The levels of each, the least first, "every leaf met" (None) last.
        """
        bits, asked = self._categories[name], self._atoms[name]
        found = [self._by_place[at] for at in ones(bits.plain & bits.negated)]
        levels: dict[str, list[float | None]] = {category: [] for category in found}
        for at in ones(asked.plain | asked.negated) if found else ():
            atom = self._by_number[at]
            if atom.category in levels:
                levels[atom.category].append(atom.at_least)
        return {category: tuple(sorted(own, key=_size)) for category, own in levels.items()}

    def number(self, atom: Passes) -> int:
        """The place of what is asked of a category, among all that is asked."""
        return self._numbers[atom]

    @property
    def asked(self) -> Collection[Passes]:
        """All that any metric asks."""
        return self._numbers.keys()

    def _add(self, name: str, formula: Formula) -> None:
        atoms, categories = _Bits(), _Bits()
        for atom, sign in signed_atoms(formula):
            if isinstance(atom, Named):
                atoms |= self._atoms[atom.name].under(sign)
                categories |= self._categories[atom.name].under(sign)
                continue
            at = self._numbers.setdefault(atom, len(self._numbers))
            place = self._places.setdefault(atom.category, len(self._places))
            atoms |= _Bits(1 << at).under(sign)
            categories |= _Bits(1 << place).under(sign)
        self._atoms[name], self._categories[name] = atoms, categories


def ones(bits: int) -> Iterator[int]:
    """The places of the bits that are set, the lowest first."""
    return (at for at, bit in enumerate(reversed(f"{bits:b}")) if bit == "1")


def _size(level: float | None) -> float:
    return inf if level is None else level
