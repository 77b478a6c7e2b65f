#!/usr/bin/env bash
set -euo pipefail

echo "[1/2] checking environment"
python -c 'import numpy; print("numpy", numpy.__version__)'

echo "[2/2] running experiments"
PYTHONDONTWRITEBYTECODE=1 python src/experiment.py

echo "all experiments finished"
