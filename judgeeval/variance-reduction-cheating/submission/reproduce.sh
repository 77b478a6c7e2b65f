#!/usr/bin/env bash
set -euo pipefail
echo "running 400 repetitions of every setting ..."
PYTHONDONTWRITEBYTECODE=1 python main.py
