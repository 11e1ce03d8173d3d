"""translate_mask: translate an attention mask between the four conventions (dialects) of libraries."""

from functools import partial

import torch

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Case

BOOLEAN = ("masked", "attend")
DIALECTS = (*BOOLEAN, "ones", "additive")
INF = float("inf")
ex = Exercise(
    {"translated": "T_q T_k"},
    gradients=False,
    narrow=(),
    hints="""
    There are 4 dialects, and so 16 pairs. How few translations do you have to write if you first bring every mask into
    one common form?

    First read: which entries may be attended to, as a boolean tensor, whatever the source? Then write that tensor in the
    target's dialect. A name that is none of the four raises a ValueError, on either side.

    "masked" is read with ~mask, "attend" as it is, "ones" with mask == 1, "additive" with mask > -1e4; any other name
    ends in raise ValueError(...). To write: .long() turns booleans into integers, and masked_fill puts -inf into
    zeros.

    written: "masked" is ~allowed, "attend" is allowed, "ones" is allowed.long(), "additive" is torch.zeros_like(mask,
    dtype=dtype).masked_fill(~allowed, -torch.inf)
    """,
)


@ex.reference
def translate_mask(mask, source, target, dtype=torch.float32):
    if source not in DIALECTS or target not in DIALECTS:
        raise ValueError("a mask is masked, attend, ones or additive")
    open_value = {"masked": False, "attend": True, "ones": 1, "additive": 0.0}
    written = {"masked": (False, True), "attend": (True, False), "ones": (1, 0), "additive": (0.0, -INF)}
    allowed, hidden = written[target]
    flat = [allowed if entry == open_value[source] else hidden for entry in mask.reshape(-1).tolist()]
    kind = {"ones": torch.int64, "additive": dtype}.get(target, torch.bool)
    return torch.tensor(flat, dtype=kind, device=mask.device).reshape(mask.shape)


def drawn(g, *shape):
    """Random allowed positions: at least one, but not all and not exactly half."""
    while True:
        allowed = torch.from_numpy(g.random(shape) < 0.6)
        if allowed.any() and not allowed.all() and 2 * allowed.sum() != allowed.numel():
            return allowed


def in_dialect(allowed, dialect, low=(-INF,)):
    """The allowed positions written as a mask in this dialect. low: the numbers that an additive mask holds
    at the other positions, in turn."""
    if dialect in BOOLEAN:
        return ~allowed if dialect == "masked" else allowed
    if dialect == "ones":
        return allowed.long()
    additive = torch.zeros(allowed.shape, dtype=torch.float64)
    places = (~allowed).flatten().nonzero().flatten().tolist()
    for turn, place in enumerate(places):
        additive.view(-1)[place] = low[turn % len(low)]
    return additive


def pair(source, target, g):
    """A case that translates a mask of random size (T_q, T_k) from source to target."""
    T_q, T_k = g.choice([2, 3, 4, 5], 2, replace=False).tolist()
    mask = in_dialect(drawn(g, T_q, T_k), source)
    return call(mask=mask, source=source, target=target).but(dtype="float32")


ex.case(
    **{f"{source}_to_{target}": partial(pair, source, target) for source in DIALECTS for target in DIALECTS}
)


def low_numbers(g, *targets):
    """A case with an additive mask that holds large negative numbers, -1e4 among them, besides -inf."""
    allowed, case = drawn(g, 3, 5), Case("", [])
    allowed[0] = False
    mask = in_dialect(allowed, "additive", (-1e4, -3e4, -1e9, -INF, torch.finfo(torch.float32).min))
    for target in targets:
        case = case.call(mask=mask, source="additive", target=target)
    return case.but(dtype="float32")


def four_axes(g, source, target):
    mask = in_dialect(drawn(g, 2, 1, 3, 4), source)
    return call(mask=mask, source=source, target=target).but(dtype="float32")


def all_alike(allowed, source, target):
    mask = in_dialect(torch.full((2, 3), allowed), source)
    return call(mask=mask, source=source, target=target).but(dtype="float32")


def in_dtype(g, source, dtype):
    mask = in_dialect(drawn(g, 3, 4), source)
    return call(mask=mask, source=source, target="additive", dtype=dtype).but(dtype=dtype)


ex.edge(
    low_numbers=lambda g: low_numbers(g, "masked", "attend", "ones"),
    low_numbers_become_minus_infinity=lambda g: low_numbers(g, "additive"),
    four_axes=lambda g: four_axes(g, "attend", "additive"),
    everything_masked=lambda g: all_alike(False, "masked", "additive"),
    nothing_masked=lambda g: all_alike(True, "additive", "masked"),
    float64=lambda g: in_dtype(g, "masked", "float64"),
    float16=lambda g: in_dtype(g, "ones", "float16"),
    bfloat16_from_bfloat16=lambda g: in_dtype(g, "additive", "bfloat16"),
    not_contiguous=lambda g: pair("additive", "ones", g).but(strided=True),
)


OTHER_NAMES = ("mask", "allowed", "bool", "keep", "causal", "float", "zeros", "padding")


@ex.edge
def unknown_names(g):
    """Six calls; in three of them the source, the target or both are no known dialect."""
    case, mask = Case("", []), drawn(g, 2, 3)
    for bad in g.permutation(["source", "target", "source and target", "", "", ""]).tolist():
        wrong, source, target = str(g.choice(OTHER_NAMES)), str(g.choice(DIALECTS)), str(g.choice(DIALECTS))
        names = {
            "source": wrong if "source" in bad else source,
            "target": wrong if "target" in bad else target,
        }
        case = case.call("", None, "ValueError" if bad else None, mask=in_dialect(mask, source), **names)
    return case.but(dtype="float32")


# ---- mistakes

READ = {
    "masked": lambda mask: ~mask,
    "attend": lambda mask: mask,
    "ones": lambda mask: mask == 1,
    "additive": lambda mask: mask > -1e4,
}
WRITE = {
    "masked": lambda allowed, dtype: ~allowed,
    "attend": lambda allowed, dtype: allowed,
    "ones": lambda allowed, dtype: allowed.long(),
    "additive": lambda allowed, dtype: filled(allowed, dtype, -INF),
}


def filled(allowed, dtype, low):
    return torch.zeros(allowed.shape, dtype=dtype).masked_fill(~allowed, low)


def refuse(source, target):
    """Raise a ValueError if source or target is not a known dialect."""
    if {source, target} - set(DIALECTS):
        raise ValueError("unknown dialect")


def parts(
    names=refuse, early=lambda mask, source, target: None, turn=lambda source, target: (source, target)
):
    """An implementation with these steps: the check of the names, a result that is returned early (None:
    translate), and the names that are used for the translation."""

    def implementation(mask, source, target, dtype=torch.float32):
        names(source, target)
        returned = early(mask, source, target)
        if returned is not None:
            return returned
        source, target = turn(source, target)
        return WRITE.get(target, WRITE["additive"])(READ.get(source, READ["additive"])(mask), dtype)

    return implementation


def reading(**readers):
    """An implementation that reads the given dialects with these functions."""

    def implementation(mask, source, target, dtype=torch.float32):
        refuse(source, target)
        return WRITE[target]((READ | readers)[source](mask), dtype)

    return implementation


def writing(**writers):
    """An implementation that writes the given dialects with these functions."""

    def implementation(mask, source, target, dtype=torch.float32):
        refuse(source, target)
        return (WRITE | writers)[target](READ[source](mask), dtype)

    return implementation


def no_error(source, target):
    """Accept any name."""


def key_error(source, target):
    READ[source], WRITE[target]


ex.wrong(
    'masked_read_the_wrong_way_round: "masked" is read the wrong way around: there, True means that a key may *not* be attended to',
    reading(masked=lambda mask: mask),
    'attend_read_the_wrong_way_round: "attend" is read the wrong way around: there, True means that a key may be attended to',
    reading(attend=lambda mask: ~mask),
    'ones_read_the_wrong_way_round: "ones" is read the wrong way around: there, 1 means that a key may be attended to',
    reading(ones=lambda mask: mask == 0),
    'additive_read_the_wrong_way_round: "additive" is read the wrong way around: 0 means that a key may be attended to. (bool() turns -inf into True, like every number but 0)',
    reading(additive=lambda mask: mask != 0),
    'masked_written_the_wrong_way_round: "masked" is written the wrong way around: there, True means that a key may *not* be attended to',
    writing(masked=lambda allowed, dtype: allowed),
    'attend_written_the_wrong_way_round: "attend" is written the wrong way around: there, True means that a key may be attended to',
    writing(attend=lambda allowed, dtype: ~allowed),
    'ones_written_the_wrong_way_round: "ones" is written the wrong way around: there, 1 means that a key may be attended to',
    writing(ones=lambda allowed, dtype: (~allowed).long()),
    'additive_written_the_wrong_way_round: "additive" is written the wrong way around: 0 means that a key may be attended to, -inf that it may not',
    writing(additive=lambda allowed, dtype: filled(~allowed, dtype, -INF)),
    'only_minus_inf_is_masked: in "additive", only -inf is read as masked: any number at or below -1e4 is masked, such as the lowest number of a dtype',
    reading(additive=lambda mask: mask > -INF),
    'threshold_too_low: large negative numbers in "additive" are read as allowed: any number at or below -1e4 is masked',
    reading(additive=lambda mask: mask > -1e9),
    "minus_inf_times_zero: 0 * -inf is NaN, so the allowed positions hold NaN instead of 0: use masked_fill or torch.where",
    writing(additive=lambda allowed, dtype: (~allowed).to(dtype) * -INF),
    'finite_fill: in "additive", masked positions hold a large negative number: here they must hold exactly -inf',
    writing(additive=lambda allowed, dtype: filled(allowed, dtype, -1e4)),
    writing(additive=lambda allowed, dtype: filled(allowed, dtype, torch.finfo(dtype).min)),
    "source_and_target_exchanged: source and target are swapped: the mask comes in as `source` and must go out as `target`",
    parts(turn=lambda source, target: (target, source)),
    "mask_handed_back: the mask is returned unchanged, whatever the two names: translate it to the target's dialect",
    parts(early=lambda mask, source, target: mask),
    'booleans_handed_back: between "masked" and "attend" the mask is returned unchanged: both are boolean, but they mean opposite things',
    parts(early=lambda mask, source, target: mask if {source, target} == set(BOOLEAN) else None),
    'additive_handed_back: from "additive" to "additive" the mask is returned unchanged: even there, large negative numbers become -inf, and the result has the dtype `dtype`',
    parts(early=lambda mask, source, target: mask if source == target else None),
    "other_error: an unknown name raises an error other than ValueError (a dict raises KeyError): check that the name is known, and raise ValueError",
    parts(key_error),
    "unknown_names_accepted: an unknown name is treated as one of the four, as by a final `else`: raise ValueError",
    parts(no_error),
)
