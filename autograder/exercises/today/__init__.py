"""Part 7: today."""
