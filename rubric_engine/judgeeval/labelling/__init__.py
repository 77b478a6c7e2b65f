"""Labelling by several annotators: who labels what, what they agree on, and what becomes gold."""
