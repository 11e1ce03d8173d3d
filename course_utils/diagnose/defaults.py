"""Is a parameter's default another than the signature's?"""

import ast

from course_utils.model.case import parameters

from .finding import Finding
from .recognise import recognise_exactly

PLAIN = int, float, bool, str, type(None)


def wrong_default(attempt):
    """A default is another one, and all that is wrong leaves that parameter out. (A mistake of the exercise
    that is about a default says more.)"""
    for method, theirs in attempt.inspector.defaults().items():
        for name, node in parameters(attempt.sheet.contract.signatures[method])[1].items():
            wanted = literal(node)
            left_out = all(leaves_out(verdict.case, method, name) for verdict in attempt.wrong)
            if left_out and name in theirs and differs(theirs[name], wanted):
                claim = recognise_exactly(attempt)
                if claim and "default" in (claim.mistake or ""):
                    return claim
                text = f"the default is `{name}={theirs[name]!r}`, but should be `{name}={wanted!r}`"
                return Finding(f"{text}: it matters when a call leaves `{name}` out", "wrong_default")
    return None


def literal(node):
    try:
        return ast.literal_eval(node)
    except ValueError:  # such as torch.float32
        return ...


def differs(theirs, wanted):
    return isinstance(theirs, PLAIN) and isinstance(wanted, PLAIN) and theirs != wanted


def leaves_out(case, method, name):
    """Does a call of this method do without the parameter?"""
    if not method and case.build is not None:
        return name not in case.build
    return any(name not in call.args for call in case.calls if method in ("", "forward", call.method))
