#!/bin/bash
set -eu
export PYTHONIOENCODING=utf-8 PYTHONDONTWRITEBYTECODE=1
# 依赖检查
python -c 'import numpy'
python code/main.py
