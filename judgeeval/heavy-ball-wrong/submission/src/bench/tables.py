"""CSV files in results/."""

import csv
from pathlib import Path

RESULTS = Path("results")


def write(name: str, header: tuple[str, ...], rows: list[tuple]) -> None:
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    print(f"results/{name}.csv: {len(rows)} rows")


def read(name: str) -> list[dict[str, str]]:
    with (RESULTS / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))
