"""Writing rows to CSV, and the summary that the README quotes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean
from typing import Any

Row = dict[str, Any]


def write_csv(path: Path, rows: list[Row]) -> None:
    """One row a line, columns in the order of the first row's keys."""
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def mean_of(rows: list[Row], column: str, **where: object) -> float:
    """Mean of a column over the rows that match all of `where`."""
    return fmean(r[column] for r in rows if all(r[k] == v for k, v in where.items()))


def summarise(steps: list[Row], sweep: list[Row], noise: list[Row]) -> dict[str, Any]:
    """The paper's headline numbers, all derived from the rows."""
    kappas = sorted({row["kappa"] for row in steps})
    means = {
        method: {
            f"kappa_{k}": mean_of(steps, "steps", method=method, basis="diagonal", kappa=k)
            for k in kappas
        }
        for method in ("gd", "hb", "nesterov")
    }
    betas = sorted({row["beta"] for row in sweep})
    return {
        "mean_steps": means,
        "speedup": {key: means["gd"][key] / means["hb"][key] for key in means["gd"]},
        "best_beta": min(betas, key=lambda beta: mean_of(sweep, "steps", beta=beta)),
        "noise_ratio": mean_of(noise, "floor", method="hb") / mean_of(noise, "floor", method="gd"),
    }


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Indented JSON with a final newline."""
    path.write_text(json.dumps(value, indent=2) + "\n")


def markdown_table(summary: dict[str, Any]) -> str:
    """Table 2 as Markdown."""
    means, speedup = summary["mean_steps"], summary["speedup"]
    lines = ["| kappa | gd | nesterov | hb | gd / hb |", "|---:|---:|---:|---:|---:|"]
    for key in speedup:
        cells = [f"{means[m][key]:.1f}" for m in ("gd", "nesterov", "hb")]
        lines.append(f"| {key[6:]} | {' | '.join(cells)} | {speedup[key]:.1f} |")
    return "\n".join(lines) + "\n"
