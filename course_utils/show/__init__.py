"""Result -> card: HTML in a notebook, text elsewhere."""
