"""流、散列与三种草图，全部写成纯函数。"""

from typing import NamedTuple

import numpy as np

PRIME = 2**31 - 1


class Family(NamedTuple):
    """一组散列函数：每行一对 (a, b)，以及宽度。"""

    a: np.ndarray
    b: np.ndarray
    width: int


def zipf(universe: int, length: int, skew: float, seed: int) -> np.ndarray:
    p = np.arange(1, universe + 1, dtype=np.float64) ** -skew
    return np.random.default_rng(seed).choice(universe, length, p=p / p.sum())


def family(width: int, depth: int, seed: int) -> Family:
    rng = np.random.default_rng(10_000 + seed)
    return Family(rng.integers(1, PRIME, depth), rng.integers(0, PRIME, depth), width)


def cells(fam: Family, items: np.ndarray) -> np.ndarray:
    """形状 (行, 编号)。"""
    return (fam.a[:, None] * items + fam.b[:, None]) % PRIME % fam.width


def signs(fam: Family, items: np.ndarray) -> np.ndarray:
    return 1 - 2 * (cells(fam, items) % 2)


def empty(fam: Family) -> np.ndarray:
    return np.zeros((len(fam.a), fam.width))


def count_min(fam: Family, stream: np.ndarray) -> np.ndarray:
    table = empty(fam)
    for row, cell in zip(table, cells(fam, stream)):
        np.add.at(row, cell, 1)
    return table


def conservative(fam: Family, stream: np.ndarray) -> np.ndarray:
    """保守更新：只增加最小的那个格子。"""
    table, places = empty(fam).tolist(), cells(fam, stream).T.tolist()
    for place in places:
        values = [row[c] for row, c in zip(table, place)]
        j = values.index(min(values))
        table[j][place[j]] += 1
    return np.array(table)


def count_sketch(fam: Family, stream: np.ndarray) -> np.ndarray:
    table = empty(fam)
    for row, cell, sign in zip(table, cells(fam, stream), signs(fam, stream)):
        np.add.at(row, cell, sign)
    return table


def minimum(fam: Family, table: np.ndarray, items: np.ndarray) -> np.ndarray:
    return np.take_along_axis(table, cells(fam, items), 1).min(0)


def median(fam: Family, table: np.ndarray, items: np.ndarray) -> np.ndarray:
    return np.median(signs(fam, items) * np.take_along_axis(table, cells(fam, items), 1), 0)


BUILD = {"cm": count_min, "cu": conservative, "cs": count_sketch}
READ = {"cm": minimum, "cu": minimum, "cs": median}
