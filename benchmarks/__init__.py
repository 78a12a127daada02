"""Benchmarks: one seeded generator, every tool on the same files, one table."""
