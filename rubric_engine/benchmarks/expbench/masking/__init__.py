"""Masking: a repository without the files that answer a question, and without a past."""

from rubric_engine.benchmarks.expbench.masking.mask import Masked, mask

__all__ = ["Masked", "mask"]
