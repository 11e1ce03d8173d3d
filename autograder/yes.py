"""One question before something is changed: answered in the terminal, or by --yes."""

import sys

NOT_YET = "Nothing is changed yet: add --yes to do it."


def agreed(yes, question, read=input):
    """Without a terminal only --yes is an answer."""
    if yes:
        return True
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(NOT_YET)
        return False
    return read(f"\n{question} [y/N] ").strip().lower() in ("y", "yes")
