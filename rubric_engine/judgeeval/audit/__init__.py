"""Scores audited by human labels on a sample of leaves."""
