"""Part 3: self-attention."""
