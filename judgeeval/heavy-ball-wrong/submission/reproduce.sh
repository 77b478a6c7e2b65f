#!/usr/bin/env bash
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src
for stage in counts rates sweep noise summary; do
  echo "== ${stage}"
  python -m bench "${stage}" --config config/paper.json
done
