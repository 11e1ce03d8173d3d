"""Is each slice of a result the wanted one of another place? Shifted, reversed, cut, one for all, dealt out
with `//` and `%` exchanged: along an axis, or along the heads inside the last one."""

from .axes import heads_of
from .finding import the_axis

FIRST_ROUND = ". Is `return` inside the loop, so that only its first iteration counts?"


def misplaced(pair):
    """(mistake, sentence) of the first axis along which the right slices lie in wrong places, or None."""
    for value, target, names in views(pair):
        for i, name in enumerate(names):
            if (places := places_of(value, target, i)) and places != list(range(target.shape[i])):
                return in_words(places, the_axis(name), target.shape[i])
    return None


def views(pair):
    """The result as it is, and with the heads in the last axis apart."""
    yield pair.value, pair.target, pair.names
    heads, width = heads_of(pair.case) or 1, pair.target.shape[-1]
    if 1 < heads < width and width % heads == 0 and pair.value.shape == pair.target.shape:
        parts = (tensor.unflatten(-1, (heads, -1)) for tensor in (pair.value, pair.target))
        yield *parts, [*pair.names[:-1], "H", "d_head"]


def places_of(value, target, i):
    """For each slice of the result along axis i the place where it belongs; None where one belongs nowhere.
    The slice that is missing at the end of a shift has the place None."""
    if value.dim() != target.dim() or value.dim() < 2 or target.shape[i] < 2:
        return None
    rows, wanted = (tensor.movedim(i, 0).flatten(1).nan_to_num(9e9, 9e9, -9e9) for tensor in (value, target))
    if rows.shape[1] != wanted.shape[1] or rows.shape[1] < 2:
        return None
    near = (rows[:, None] - wanted[None]).abs().amax(-1) <= 1e-5 * (1 + wanted.abs().amax())  # (here, there)
    for places in orders_of(*near.shape):
        if all(near[here, there] for here, there in enumerate(places)):
            return places
    places = [row.nonzero().flatten().tolist() for row in near]
    if any(len(candidates) > 1 for candidates in places):
        return None  # alike: they may belong anywhere
    places = [candidates[0] if candidates else None for candidates in places]
    return places if None not in places or is_slid(places) else None


def orders_of(count, size):
    """The usual places of so many slices out of so many: their own, in reverse, shifted, dealt out, cut."""
    if count < size:
        return [list(range(start, start + count)) for start in range(size - count + 1)]
    own = list(range(size))
    if count > size:
        return []
    dealt = [[i % n * (size // n) + i // n for i in own] for n in range(2, size) if size % n == 0]
    return [own, own[::-1], *(own[n:] + own[:n] for n in range(1, size)), *dealt]


def is_slid(places):
    """Is all but one end moved on by one?"""
    steps = [place - i for i, place in enumerate(places) if place is not None]
    ends = places.count(None) == 1 and None in (places[0], places[-1])
    return ends and len(steps) > 2 and set(steps) in ({1}, {-1})


def in_words(places, name, size):
    """(mistake, sentence)"""
    if None in places:
        step = next(i - place for i, place in enumerate(places) if place is not None)
        way = "later" if step > 0 else "earlier"
        return "axis_shifted", f"is off by one along {name}: each entry stands one place {way} than it should"
    if len(places) == 1:
        text = f"holds only entry {places[0]} of {name}; all {size} are wanted"
        return "only_one_of_axis", text + (FIRST_ROUND if places == [0] else "")
    if len(set(places)) == 1:
        text = f"is constant along {name}: all {size} entries are what only entry {places[0]} should be"
        return "one_for_all_of_axis", text
    if places == list(range(size))[::-1]:
        return "axis_reversed", f"has {name} in reverse order"
    if len(places) < size and places == list(range(places[0], places[0] + len(places))):
        text = f"holds only {len(places)} of the {size} entries of {name}, from place {places[0]} on"
        return "axis_cut", text + (FIRST_ROUND if not places[0] and size % len(places) == 0 else "")
    if len(places) == size and len({(place - i) % size for i, place in enumerate(places)}) == 1:
        return "axis_shifted", f"has {name} shifted by {-places[0] % size}"
    for n in range(2, size):
        if size % n == 0 and places == [i % n * (size // n) + i // n for i in range(size)]:
            text = f"has {name} interleaved: are `//` and `%` (or two axes of a reshape) swapped?"
            return "quotient_for_remainder", text
    wrong = [(i, place) for i, place in enumerate(places) if i != place][:3]
    text = ", ".join(f"{i} holds what belongs to {place}" for i, place in wrong)
    return "entries_elsewhere", f"has the right entries of {name} in other places: place {text}"
