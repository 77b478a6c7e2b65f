"""python -m vr --out DIR"""

import argparse
import csv
import json
import pathlib

import numpy as np

from .study import Study, tail_probability

parser = argparse.ArgumentParser(prog="vr")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results"))
out = parser.parse_args().out
out.mkdir(parents=True, exist_ok=True)

tables = Study().run()
for name, rows in tables.items():
    with (out / f"{name}.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    print(f"{name}: {len(rows)} rows")

summary = {"ratios": {}, "relative_sd": {}}
for row in tables["ratios"]:
    summary["ratios"].setdefault(row["problem"], {})[row["method"]] = row["ratio"]
    print(f"variance ratio {row['problem']} {row['method']}: {row['ratio']:.2f}")
for theta in range(9):
    values = [row["estimate"] for row in tables["shift"] if row["theta"] == theta]
    summary["relative_sd"][f"theta_{theta}"] = np.std(values) / tail_probability(4)
(out / "summary.json").write_text(json.dumps(summary, indent=2))
