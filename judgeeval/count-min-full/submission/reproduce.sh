#!/usr/bin/env bash
# 从头运行全部实验，写出 results/，约需两秒。
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1 PYTHONIOENCODING=utf-8
rm -rf results
python -m sketch
