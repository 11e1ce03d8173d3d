"""An answer's Attempt in, its Result out (assess.py): which mistake it is, or the evidence. visible.py does
the whole way for the object in a notebook."""
