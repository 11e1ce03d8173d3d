"""The line that adapts an object to the offered signature, filled in as far as it is known."""

from .calls import named_role
from .parameters import parameters

CHECK = "interview.check(lambda {}: {})"
NOT = {"bool": "~{}", "numbers": "1 - {}", "list": "[[not hidden for hidden in row] for row in {}]"}
SAME = {"Q": "q", "K": "k", "V": "v", "X": "x", "scores": "x", "T_new": "T", "T_past": "past"}
SAME |= {"positions": "start"}


def adapting_line(signature, obj):
    """`interview.check(lambda x, W_Q, n_heads: mine(x, ..., n_heads))`; "" where it would change nothing."""
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    head = [word.strip() for word in inside.split(",") if word.strip()]
    offered = [word.partition("=")[0] for word in head]
    roles = {named_role(name, {}, {"heads", "kv_heads"}) or name: name for name in offered}
    roles |= {SAME[name]: name for name in offered if name in SAME}
    arguments = []
    for word in parameters(obj):
        role = named_role(word.name, {}, {"heads", "kv_heads"})
        if word.name in offered:
            arguments.append(word.name)
        elif role in roles:
            arguments.append(roles[role])
        elif word.needed:
            arguments.append("...")
    if arguments == offered:
        return ""
    return CHECK.format(", ".join(head), f"{name_of(obj)}({', '.join(arguments)})")


def name_of(obj):
    return getattr(obj, "__name__", type(obj).__name__)


def own_call(obj):
    """(the needed parameters as a text, the call of the object with them); of a class an object is made."""
    needed = [parameter for parameter in parameters(obj) if parameter.needed]
    call = f"{name_of(obj)}({arguments_of(needed)})"
    if isinstance(obj, type):
        method = getattr(obj, "forward", obj.__call__)
        later = [parameter for parameter in parameters(method)[1:] if parameter.needed]
        needed, call = [*needed, *later], f"{call}({arguments_of(later)})"
    return ", ".join(p.name for p in needed), call


def arguments_of(needed):
    return ", ".join(f"{p.name}={p.name}" if p.keyword else p.name for p in needed)


def line_for_prompt(obj, way):
    """The line for a loop that returns only the new tokens."""
    prompt = next((name for name, role in way.plan.items() if role == "prompt"), "prompt")
    names, call = own_call(obj)
    is_tensor = way.choice["prompt"] in ("batch", "one row")
    whole = f"torch.cat([{prompt}, {call}], 1)" if is_tensor else f"[*{prompt}, *{call}]"
    return CHECK.format(names, whole)


def line_for_sense(obj, kind):
    """The line for a mask whose True means what is hidden. kind: of the mask, a key of NOT."""
    names, call = own_call(obj)
    return CHECK.format(names, NOT[kind].format(call))
