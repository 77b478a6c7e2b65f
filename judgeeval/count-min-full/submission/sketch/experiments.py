"""第 4 至 9 节的实验。每个函数返回行，不读写文件。"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import e
from typing import Any

import numpy as np

from .hashing import draw
from .streams import LENGTH, true_counts, zipf_stream
from .tables import SKETCHES

Row = dict[str, Any]

SKEWS = (0.8, 1.1, 1.4)
SEEDS = range(5)
WIDTH, DEPTH = 256, 5
WIDTHS = (64, 128, 256, 512, 1024)
DEPTHS = (1, 2, 4, 8)
CELLS = 1024
HEAVY = 0.005
MAIN_SKEW = 1.1


@cache
def estimate(method: str, skew: float, seed: int, width: int = WIDTH, depth: int = DEPTH):
    """（在流中出现过的编号，真实次数，估计次数）"""
    build, read = SKETCHES[method]
    stream, hashes = zipf_stream(skew, seed), draw(width, depth, seed)
    counts = true_counts(stream)
    seen = np.flatnonzero(counts)
    return seen, counts[seen], read(build(stream, hashes), hashes)[seen]


def queries() -> list[Row]:
    """种子 0 的每一次查询。"""
    rows = []
    for method, skew in product(SKETCHES, SKEWS):
        for item, count, guess in zip(*estimate(method, skew, 0)):
            row = {"method": method, "skew": skew, "item": int(item)}
            rows.append(row | {"count": int(count), "estimate": float(guess)})
    return rows


def errors() -> list[Row]:
    """表 1：平均误差与平均绝对误差。"""
    rows = []
    for method, skew, seed in product(SKETCHES, SKEWS, SEEDS):
        _, counts, guesses = estimate(method, skew, seed)
        row = {"method": method, "skew": skew, "seed": seed}
        difference = guesses - counts
        measured = {"mean_error": difference.mean(), "mean_abs_error": abs(difference).mean()}
        rows.append(row | measured)
    return rows


def widths() -> list[Row]:
    """表 2：误差随宽度的变化，以及超过 eN/w 的比例。"""
    rows = []
    for method, width, seed in product(("cm", "cs"), WIDTHS, SEEDS):
        _, counts, guesses = estimate(method, MAIN_SKEW, seed, width)
        error = abs(guesses - counts)
        row = {"method": method, "width": width, "seed": seed, "mean_abs_error": error.mean()}
        rows.append(row | {"above_bound": (error > e * LENGTH / width).mean()})
    return rows


def depths() -> list[Row]:
    """表 3：总格数不变时的深度。"""
    rows = []
    for skew, depth, seed in product((0.8, 1.4), DEPTHS, SEEDS):
        _, counts, guesses = estimate("cm", skew, seed, CELLS // depth, depth)
        error = (guesses - counts).mean()
        rows.append({"skew": skew, "depth": depth, "seed": seed, "mean_error": error})
    return rows


def hitters() -> list[Row]:
    """表 4：次数不少于 0.005 N 的编号，按估计来找。"""
    rows = []
    for method, seed in product(SKETCHES, SEEDS):
        _, counts, guesses = estimate(method, MAIN_SKEW, seed)
        heavy, reported = counts >= HEAVY * LENGTH, guesses >= HEAVY * LENGTH
        both = (heavy & reported).sum()
        row = {"method": method, "seed": seed, "heavy": heavy.sum(), "reported": reported.sum()}
        rows.append(row | {"recall": both / heavy.sum(), "precision": both / reported.sum()})
    return rows


def merges() -> list[Row]:
    """表 5：两半的表相加，与整条流的表相比。"""
    rows = []
    for method, seed in product(SKETCHES, SEEDS):
        build, read = SKETCHES[method]
        stream, hashes = zipf_stream(MAIN_SKEW, seed), draw(WIDTH, DEPTH, seed)
        whole = build(stream, hashes)
        merged = build(stream[: LENGTH // 2], hashes) + build(stream[LENGTH // 2 :], hashes)
        counts = true_counts(stream)
        seen = np.flatnonzero(counts)
        row = {"method": method, "seed": seed, "cells_differing": (whole != merged).sum()}
        for name, table in (("error_whole", whole), ("error_merged", merged)):
            row[name] = abs(read(table, hashes) - counts)[seen].mean()
        rows.append(row)
    return rows


def hashes() -> list[Row]:
    """表 6：各行共用一个散列函数时的误差。"""
    rows = []
    build, read = SKETCHES["cm"]
    variants = (("independent", DEPTH), ("shared", DEPTH), ("single", 1))
    for (variant, depth), seed in product(variants, SEEDS):
        stream = zipf_stream(MAIN_SKEW, seed)
        drawn = draw(WIDTH, depth, seed, shared=variant == "shared")
        counts = true_counts(stream)
        error = (read(build(stream, drawn), drawn) - counts)[counts > 0].mean()
        rows.append({"variant": variant, "seed": seed, "mean_error": error})
    return rows
