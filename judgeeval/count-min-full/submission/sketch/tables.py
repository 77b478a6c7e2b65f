"""三种草图：由流得到 d 行 w 列的表，再由表估计每个编号的次数。"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .hashing import Hashes
from .streams import true_counts

Build = Callable[[np.ndarray, Hashes], np.ndarray]


def count_min(stream: np.ndarray, hashes: Hashes) -> np.ndarray:
    """式 (1)：每来一个编号，各行相应的格子都加一。加法可交换，所以按编号一次加完。"""
    counts = true_counts(stream)
    return np.array([np.bincount(row, counts, hashes.width) for row in hashes.cells])


def conservative(stream: np.ndarray, hashes: Hashes) -> np.ndarray:
    """式 (2)：只把小于“当前估计加一”的格子抬到这个值。与到达次序有关，只能逐个处理。"""
    cells = hashes.cells.T.tolist()
    table = [[0] * hashes.width for _ in range(hashes.depth)]
    for x in stream.tolist():
        places = cells[x]
        target = 1 + min(row[cell] for row, cell in zip(table, places))
        for row, cell in zip(table, places):
            if row[cell] < target:
                row[cell] = target
    return np.array(table, dtype=float)


def count_sketch(stream: np.ndarray, hashes: Hashes) -> np.ndarray:
    """式 (3)：格子加上编号的符号，而不是一。"""
    counts = true_counts(stream)
    rows = zip(hashes.cells, hashes.signs)
    return np.array([np.bincount(row, sign * counts, hashes.width) for row, sign in rows])


def by_minimum(table: np.ndarray, hashes: Hashes) -> np.ndarray:
    """Count-Min 与保守更新的估计：各行格子的最小值。"""
    return np.take_along_axis(table, hashes.cells, axis=1).min(axis=0)


def by_median(table: np.ndarray, hashes: Hashes) -> np.ndarray:
    """Count Sketch 的估计：各行带符号的格子的中位数。"""
    return np.median(hashes.signs * np.take_along_axis(table, hashes.cells, axis=1), axis=0)


SKETCHES: dict[str, tuple[Build, Callable[[np.ndarray, Hashes], np.ndarray]]] = {
    "cm": (count_min, by_minimum),
    "cu": (conservative, by_minimum),
    "cs": (count_sketch, by_median),
}
