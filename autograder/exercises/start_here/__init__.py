"""Part 0: how the course works."""
