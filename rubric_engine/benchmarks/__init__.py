"""Other benchmarks on the same tree, judges, sandbox and report, each a thin package."""
