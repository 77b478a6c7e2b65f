"""第 3 节的散列：h(x) = ((a x + b) mod P) mod w，逐行独立抽取 a 与 b。"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .streams import UNIVERSE

PRIME = 2**31 - 1


@dataclass(frozen=True)
class Hashes:
    """每行一个散列函数：`cells[j, x]` 是编号 x 在第 j 行的格子，`signs[j, x]` 是它的符号。"""

    cells: np.ndarray
    signs: np.ndarray
    width: int

    @property
    def depth(self) -> int:
        return len(self.cells)


def _affine(rng: np.random.Generator, depth: int) -> np.ndarray:
    a = rng.integers(1, PRIME, size=(depth, 1))
    b = rng.integers(0, PRIME, size=(depth, 1))
    return (a * np.arange(UNIVERSE) + b) % PRIME


def draw(width: int, depth: int, seed: int, *, shared: bool = False) -> Hashes:
    """抽取 depth 行散列；`shared` 为真时各行共用第一行的 a 与 b（第 9 节）。"""
    rng = np.random.default_rng([seed, 1])
    cells, signs = _affine(rng, depth) % width, 1 - 2 * (_affine(rng, depth) % 2)
    if shared:
        cells = np.repeat(cells[:1], depth, axis=0)
    return Hashes(cells, signs, width)
