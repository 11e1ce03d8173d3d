"""Seeds of cases: one for those that students see, and new ones for those that count."""

import secrets

VISIBLE = 0


def new_seed():
    """A seed for hidden cases; never that of the visible ones."""
    return secrets.randbelow(2**31 - 1) + 1
