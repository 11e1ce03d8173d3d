"""Faults that any exercise can have and none declares: seen by probes, seen in how the object can be used, or
exceptions of Python and torch that have one well-known cause."""

from course_utils.compare.faults import CHANGES_INPUT, TWO_DTYPES, UNSTEADY, join_names

from .finding import Finding

# ---- from what was observed


def interface(attempt):
    """Report an object of the wrong kind, one that accepts other arguments, or one that returns something
    else."""
    for verdict in attempt.verdicts:
        if verdict.seen.problem:
            mistake, text = verdict.seen.problem
            if mistake == "returns_none" and any(other.seen.values for other in attempt.verdicts):
                text = (
                    "it returns None in this case, but a result in others: every branch must return something"
                )
            return Finding(text, mistake, verdict)
    return None


def unsteady(attempt):
    """Report two equal calls with different results: nothing else can be diagnosed then."""
    for verdict in attempt.verdicts:
        if verdict.seen.second == "differs":
            return Finding(UNSTEADY["other results"], "unsteady", verdict)
    return None


def changed_inputs(attempt):
    """Report an argument that is changed in place, in a case that is wrong."""
    for verdict in attempt.wrong:
        if verdict.seen.changed:
            text = CHANGES_INPUT["values wrong"].format(what=join_names(verdict.seen.changed))
            return Finding(text, "changes_input", verdict)
    return None


def fixed_length(attempt):
    """Report a module that raises only where there are many more tokens than in the cases that are right."""
    if attempt.sheet.contract.kind != "module" or not attempt.raised:
        return None
    works = [tokens_of(verdict.case) for verdict in attempt.verdicts if verdict.right]
    raises = min(tokens_of(verdict.case) for verdict in attempt.raised)
    if len(works) < 3 or raises <= 2 * max(works):
        return None
    text = f"it works for up to {max(works)} tokens and raises for {raises}: is something, such as the mask"
    return Finding(f"{text}, made for a fixed length? Take the length from the input", "fixed_length")


def tokens_of(case):
    return max((x.shape[-2] for x in case.tensors if x.dim() > 2), default=0)


# ---- exceptions that have one well-known cause

VIEW = "view size is not compatible"
VIEW_FAILS = (
    "`.view` cannot handle this memory order (after a transpose, or for an input that is not contiguous)"
)
KNOWN_EXCEPTIONS = (  # (mistake, phrases, sentence); the first entry with a phrase in the message counts
    (
        "view_noncontiguous",
        (VIEW,),
        f"{VIEW_FAILS}: use `.reshape`, or `.contiguous()` before it",
    ),
    (
        "writes_under_autograd",
        ("leaf Variable that requires grad",),
        "a parameter is written to while autograd is recording: do it under `with torch.no_grad():`",
    ),
    (
        "changes_input",
        ("inplace operation", "in-place operation"),
        CHANGES_INPUT["exception"],
    ),
    (
        "dtypes_meet",
        TWO_DTYPES,
        "two dtypes meet where both must be the same ({error}): is a tensor cast, made in float32 whatever "
        "the inputs' dtype, or still boolean or integer?",
    ),
    (
        "none_not_treated",
        ("NoneType",),
        "None is used as a value ({error}): handle an argument that may be None first, and make every branch "
        "of a helper return something",
    ),
    (
        "values_and_places",
        ("return_types.",),
        "torch.max, torch.min and others return two things if you pass dim, the values and their indices: "
        "take `.values`, or use amax and amin",
    ),
    (
        "init_arguments",
        ("__init__() takes 1 positional argument but",),
        "{error}: an `__init__` gets more arguments than it accepts; nn.Module's accepts none, as in "
        "`super().__init__()`",
    ),
    (
        "no_super_init",
        ("before Module.__init__() call",),
        "layers are created before nn.Module is initialised: start __init__ with `super().__init__()`",
    ),
    (
        "tensor_for_parameter",
        ("as parameter '",),
        "a plain tensor replaces a parameter: copy into the parameter under `with torch.no_grad():`, or wrap "
        "the tensor in nn.Parameter",
    ),
)


def from_exception(attempt):
    """Report the first entry of KNOWN_EXCEPTIONS that matches, for the first exception that has one."""
    for verdict in attempt.raised:
        error = verdict.seen.raised[1]
        if VIEW in error and (other := next((v for v in attempt.wrong if v.seen.values), None)):
            if not verdict.case.edge:
                return view_and_wrong(verdict, other)
            continue
        for mistake, words, sentence in KNOWN_EXCEPTIONS:
            if any(word in error for word in words):
                return Finding(sentence.format(error=error), mistake, verdict)
    return None


def view_and_wrong(verdict, other):
    """torch advises `.reshape` in its message; but here the cases where `.view` works are wrong, too."""
    text = (
        f"{VIEW_FAILS}. In the {other.case.title} case, where it can, the numbers are wrong: so replacing it "
        "with `.reshape` would not be enough. Is the transpose in the right place?"
    )
    return Finding(text, "view_and_wrong", verdict)
