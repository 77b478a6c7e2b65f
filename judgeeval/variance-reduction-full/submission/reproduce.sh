#!/usr/bin/env bash
# Runs every experiment of the paper and writes the results folder. Takes a few seconds.
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
python src/run.py results
