"""Other benchmarks on the same tree, judges and sandbox, each with what is its own."""
