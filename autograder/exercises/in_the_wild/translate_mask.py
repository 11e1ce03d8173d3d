"""translate_mask: one mask in the four dialects of libraries."""

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
    hints=[
        "There are 4 dialects, and so 16 pairs. How few translations do you have to write, if every mask is "
        "first brought into the same one?",
        "First read: which entries may be attended to, as a boolean tensor, whatever the source? Then write "
        "that tensor in the target's dialect. A name that is none of the four raises a ValueError, on "
        "either side.",
        '"masked" is read with ~mask, "attend" as it is, "ones" with mask == 1, "additive" with mask > -1e4; '
        "any other name ends in raise ValueError(...). To write: .long() makes whole numbers of booleans, "
        "and masked_fill puts -inf into zeros.",
        'written: "masked" is ~allowed, "attend" is allowed, "ones" is allowed.long(), "additive" is '
        "torch.zeros_like(mask, dtype=dtype).masked_fill(~allowed, -torch.inf)",
    ],
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
    """Which positions may be attended to: some, and neither half of them nor all."""
    while True:
        allowed = torch.from_numpy(g.random(shape) < 0.6)
        if allowed.any() and not allowed.all() and 2 * allowed.sum() != allowed.numel():
            return allowed


def spoken(allowed, dialect, low=(-INF,)):
    """Which positions may be attended to, in this dialect; low: the numbers for the others, in turn."""
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
    """A case of its own for two dialects: (T_q, T_k), sizes drawn."""
    T_q, T_k = g.choice([2, 3, 4, 5], 2, replace=False).tolist()
    return call(mask=spoken(drawn(g, T_q, T_k), source), source=source, target=target).but(dtype="float32")


ex.case(
    **{f"{source}_to_{target}": partial(pair, source, target) for source in DIALECTS for target in DIALECTS}
)


def low_numbers(g):
    """An additive mask that holds large negative numbers, -1e4 among them, in the place of -inf."""
    allowed, case = drawn(g, 3, 5), Case("", [])
    allowed[0] = False
    mask = spoken(allowed, "additive", (-1e4, -3e4, -1e9, -INF, torch.finfo(torch.float32).min))
    for target in ("masked", "attend", "ones"):
        case = case.call(mask=mask, source="additive", target=target)
    return case.but(dtype="float32")


def four_axes(g, source, target):
    mask = spoken(drawn(g, 2, 1, 3, 4), source)
    return call(mask=mask, source=source, target=target).but(dtype="float32")


def all_alike(allowed, source, target):
    mask = spoken(torch.full((2, 3), allowed), source)
    return call(mask=mask, source=source, target=target).but(dtype="float32")


def in_dtype(g, source, dtype):
    mask = spoken(drawn(g, 3, 4), source)
    return call(mask=mask, source=source, target="additive", dtype=dtype).but(dtype=dtype)


ex.edge(
    low_numbers=low_numbers,
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
    """Six calls, three of which have a name that is no dialect: the source, the target, or both."""
    case, mask = Case("", []), drawn(g, 2, 3)
    for bad in g.permutation(["source", "target", "source and target", "", "", ""]).tolist():
        wrong, source, target = str(g.choice(OTHER_NAMES)), str(g.choice(DIALECTS)), str(g.choice(DIALECTS))
        names = {
            "source": wrong if "source" in bad else source,
            "target": wrong if "target" in bad else target,
        }
        case = case.call("", None, "ValueError" if bad else None, mask=spoken(mask, source), **names)
    return case.but(dtype="float32")


# ---- known mistakes

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


def filled(allowed, dtype, low, open_value=0.0):
    return torch.full(allowed.shape, open_value, dtype=dtype).masked_fill(~allowed, low)


def refuse_others(source, target):
    """An unknown name raises a ValueError, on either side."""
    if {source, target} - set(DIALECTS):
        raise ValueError("unknown dialect")


def refuse_nothing(source, target):
    """Any name will do."""


def parts(read=None, write=None, names=refuse_others, shortcut=None):
    """An implementation from its parts: which dialects are read or written in another way, which names are
    refused, and a shortcut(mask, source, target) whose result is returned unless it is None."""
    readers, writers = READ | (read or {}), WRITE | (write or {})

    def implementation(mask, source, target, dtype=torch.float32):
        names(source, target)
        early = shortcut(mask, source, target) if shortcut else None
        if early is not None:
            return early
        allowed = readers.get(source, readers["additive"])(mask)
        return writers.get(target, writers["additive"])(allowed, dtype)

    return implementation


def both(change):
    """The same way for both boolean dialects."""
    return {"masked": change, "attend": change}


def as_if(source=None, target=None, exchanged=False):
    """An implementation that reads as `source` or writes as `target`, whatever it is asked for; exchanged:
    it reads as the target and writes as the source."""

    def implementation(mask, given_source, given_target, dtype=torch.float32):
        refuse_others(given_source, given_target)
        names = (source or given_source, target or given_target)
        read, write = names[::-1] if exchanged else names
        if read != given_source and not right_kind(mask, read):
            raise TypeError(f"the mask is not in the dialect {read}")
        return WRITE[write](READ[read](mask), dtype)

    return implementation


def right_kind(mask, dialect):
    """Can a mask of this dtype be read in the dialect at all?"""
    return dialect not in BOOLEAN or mask.dtype == torch.bool


def handed_back(when):
    """The mask itself is returned for these pairs of source and target."""
    return lambda mask, source, target: mask if when(source, target) else None


def key_error(source, target):
    READ[source], WRITE[target]


def attribute_error(source, target):
    """Raises what a missing function in the place of a name raises."""
    if {source, target} - set(DIALECTS):
        raise TypeError("'NoneType' object is not callable")


def none_for_unknown(mask, source, target, dtype=torch.float32):
    known = {source, target} <= set(DIALECTS)
    return parts()(mask, source, target, dtype) if known else None


def only_through(name):
    """ValueError only where this side is unknown: "source" or "target"."""

    def names(source, target):
        if {"source": source, "target": target}[name] not in DIALECTS:
            raise ValueError("unknown dialect")

    return names


def unless_equal(source, target):
    if source != target:
        refuse_others(source, target)


def tilde_on_numbers(mask):
    """~1 is -2 and ~0 is -1: neither is 0."""
    return (~mask).bool()


def nan_made(allowed, dtype):
    return (~allowed).to(dtype) * -INF


ex.switches(
    parts,
    {
        "masked_read_the_wrong_way_round": (
            '"masked" is read the wrong way round: True may *not* be attended to there',
            {"read": {"masked": lambda mask: mask}},
        ),
        "attend_read_the_wrong_way_round": (
            '"attend" is read the wrong way round: True may be attended to there',
            {"read": {"attend": lambda mask: ~mask}},
        ),
        "ones_read_the_wrong_way_round": (
            '"ones" is read the wrong way round: 1 may be attended to there',
            {"read": {"ones": lambda mask: mask == 0}},
        ),
        "additive_read_the_wrong_way_round": (
            '"additive" is read the wrong way round: 0 may be attended to. (bool() makes True of -inf, as '
            "of every number but 0)",
            {"read": {"additive": lambda mask: mask != 0}},
            {"read": {"additive": lambda mask: mask == -INF}},
        ),
        "masked_and_attend_exchanged": (
            '"masked" and "attend" are exchanged: True may *not* be attended to in the first, and may in '
            "the second",
            {
                "read": {"masked": lambda mask: mask, "attend": lambda mask: ~mask},
                "write": {
                    "masked": lambda allowed, dtype: allowed,
                    "attend": lambda allowed, dtype: ~allowed,
                },
            },
            {"read": {"masked": lambda mask: mask, "attend": lambda mask: ~mask}},
        ),
        "boolean_dialects_read_alike": (
            '"masked" and "attend" are read alike: they mean the opposite of each other',
            {"read": both(lambda mask: mask), "write": both(lambda allowed, dtype: allowed)},
            {"read": both(lambda mask: ~mask), "write": both(lambda allowed, dtype: ~allowed)},
        ),
        "masked_written_the_wrong_way_round": (
            '"masked" is written the wrong way round: True may *not* be attended to there',
            {"write": {"masked": lambda allowed, dtype: allowed}},
        ),
        "attend_written_the_wrong_way_round": (
            '"attend" is written the wrong way round: True may be attended to there',
            {"write": {"attend": lambda allowed, dtype: ~allowed}},
        ),
        "ones_written_the_wrong_way_round": (
            '"ones" is written the wrong way round: 1 may be attended to there',
            {"write": {"ones": lambda allowed, dtype: (~allowed).long()}},
        ),
        "additive_written_the_wrong_way_round": (
            '"additive" is written the wrong way round: 0 may be attended to, -inf may not',
            {"write": {"additive": lambda allowed, dtype: filled(~allowed, dtype, -INF)}},
        ),
        "all_written_the_wrong_way_round": (
            "every target is the wrong way round: is what was read turned once too often?",
            {"write": {to: lambda a, dtype, to=to: WRITE[to](~a, dtype) for to in DIALECTS}},
        ),
        "only_minus_inf_is_masked": (
            'only -inf is read as masked in "additive": any number at or below -1e4 is, such as the lowest '
            "one of a dtype",
            {"read": {"additive": lambda mask: ~torch.isinf(mask)}},
            {"read": {"additive": lambda mask: mask > -INF}},
        ),
        "threshold_too_low": (
            'large negative numbers of "additive" are read as allowed: any number at or below -1e4 is masked',
            {"read": {"additive": lambda mask: mask > -1e9}},
            {"read": {"additive": lambda mask: mask >= -1e9}},
            {"read": {"additive": lambda mask: mask > torch.finfo(torch.float32).min}},
        ),
        "threshold_left_out": (
            '-1e4 itself is read as allowed in "additive": a number *at* or below it is masked',
            {"read": {"additive": lambda mask: mask >= -1e4}},
        ),
        "nothing_allowed_is_positive": (
            'nothing of "additive" is read as allowed: 0 may be attended to, and 0 is not above 0',
            {"read": {"additive": lambda mask: mask > 0}},
            {"read": {"additive": lambda mask: mask >= 1}},
        ),
        "ones_turned_with_a_tilde": (
            "whole numbers are turned with ~, which makes -2 of 1 and -1 of 0, both of them True: compare, "
            "mask == 0",
            {"read": {"ones": lambda mask: ~tilde_on_numbers(mask)}},
            {"read": {"ones": tilde_on_numbers}},
        ),
        "minus_inf_times_zero": (
            "0 * -inf is NaN: the allowed positions hold NaN instead of 0. Use masked_fill or torch.where",
            {"write": {"additive": nan_made}},
        ),
        "finite_fill": (
            'a large negative number stands in "additive" for what is masked: here exactly -inf is made',
            *(
                {"write": {"additive": lambda allowed, dtype, low=low: filled(allowed, dtype, low)}}
                for low in (-1e4, -1e9)
            ),
            {"write": {"additive": lambda a, dtype: filled(a, dtype, torch.finfo(dtype).min)}},
        ),
        "plus_inf": (
            'masked positions hold +inf in "additive": the sign is wrong, they would get all the weight',
            {"write": {"additive": lambda allowed, dtype: filled(allowed, dtype, INF)}},
        ),
        "ones_where_allowed": (
            '"additive" holds 1 where attention is allowed: 0 is added there',
            {"write": {"additive": lambda allowed, dtype: filled(allowed, dtype, -INF, 1.0)}},
        ),
        "additive_of_ones_and_zeros": (
            '"additive" holds 0 and 1: what is masked gets -inf, what is allowed 0',
            {"write": {"additive": lambda allowed, dtype: allowed.to(dtype)}},
            {"write": {"additive": lambda allowed, dtype: (~allowed).to(dtype)}},
            {"write": {"additive": lambda allowed, dtype: -(~allowed).to(dtype)}},
        ),
        "additive_boolean": (
            '"additive" is boolean: it holds numbers in `dtype`, 0 and -inf',
            {"write": {"additive": lambda allowed, dtype: allowed}},
            {"write": {"additive": lambda allowed, dtype: ~allowed}},
        ),
        "ones_boolean": (
            '"ones" is boolean: it holds whole numbers, .long()',
            {"write": {"ones": lambda allowed, dtype: allowed}},
        ),
        "masked_in_numbers": (
            'a boolean dialect is written in numbers: "masked" and "attend" hold True and False',
            {"write": {"masked": lambda allowed, dtype: (~allowed).long()}},
            {"write": {"attend": lambda allowed, dtype: allowed.long()}},
            {"write": {"masked": lambda a, dtype: (~a).long(), "attend": lambda a, dtype: a.long()}},
        ),
        "source_ignored": (
            "the source has no effect: the mask is always read in one dialect",
            as_if(source="masked"),
            as_if(source="attend"),
            as_if(source="ones"),
            as_if(source="additive"),
            {"read": {"attend": lambda mask: ~mask, "ones": lambda m: m == 0, "additive": lambda m: m == 0}},
        ),
        "target_ignored": (
            "the target has no effect: every mask comes out in one dialect",
            *(as_if(target=dialect) for dialect in DIALECTS),
        ),
        "source_and_target_exchanged": (
            "source and target are exchanged: the mask comes in the first, and is wanted in the second",
            as_if(exchanged=True),
        ),
        "mask_handed_back": (
            "the mask comes back as it was, whatever the two names: it is wanted in the target's dialect",
            {"shortcut": handed_back(lambda source, target: True)},
        ),
        "booleans_handed_back": (
            'between "masked" and "attend" the mask comes back as it was: both are boolean, and they mean '
            "the opposite of each other",
            {"shortcut": handed_back(lambda source, target: {source, target} == {"masked", "attend"})},
        ),
        "always_turned": (
            "the mask is turned round even where source and target are one dialect: then nothing changes",
            {"shortcut": lambda mask, source, target: ~mask if source == target in BOOLEAN else None},
            {"shortcut": lambda mask, source, target: ~mask if source == target == "masked" else None},
            {"shortcut": lambda mask, source, target: ~mask if source == target == "attend" else None},
        ),
        "other_error": (
            "an unknown name raises another error than ValueError (a dict that is asked for it raises "
            "KeyError): look whether the name is known, and raise ValueError",
            {"names": key_error},
            {"names": attribute_error},
        ),
        "unknown_names_accepted": (
            "an unknown name is taken for one of the four, as the last `else` does: it raises ValueError",
            {"names": refuse_nothing},
            none_for_unknown,
        ),
        "source_not_checked": (
            "an unknown source is accepted: it raises ValueError, as an unknown target does",
            {"names": only_through("target")},
        ),
        "target_not_checked": (
            "an unknown target is accepted: it raises ValueError, as an unknown source does",
            {"names": only_through("source")},
        ),
        "unknown_but_equal": (
            "two equal names are accepted though they are unknown: look at the names first",
            {"names": unless_equal, "shortcut": handed_back(lambda source, target: source == target)},
        ),
    },
)
