#!/usr/bin/env bash
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1
exec python src/cli.py conf/paper.json results
