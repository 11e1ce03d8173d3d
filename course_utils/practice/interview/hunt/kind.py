"""The bug hunt as a kind of practice: names with minutes, a title, and showing one."""

from .files import level_of, names, title_of

PREFIX = "hunt:"
MINUTES = {1: 4, 2: 6, 3: 9}  # of a level: reading, the input, the fix


def items():
    """{name: estimated minutes}"""
    return {name: MINUTES[level_of(name)] for name in names()}


def title(name):
    """One short line for a list, which does not say what is wrong."""
    return f"Bug hunt: {title_of(name)}"


def ask(name, then=None):
    """Show the program; finding its bug, or giving up, is remembered. `then` says what to type after it."""
    from . import bug_hunt
    from .desk import open_named

    open_named(bug_hunt, name, then)
