"""What somebody wrote comes in; whether it has a loop goes out."""

import dis
from types import CodeType, FunctionType


def has_loop(obj):
    """Does a function, or a method of a class, go through something with `for`, also in a comprehension?"""
    functions = vars(obj).values() if isinstance(obj, type) else [obj]
    return any(loops(one.__code__) for one in functions if isinstance(one, FunctionType))


def loops(code):
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return any(one.opname == "FOR_ITER" for one in dis.get_instructions(code)) or any(map(loops, inner))
