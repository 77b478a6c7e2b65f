"""Momentum benchmark."""
