"""第 2 节的数据流：在 0 到 4999 上服从 Zipf 分布的编号。"""

from __future__ import annotations

import numpy as np

UNIVERSE = 5000
LENGTH = 20_000


def zipf_stream(skew: float, seed: int) -> np.ndarray:
    """长度为 LENGTH 的流；编号 i 的概率与 (i + 1) 的 -skew 次方成正比。"""
    weights = np.arange(1, UNIVERSE + 1, dtype=float) ** -skew
    rng = np.random.default_rng([seed, round(10 * skew)])
    return rng.choice(UNIVERSE, size=LENGTH, p=weights / weights.sum())


def true_counts(stream: np.ndarray) -> np.ndarray:
    """每个编号的真实次数。"""
    return np.bincount(stream, minlength=UNIVERSE)
