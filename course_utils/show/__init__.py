"""A Result comes in, a card goes out: HTML in a notebook, text elsewhere."""
