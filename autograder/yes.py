"""Ask the user before a command changes something, unless --yes is given."""

import sys

NOT_YET = "Nothing is changed yet: add --yes to do it."


def agreed(yes, question, read=input):
    """Does the user agree? Without a terminal nobody can be asked, so only --yes counts."""
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(NOT_YET)
        return False
    return read(f"\n{question} [y/N] ").strip().lower() in ("y", "yes")
