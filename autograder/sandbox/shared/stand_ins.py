"""Turn the source of a stand-in (see job.py) into an object that replaces the student's."""

import functools
import inspect
import types
from itertools import zip_longest

from course_utils.observe.interface import accepted


def define(name, source):
    """Run a source text, and return the object that it defines under this name."""
    module = types.ModuleType(f"given_{name}")
    exec(compile(source, f"<{name}>", "exec"), vars(module))
    return vars(module)[name]


def with_signature_of(own, right):
    """Return the stand-in `right` with the signature of the student's own function, so that their calls fit.

    Parameters with different names are matched by their order; additional parameters of the student's
    function are ignored. A class, and a function without different names, is returned as it is.
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

    parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in own]
    vars(call)["__signature__"] = inspect.Signature(parameters)
    return call
