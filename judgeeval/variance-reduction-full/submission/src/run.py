"""Run all experiments, write the results folder and print the headline."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import experiments
from integrals import tail


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    """One row a line, columns in the order of the first row's keys."""
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path.name} ({len(rows)} rows)")


def main(out: Path) -> None:
    """Experiments in, files and a short log out."""
    out.mkdir(parents=True, exist_ok=True)
    estimates, tails, shifts = experiments.estimates(), experiments.tails(), experiments.shifts()
    ratios, rates = experiments.ratios(estimates), experiments.rates(estimates)
    write(out / "estimates.csv", estimates)
    write(out / "ratios.csv", ratios)
    write(out / "rates.csv", rates)
    write(out / "tail.csv", tails)
    write(out / "shift.csv", shifts)
    write(out / "coverage.csv", experiments.coverage(tails))

    spread = {
        f"theta_{theta}": experiments.relative_sd(
            experiments.of(shifts, theta=theta), tail(experiments.SHIFT_THRESHOLD)
        )
        for theta in experiments.SHIFTS
    }
    nested: dict[str, dict[str, float]] = {}
    for row in ratios:
        nested.setdefault(row["problem"], {})[row["method"]] = row["ratio"]
        print(f"variance ratio {row['problem']} {row['method']}: {row['ratio']:.1f}")
    summary = {"ratios": nested, "relative_sd": spread}
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
