"""Run all experiments and write the results folder."""

from __future__ import annotations

import argparse
from pathlib import Path

import experiments
import report


def main() -> None:
    """Experiments in, files and a short log out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results"))
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)

    steps, traces = experiments.iteration_counts()
    sweep, noise = experiments.sensitivity(), experiments.noise()
    tables = {
        "parameters": experiments.parameters(),
        "steps": steps,
        "traces": traces,
        "rates": experiments.rates(),
        "sensitivity": sweep,
        "noise": noise,
    }
    for name, rows in tables.items():
        report.write_csv(out / f"{name}.csv", rows)
        print(f"wrote {name}.csv ({len(rows)} rows)")

    summary = report.summarise(steps, sweep, noise)
    report.write_json(out / "summary.json", summary)
    (out / "table.md").write_text(report.markdown_table(summary))
    for key, ratio in summary["speedup"].items():
        print(f"speedup {key.replace('_', '=')}: {ratio:.2f}")


if __name__ == "__main__":
    main()
