"""Command line: python -m bench STAGE --config FILE."""

import argparse
import json

from . import stages


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("stage", choices=["counts", "rates", "sweep", "noise", "summary"])
    parser.add_argument("--config", required=True)
    args = parser.parse_args()
    with open(args.config) as stream:
        config = json.load(stream)
    getattr(stages, args.stage)(config)


main()
