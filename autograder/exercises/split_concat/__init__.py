"""Part 2: split and concatenate heads."""
