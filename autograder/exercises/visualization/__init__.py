"""Part 5: visualization."""
