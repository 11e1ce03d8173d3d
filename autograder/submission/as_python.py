"""A cell's text -> its syntax tree, without running it: what IPython alone reads is undone; an empty tree where it is no Python."""

import ast
import os
import re
import symtable
import threading
import warnings
from itertools import groupby
from unicodedata import combining, normalize

from IPython.core.inputtransformer2 import classic_prompt, ipython_prompt, leading_empty_lines

ONE_AT_A_TIME = threading.RLock()  # two threads that make syntax trees confuse CPython 3.11 about their depth
LONGEST = 50_000  # characters; a longer cell holds data, not answers
MOST_MARKS = 50  # on one letter
EMPTY = ast.Module([], [])
HELP = re.compile(r"[%\w.*]+\?\??")  # softmax?, torch.where??; and not a comment that asks something
ASSIGNED = re.compile(r"""^([^='"#]*=\s*)[%!].*""")  # here = %pwd, first, *others = !ls
GOES_ON = re.compile(
    r"^([ \t]*[%!].*)\\\n((?:.*\\\n)*.*)", re.M
)  # a magic of several lines, each but the last with a backslash
TIMED = re.compile(
    r"^(\s*(?:\w+\s*=\s*)?)%time(?:it)?\b(?:[ \t]{1,9}-[a-z](?:[ \t]{0,9}\d{1,9})?){0,9}[ \t]{0,9}"
)  # before Python


def tree_of(source):
    """The syntax tree, lines numbered as in the cell. What only IPython reads, magics and such, counts as `pass` or None."""
    return read(source)[0]


def read(source):
    """(syntax tree, [symbol tables of its scopes])"""
    if len(source) > LONGEST or piled_up(source):
        return EMPTY, []
    for text in readings(source):
        try:
            with (
                ONE_AT_A_TIME,
                warnings.catch_warnings(action="ignore"),
            ):  # of "\sigma", say: the student's own
                return ast.parse(text), list(scopes(symtable.symtable(text, "cell", "exec")))
        except (
            Exception
        ):  # besides SyntaxError, the parser has a dozen ways to give up on a text made to break it
            continue
    return EMPTY, []


def scopes(table):
    left = [table]
    while left:
        table = left.pop()
        yield table
        left += table.get_children()


def readings(source):
    """What the cell may say in Python, closest to its letter first: a line of plain Python may go on with a percent sign."""
    yield source
    yield without_cell_magic(source)
    lines = as_pasted(source)
    yield "\n".join(without_magic(TIMED.sub(r"\1", line)) for line in lines)
    yield "\n".join(map(without_magic, lines))
    in_one_line = GOES_ON.sub(lambda found: found[1] + "\n" * (1 + found[2].count("\n")), "\n".join(lines))
    yield "\n".join(map(without_magic, in_one_line.split("\n")))


def without_cell_magic(source):
    return "\n".join(without_magic(line) if line.startswith("%%") else line for line in as_pasted(source))


def as_pasted(source):
    """Its lines as IPython runs them: without prompts, and without the indentation that all of them have."""
    lines = source.splitlines(keepends=True)
    kept = leading_empty_lines(lines)
    empty = "\n" * (len(lines) - len(kept))
    margin = os.path.commonprefix(
        [line[: len(line) - len(line.lstrip())] for line in kept if not line.isspace()]
    )
    kept = [line.removeprefix(margin) for line in kept]
    for clean in (classic_prompt, ipython_prompt):
        kept = clean(kept)
    return (empty + "".join(kept)).split("\n")


def piled_up(source):
    """More accents on one letter than anybody writes? Python sorts those of a name, which takes minutes when there are many."""
    if source.isascii():
        return False
    marks = {c for c in set(source) if combining(normalize("NFKD", c)[0])}
    return any(
        is_mark and len(list(run)) > MOST_MARKS for is_mark, run in groupby(source, marks.__contains__)
    )


def without_magic(line):
    start = line.strip()
    if start.startswith(("%", "!", "?")) or HELP.fullmatch(start):
        return line[: len(line) - len(line.lstrip())] + "pass"
    return ASSIGNED.sub(r"\1None", line)
