"""The bug hunt as a kind of practice: names with minutes, a title, and showing one."""

from .files import level_of, names, title_of

PREFIX = "hunt:"
ONE = True  # `bug_hunt.found` goes to the program that was shown last
MINUTES = {1: 4, 2: 6, 3: 9}  # of a level: reading, the input, the fix


def items():
    """{name: estimated minutes}"""
    return {name: MINUTES[level_of(name)] for name in names()}


def title(name):
    """One short line for a list, which does not say what is wrong."""
    return f"Bug hunt: {title_of(name)}"


def ask(name, then="", since=None):
    """Show the program; finding its bug, or giving up, is remembered. then: what is said when it is done.
    since: a time; if it was begun after that, it is shown as it is now."""
    from . import bug_hunt

    bug_hunt.ask(name, then, since)
