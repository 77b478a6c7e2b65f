#!/bin/sh
set -e
export PYTHONDONTWRITEBYTECODE=1
python mc.py
