"""Part 6: in the wild."""
