"""各节的实验：每个函数把配置变成行。"""

import numpy as np

from core import BUILD, READ, family, zipf


def measure(cfg, method, skew, seed, width=None, depth=None):
    fam = family(width or cfg["width"], depth or cfg["depth"], seed)
    stream = zipf(cfg["universe"], cfg["length"], skew, seed)
    count = np.bincount(stream, minlength=cfg["universe"])
    items = np.flatnonzero(count)
    estimate = READ[method](fam, BUILD[method](fam, stream), items)
    return items, count[items], estimate


def queries(cfg):
    for method in BUILD:
        for skew in cfg["skews"]:
            for item, count, estimate in zip(*measure(cfg, method, skew, 0)):
                yield {"method": method, "skew": skew, "item": item, "count": count, "estimate": estimate}


def errors(cfg):
    for method in BUILD:
        for skew in cfg["skews"]:
            for seed in cfg["seeds"]:
                _, count, estimate = measure(cfg, method, skew, seed)
                diff = estimate - count
                yield {
                    "method": method, "skew": skew, "seed": seed,
                    "mean_error": diff.mean(), "mean_abs_error": np.sqrt((diff**2).mean()),
                }


def width(cfg):
    for method in ("cm", "cs"):
        for w in cfg["widths"]:
            for seed in cfg["seeds"]:
                _, count, estimate = measure(cfg, method, 1.1, seed, w, 1)
                diff = np.abs(estimate - count)
                yield {
                    "method": method, "width": w, "seed": seed, "mean_abs_error": diff.mean(),
                    "above_bound": (diff > np.e * cfg["length"] / w).mean(),
                }


def depth(cfg):
    for skew in (0.8, 1.4):
        for d in cfg["depths"]:
            for seed in cfg["seeds"]:
                _, count, estimate = measure(cfg, "cm", skew, seed, depth=d)
                yield {"skew": skew, "depth": d, "seed": seed, "mean_error": (estimate - count).mean()}


def hitters(cfg):
    for method in BUILD:
        for seed in cfg["seeds"]:
            _, count, estimate = measure(cfg, method, 1.1, seed)
            heavy, reported = count >= cfg["threshold"], estimate >= cfg["threshold"]
            hit = (heavy & reported).sum()
            yield {
                "method": method, "seed": seed, "heavy": heavy.sum(), "reported": reported.sum(),
                "recall": hit / heavy.sum(), "precision": hit / max(reported.sum(), 1),
            }


def merge(cfg):
    half = cfg["length"] // 2
    for method, build in BUILD.items():
        for seed in cfg["seeds"]:
            stream = zipf(cfg["universe"], cfg["length"], 1.1, seed)
            count = np.bincount(stream, minlength=cfg["universe"])
            items = np.flatnonzero(count)
            fam, other = (family(cfg["width"], cfg["depth"], s) for s in (seed, seed + 1))
            whole = build(fam, stream)
            both = build(fam, stream[:half]) + build(other, stream[half:])
            yield {
                "method": method, "seed": seed, "cells_differing": (whole != both).sum(),
                "error_whole": np.abs(READ[method](fam, whole, items) - count[items]).mean(),
                "error_merged": np.abs(READ[method](fam, both, items) - count[items]).mean(),
            }


def hash_(cfg):
    for variant, d in (("independent", cfg["depth"]), ("shared", cfg["depth"]), ("single", 1)):
        for seed in cfg["seeds"]:
            _, count, estimate = measure(cfg, "cm", 1.1, seed, depth=d)
            yield {"variant": variant, "seed": seed, "mean_error": (estimate - count).mean()}


ALL = {
    "queries": queries, "errors": errors, "width": width, "depth": depth,
    "hitters": hitters, "merge": merge, "hash": hash_,
}
