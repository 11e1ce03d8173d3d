"""Seeds for drawing cases: a fixed one for visible cases, a new one for hidden cases."""

import secrets

VISIBLE = 0
OF_FINGERPRINT = 1, 2, 3, 4, 5  # hidden cases by which a change of the drawing shows


def new_seed():
    """A random seed for hidden cases; never VISIBLE."""
    return secrets.randbelow(2**31 - 1) + 1
