"""The benchmark: `python -m tests.bench`. What it measures and against what is in docs/performance.md."""
