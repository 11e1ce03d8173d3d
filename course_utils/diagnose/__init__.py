"""An Attempt comes in, its Result goes out (assess.py): the recognised mistake, or else the evidence.
visible.py goes all the way from the object in a notebook to its Result."""
