#!/bin/bash
set -e
export PYTHONIOENCODING=utf-8
python3 run.py
