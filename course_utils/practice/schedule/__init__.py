"""Facts and a time come in; what is due, and sessions of a few minutes of all kinds of practice, go out."""
