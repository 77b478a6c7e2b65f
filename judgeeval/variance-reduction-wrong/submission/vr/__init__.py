"""Variance reduction toolkit."""
