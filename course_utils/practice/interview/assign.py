"""Which parameter gets what: a signature and the forms of a problem come in, {parameter: role} go out."""

import re
from itertools import islice, permutations

from .hints import ARRAYS, SIZES, role_of
from .parameters import parameters

MOST = 130
SIZE_NAMES = r".*head.*|n_.*|num_.*|.*_dim|d_.*|.*groups?|h|nh|hq|hk|hkv|h_k.*|h_q|g|n|dim|d|size|b|t|s|l"
LEFT_ALONE = ("dropout", "flag", "device", "dtype", "base")


def role_in_call(name):
    """The role of a parameter of a call: mostly arrays, and a few sizes that are named as such."""
    plain = name.strip("_").lower()
    if re.fullmatch(SIZE_NAMES, plain):
        return role_of(name, SIZES) if len(plain) > 1 or plain in "hg" else None
    return role_of(name, ARRAYS) or role_of(name, SIZES)


def assignments(function, forms, said=(), extras=(), fill=(), loose=()):
    """Iterator of {parameter: role}.

    forms: tuples of roles that a call may need, the likely one first. said: {role: parameter} as the learner
    said it. extras: roles that may come besides. fill: roles whose parameter is given also where it has a
    default.
    """
    known = parameters(function)
    said = {parameter: role for role, parameter in dict(said).items()}
    hints = {one.name: said.get(one.name) or role_in_call(one.name) for one in known}
    needed = [one.name for one in known if one.needed]
    seen = set()
    plans = list(candidates(known, needed, hints, forms, extras, fill))
    sizes = {n: "group_size" for n, role in hints.items() if role == "kv_heads" and "group" in n.lower()}
    if sizes:  # groups: how many there are, or how large each is
        plans += candidates(known, needed, hints | sizes, forms, extras, fill)
    for chosen in wider(plans, known, hints, loose):
        key = tuple(sorted(chosen.items()))
        if key not in seen:
            seen.add(key)
            yield chosen
        if len(seen) >= MOST:
            return


def wider(plans, known, hints, loose):
    """The plans; then each with an optional parameter of an unknown name; then without any optional ones."""
    first = []
    for plan in plans:
        first.append(plan)
        yield plan
    unsaid = (None, "q", "k", "v")  # an optional `kept` is a cache, though its first letter hints at keys
    unknown = [
        one.name for one in known if not one.needed and one.default is None and hints[one.name] in unsaid
    ]
    for plan in first[:6]:
        yield from ({**plan, name: role} for name in unknown for role in loose if name not in plan)
    needed = {one.name for one in known if one.needed}
    for plan in first[:6]:  # an optional mask is always tried: it may be ignored
        yield {name: role for name, role in plan.items() if name in needed or role == "mask"}


def candidates(known, needed, hints, forms, extras, fill):
    optional = [one.name for one in known if not one.needed]
    some = False
    for form in forms:
        for order in (optional, optional[::-1]):  # of two optional masks each is tried
            for chosen in fitted(form, needed, order, hints, extras, fill):
                some = True
                yield chosen
    if some:
        return
    for form in forms:  # names that mislead, or say nothing: by place
        more = {name: hints[name] for name in optional if hints[name] in (*form, *fill)}
        for roles in ([role for role in form if role not in more.values()], form):
            if len(roles) == len(needed) and len(roles) <= 7:
                for order in islice(permutations(roles), 6 if len(roles) <= 3 else 1):
                    yield {**more, **dict(zip(needed, order, strict=True))}


def fitted(form, needed, optional, hints, extras, fill):
    """The assignments that keep the hints."""
    settings = {name: hints[name] for name in needed if hints[name] in LEFT_ALONE}
    roles = {n: hints[n] for n in needed if hints[n] in form or (hints[n] in extras and n not in settings)}
    if len(set(roles.values())) < len(roles):
        return
    free = [name for name in needed if name not in roles and name not in settings]
    if any(hints[name] for name in free):  # it stands for something that this form has not
        return
    for name in optional:
        if hints[name] in (*form, *fill) and hints[name] not in roles.values():
            roles[name] = hints[name]
    missing = [role for role in form if role not in roles.values()]
    if len(missing) != len(free):
        return
    for order in islice(permutations(missing), 24):
        yield {**settings, **roles, **dict(zip(free, order, strict=True))}


def unclear(function, forms, extras=()):
    """The needed parameters whose names hint at nothing that a form needs."""
    wanted = {role for form in forms for role in (*form, *extras, *LEFT_ALONE)}
    return [one.name for one in parameters(function) if one.needed and role_in_call(one.name) not in wanted]
