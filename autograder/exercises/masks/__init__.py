"""Part 1: masks."""
