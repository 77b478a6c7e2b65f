"""Other benchmarks on the same tree, judges and sandbox: each a folder that adds what is its own."""
