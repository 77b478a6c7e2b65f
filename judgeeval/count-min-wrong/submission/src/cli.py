"""python src/cli.py CONFIG OUT"""

import csv
import json
import sys
from pathlib import Path

from sections import ALL


def main(config: str, out: str) -> int:
    cfg, folder = json.loads(Path(config).read_text()), Path(out)
    folder.mkdir(exist_ok=True)
    tables = {}
    for name, section in ALL.items():
        tables[name] = list(section(cfg))
        with (folder / f"{name}.csv").open("w", newline="") as stream:
            writer = csv.DictWriter(stream, tables[name][0])
            writer.writeheader()
            writer.writerows(tables[name])
        print(f"[{name}] {len(tables[name])} 行")
    mean = {}
    for row in tables["errors"]:
        cell = mean.setdefault(row["method"], {})
        cell[f"skew_{row['skew']}"] = float(row["mean_abs_error"])
    (folder / "summary.json").write_text(json.dumps({"mean_abs_error": mean}, indent=2))
    for skew in cfg["skews"]:
        print(f"误差之比 cm/cu skew={skew}: {mean['cm'][f'skew_{skew}'] / mean['cu'][f'skew_{skew}']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
