"""运行全部实验，写出 results/，并打印主要结果。"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean

from . import experiments

OUT = Path("results")

FILES = {
    "queries": experiments.queries,
    "errors": experiments.errors,
    "width": experiments.widths,
    "depth": experiments.depths,
    "hitters": experiments.hitters,
    "merge": experiments.merges,
    "hash": experiments.hashes,
}


def write(name: str, rows: list[experiments.Row]) -> None:
    with (OUT / f"{name}.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"已写出 {name}.csv，{len(rows)} 行")


def mean_abs(rows: list[experiments.Row], method: str, skew: float) -> float:
    return fmean(
        float(r["mean_abs_error"]) for r in rows if (r["method"], r["skew"]) == (method, skew)
    )


def main() -> None:
    OUT.mkdir(exist_ok=True)
    tables = {name: make() for name, make in FILES.items()}
    for name, rows in tables.items():
        write(name, rows)
    summary = {
        method: {f"skew_{s}": mean_abs(tables["errors"], method, s) for s in experiments.SKEWS}
        for method in experiments.SKETCHES
    }
    text = json.dumps({"mean_abs_error": summary}, indent=2, ensure_ascii=False)
    (OUT / "summary.json").write_text(text + "\n", encoding="utf-8")
    for skew in experiments.SKEWS:
        ratio = summary["cm"][f"skew_{skew}"] / summary["cu"][f"skew_{skew}"]
        print(f"误差之比 cm/cu skew={skew}: {ratio:.2f}")


main()
