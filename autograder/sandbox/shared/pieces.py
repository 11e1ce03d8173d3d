"""Right pieces (see job.py) -> objects that stand in for a student's own."""

import functools
import inspect
import types
from itertools import zip_longest

from course_utils.observe.interface import accepted


def define(name, source):
    """The object that a source text defines."""
    module = types.ModuleType(f"given_{name}")
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return vars(module)[name]


def called_as(own, right):
    """The right function with the signature of the student's own, so that the student's calls fit it.

    Parameters that have another name in theirs are matched by their order; what theirs takes beyond the right
    one's is ignored. A class, and a function with no other names, stays as it is.
    """
    own, names = accepted(own) or [], accepted(right) or []
    unmet = [name for name in names if name not in own]
    other_names = [name for name in own if name not in names]
    keys, more = dict(zip(other_names, unmet, strict=False)), other_names[len(unmet) :]
    if isinstance(right, type) or not other_names:
        return right

    @functools.wraps(right)
    def call(*args, **keywords):
        placed = [value for value, name in zip_longest(args, own[: len(args)]) if name not in more]
        keywords = {keys.get(name, name): value for name, value in keywords.items() if name not in more}
        return right(*placed, **keywords)

    call.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in own]
    )
    return call
