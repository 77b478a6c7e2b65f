#!/bin/bash
set -euo pipefail

export PYTHONDONTWRITEBYTECODE=1
mkdir -p results
python src/main.py | tee results/log.txt
