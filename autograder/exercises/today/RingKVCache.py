"""RingKVCache: the first tokens and the last ones, in memory that is allocated once."""

import torch

from autograder.authoring.draws import build, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"k_all": "B H T_all d_head", "v_all": "B H T_all d_head", "positions": "T_all"},
    container="tuple",
    points=4,
    narrow=(),
    gradients=False,
    devices=False,
    hints=[
        "With 1 sink and a window of 3 there are four places. Tokens 0, 1, 2, 3 fill them. Which place does "
        "token 4 take, and which token is gone then? And token 7?",
        "Token n has place n for ever if n < sinks. All others share the `window` places behind the sinks: "
        "token n lies at sinks + (n - sinks) % window. So the number of tokens seen tells where all "
        "of them lie.",
        "First list the positions that are kept: the sinks as far as they have come, then the last `window` "
        "tokens, none of them twice. Write those of them that are new, and read all of them: "
        "self.k[:, :, places] takes a list of places for both.",
        "kept = [*range(first), *range(max(first, self.seen - self.window), self.seen)]  # T_all positions, "
        "where first = min(self.sinks, self.seen)",
    ],
)


@ex.reference
class RingKVCache:
    """Keeps all tokens, and picks those that are wanted."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.all = torch.zeros(2, batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.window, self.sinks = window, sinks

    @torch.no_grad()
    def update(self, k, v):
        self.all = torch.cat([self.all, torch.stack([k, v]).to(self.all.dtype)], 3)
        seen = self.all.shape[3]
        kept = [n for n in range(seen) if n < self.sinks or n >= seen - self.window]
        return *self.all[..., kept, :], torch.tensor(kept, device=self.all.device)


def cache(B, H, window, d_head, sinks=0, **settings):
    sizes = {"batch_size": B, "num_heads": H, "window": window, "d_head": d_head}
    with_sinks = {"sinks": sinks} if sinks else {}
    return build(**sizes, **with_sinks, **{"dtype": "float64", **settings}).but(narrow=False)


def updates(case, g, *sizes):
    """The case with an update of each of these numbers of tokens."""
    B, H, _, d_head = list(case.build.values())[:4]
    for T in map(int, sizes):
        case = case.call("update", None, None, k=normal(g, B, H, T, d_head), v=normal(g, B, H, T, d_head))
    return case


@ex.case
def wraps_around(g):
    """The second update starts before the end of the memory and goes on at its beginning."""
    first = g.integers(2, 5)
    return updates(cache(2, 1, 5, 3), g, first, 6 - first + g.integers(0, 2), 2)


@ex.case
def token_by_token(g):
    """After the first update one token at a time: the ring fills up, and goes round once and more."""
    first = int(g.integers(2, 4))
    return updates(cache(1, 3, 2, 1, sinks=1), g, first, *[1] * (6 - first))


@ex.case
def sinks_and_chunks(g):
    """No update is longer than the window, and all of them together are more than twice the window."""
    return updates(cache(2, 1, 4, 1, sinks=1), g, *g.permutation([2, 3, 4]))


@ex.edge
def not_full_yet(g):
    return updates(cache(2, 3, 6, 1, sinks=int(g.integers(1, 4))), g, *g.permutation([1, 4]))


@ex.edge
def longer_than_the_window(g):
    """The first update is longer than all the memory."""
    return updates(cache(1, 2, 3, 2, sinks=2), g, g.integers(7, 10), 2)


@ex.edge
def long_update_later(g):
    """The sinks were there before, and an update longer than the window comes then."""
    return updates(cache(2, 1, 3, 2, sinks=2), g, g.integers(2, 5), g.integers(5, 9), 1)


@ex.edge
def sinks_in_two_updates(g):
    """The first update has not tokens enough for all sinks."""
    return updates(cache(1, 1, 2, 2, sinks=4), g, g.integers(1, 4), g.integers(4, 7))


@ex.edge
def window_of_one(g):
    return updates(cache(2, 1, 1, 3), g, g.integers(1, 4), 1)


@ex.edge
def float32_unless_told(g):
    case = cache(1, 2, 3, 1, sinks=1)
    case.build.pop("dtype")
    return updates(case, g, 2).but(dtype="float32")


@ex.edge
def other_device(g):
    case = cache(2, 1, 3, 4, sinks=1, device="meta")
    case.build.pop("dtype")
    return updates(case, g, 2, 3).but(dtype="float32")


# ---- a ring: token n lies in place `place(n)`, and what is returned is chosen by `order`


class Ring:
    """Right, token by token; subclasses do one thing otherwise."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.window, self.sinks, self.seen = window, sinks, 0
        shape = (batch_size, num_heads, self.room(), d_head)
        self.k, self.v = (torch.zeros(shape, dtype=dtype, device=device) for _ in "kv")
        self.at = [-1] * self.room()  # the position of the token in each place
        self.device = device

    @torch.no_grad()
    def update(self, k, v):
        self.write(k, v)
        return self.returned(self.order())

    def write(self, k, v):
        for t in range(k.shape[2]):
            self.put(self.place(self.seen), self.seen, k[:, :, t], v[:, :, t])
            self.seen += 1

    def put(self, place, position, k, v):
        self.k[:, :, place], self.v[:, :, place], self.at[place] = k, v, position

    def returned(self, places):
        return self.k[:, :, places], self.v[:, :, places], self.numbers([self.at[p] for p in places])

    def numbers(self, positions):
        return torch.tensor(positions, dtype=torch.long, device=self.device)

    def room(self):
        return self.sinks + self.window

    def place(self, n):
        return n if n < self.sinks else self.sinks + (n - self.sinks) % self.window

    def order(self):
        return sorted(self.filled(), key=self.at.__getitem__)

    def filled(self):
        return [place for place, n in enumerate(self.at) if n >= 0]


class Chosen:
    """Keeps all tokens; `kept()` names those that are returned, `named(kept)` their positions."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (
            torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device) for _ in "kv"
        )
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        self.k, self.v = torch.cat([self.k, k.to(self.k)], 2), torch.cat([self.v, v.to(self.v)], 2)
        self.new, self.seen = k.shape[2], self.seen + k.shape[2]
        kept = self.kept()
        return *self.pair(kept), torch.tensor(self.named(kept), dtype=torch.long, device=self.k.device)

    def pair(self, kept):
        return self.k[:, :, kept], self.v[:, :, kept]

    def kept(self):
        first = min(self.sinks, self.seen)
        return [*range(first), *range(max(first, self.seen - self.window), self.seen)]

    def named(self, kept):
        return kept


# ---- the order


@ex.mistake
class OrderOfMemory(Ring):
    """tokens and positions come in the order of the memory: after the ring has begun anew, the newest lie
    before older ones. Return them in the order of their positions"""

    def order(self):
        return self.filled()


@ex.mistake
class PositionsInOrderTokensNot(Ring):
    """the positions are in order, and keys and values come as they lie in memory: both need the same order"""

    def returned(self, places):
        k, v, positions = super().returned(self.filled())
        return k, v, positions.sort().values if positions.device.type != "meta" else positions


@ex.mistake
class TokensInOrderPositionsNot(Ring):
    """keys and values are in order, and the positions come as they lie in memory: both need the same order"""

    def returned(self, places):
        return *super().returned(places)[:2], super().returned(self.filled())[2]


@ex.mistake
class NewestFirst(Chosen):
    """the newest token comes first: the order is that of the positions, the oldest first"""

    def kept(self):
        return super().kept()[::-1]


@ex.mistake
class SinksLast(Chosen):
    """the sinks come after the window: they are the oldest, and come first"""

    def kept(self):
        kept, first = super().kept(), min(self.sinks, self.seen)
        return kept[first:] + kept[:first]


@ex.mistake
class RolledTheWrongWay(Ring):
    """the ring is turned the wrong way: the oldest token of the window lies where the next one will be
    written"""

    def order(self):
        first = min(self.sinks, self.seen)
        ring, start = self.filled()[first:], (self.seen - first) % self.window
        return [*range(first), *ring[-start:], *ring[:-start]] if start else [*range(first), *ring]


# ---- which tokens


@ex.mistake
class SinksOverwritten(Ring):
    """the sinks are overwritten when the ring begins anew: it goes round over the `window` places behind the
    sinks, sinks + (n - sinks) % window"""

    def place(self, n):
        return n % self.room()


@ex.mistake
class SinksIgnored(Chosen):
    """`sinks` is ignored: the first `sinks` tokens ever seen are kept, however many come after them"""

    def kept(self):
        return [*range(max(0, self.seen - self.window), self.seen)]


@ex.mistake
class SinksTakenFromTheWindow(Chosen):
    """the sinks are taken from the window, which is shorter by as many: the last `window` tokens are kept and
    the sinks besides"""

    def kept(self):
        first, window = min(self.sinks, self.seen), max(self.window - self.sinks, 0)
        return [*range(first), *range(max(first, self.seen - window), self.seen)]


@ex.mistake
class SinksOfTheUpdate(Chosen):
    """the first tokens of the newest update are taken for the sinks: they are the first tokens ever seen"""

    def kept(self):
        start = self.seen - self.new
        first = [n for n in range(start, start + self.sinks) if n < self.seen]
        return sorted({*first, *range(max(0, self.seen - self.window), self.seen)})


@ex.mistake
class FirstSinksTwice(Chosen):
    """while the ring is not full, tokens come twice, as a sink and in the window: each token comes once"""

    def kept(self):
        return [*range(min(self.sinks, self.seen)), *range(max(0, self.seen - self.window), self.seen)]


@ex.mistake
class OneSinkTooFew(Chosen):
    """one sink is missing: the first `sinks` tokens are kept"""

    def kept(self):
        first = max(min(self.sinks, self.seen) - 1, 0)
        return [*range(first), *range(max(first, self.seen - self.window), self.seen)]


@ex.mistake
class WindowTooLong(Chosen):
    """one token too many is kept: the last `window` ones, the new ones included"""

    def kept(self):
        first = min(self.sinks, self.seen)
        return [*range(first), *range(max(first, self.seen - self.window - 1), self.seen)]


@ex.mistake
class WindowTooShort(Chosen):
    """one token too few is kept: the last `window` ones, the new ones included"""

    def kept(self):
        first = min(self.sinks, self.seen)
        return [*range(first), *range(max(first, self.seen - self.window + 1), self.seen)]


@ex.mistake
class NothingDropped(Chosen):
    """nothing is ever dropped: at most sinks + window tokens are kept"""

    def kept(self):
        return [*range(self.seen)]


@ex.mistake
class OldWindowReturnedToo(Chosen):
    """the window before the update is returned with all the new tokens: drop what is too old first, at most
    sinks + window tokens come back"""

    def kept(self):
        first, before = min(self.sinks, self.seen), self.seen - self.new
        return [*range(first), *range(max(first, before - self.window), self.seen)]


@ex.mistake
class OldWindowReturned(Chosen):
    """the tokens before the update are returned: the new ones belong to it"""

    def kept(self):
        now, self.seen = self.seen, self.seen - self.new
        kept, self.seen = super().kept(), now
        return kept


@ex.mistake
class OnlyNewReturned(Chosen):
    """only the new tokens are returned: all that are kept are wanted"""

    def kept(self):
        return [*range(max(0, self.seen - self.new), self.seen)]


@ex.mistake
class WholeBufferReturned(Ring):
    """the whole memory is returned, with its empty places: only the tokens that have come"""

    def order(self):
        return sorted(range(self.room()), key=lambda place: (self.at[place] < 0, self.at[place]))


@ex.another("whole_buffer_returned")
class EmptyPlacesFirst(Ring):
    """The empty places are marked with -1, and so come first."""

    def order(self):
        return sorted(range(self.room()), key=self.at.__getitem__)


# ---- writing


@ex.mistake
class RestIsLost(Ring):
    """what does not fit before the end of the ring is lost: it goes on at the ring's beginning, behind the
    sinks"""

    def write(self, k, v):
        place, wanted = self.place(self.seen), self.seen + k.shape[2]
        fits = self.room() - place
        super().write(k[:, :, :fits], v[:, :, :fits])
        self.seen = wanted


@ex.another("rest_is_lost")
class RestNotCounted(Ring):
    def write(self, k, v):
        fits = self.room() - self.place(self.seen)
        super().write(k[:, :, :fits], v[:, :, :fits])


@ex.mistake
class BeginsAnewTooEarly(Ring):
    """an update that does not fit before the end of the ring starts at its beginning, and the places before
    the end keep older tokens: fill the ring to its end first"""

    def write(self, k, v):
        place, T = self.place(self.seen), k.shape[2]
        start = self.sinks if place + T > self.room() and self.seen else place
        for t in range(T):
            place = (
                start + t if start + t < self.room() else self.sinks + (start + t - self.sinks) % self.window
            )
            self.put(place, self.seen, k[:, :, t], v[:, :, t])
            self.seen += 1


@ex.mistake
class LongUpdateCutBehind(Ring):
    """of an update longer than the window, the first tokens are kept: keep its last ones (and its first ones
    where they are sinks)"""

    def write(self, k, v):
        room, seen = max(self.room() - self.seen, self.window), self.seen + k.shape[2]
        super().write(k[:, :, :room], v[:, :, :room])
        self.seen = seen


@ex.another("long_update_cut_behind")
class OnlyItsFirstCounted(Ring):
    """The tokens that are left out are not counted either."""

    def write(self, k, v):
        room = max(self.room() - self.seen, self.window)
        super().write(k[:, :, :room], v[:, :, :room])


@ex.mistake
class LongUpdateWithoutSinks(Ring):
    """of a first update longer than the memory, only the end is kept: its first tokens are the sinks"""

    def write(self, k, v):
        left_out = max(k.shape[2] - self.room(), 0) if not self.seen else 0
        first = self.seen + left_out
        for t in range(k.shape[2] - left_out):
            self.put(self.place(self.seen), first + t, k[:, :, left_out + t], v[:, :, left_out + t])
            self.seen += 1
        self.seen += left_out


@ex.another("long_update_without_sinks")
class LongUpdateWithoutSinksOrWindow(Ring):
    """Only the last `window` tokens of any long update, counted as if the others had not come."""

    def write(self, k, v):
        super().write(k[:, :, -self.window :], v[:, :, -self.window :])


@ex.mistake
class LongUpdateOverwritesSinks(Ring):
    """an update longer than the window overwrites the sinks: they stay, and the last `window` tokens take the
    places behind them"""

    def write(self, k, v):
        if k.shape[2] <= self.window:
            return super().write(k, v)
        self.seen += k.shape[2]
        places = min(self.room(), k.shape[2])
        for t in range(places):
            self.put(t, self.seen - places + t, k[:, :, t - places], v[:, :, t - places])


@ex.mistake
class LongUpdateRefused(Ring):
    """an update longer than the window is refused: of its tokens, the last `window` are kept"""

    def write(self, k, v):
        if k.shape[2] > self.window:
            raise ValueError(f"{k.shape[2]} tokens do not fit")
        super().write(k, v)


@ex.mistake
class FullIsFull(Ring):
    """a full cache refuses new tokens: in a ring, each takes the place of the oldest one behind the sinks"""

    def write(self, k, v):
        if self.seen + k.shape[2] > self.room():
            raise ValueError("the cache is full")
        super().write(k, v)


@ex.mistake
class StopsWhenFull(Ring):
    """a full cache takes no more tokens: in a ring, each takes the place of the oldest one behind the
    sinks"""

    def write(self, k, v):
        room = self.room() - self.seen
        super().write(k[:, :, :room], v[:, :, :room])


@ex.mistake
class LastPlaceOverwritten(Ring):
    """when the ring is full, every new token takes the last place: the places are taken in turn"""

    def place(self, n):
        return min(n, self.room() - 1)


@ex.mistake
class CountMovesByOne(Ring):
    """the number of tokens seen moves on by 1 at every update: move it on by the number of new tokens,
    k.shape[2]"""

    def write(self, k, v):
        before = self.seen
        super().write(k, v)
        self.seen = before + 1


@ex.mistake
class CountNotMoved(Ring):
    """the number of tokens seen is not moved on: the next update overwrites this one"""

    def write(self, k, v):
        super().write(k, v)
        self.seen = 0


@ex.mistake
class KStoredAsV(Ring):
    """the keys are stored in the place of the values"""

    def write(self, k, v):
        super().write(k, k)


@ex.mistake
class SameMemory(Ring):
    """keys and values share one piece of memory, so the values overwrite the keys: allocate two"""

    def write(self, k, v):
        super().write(v, v)


@ex.mistake
class Swapped(Ring):
    """keys and values are returned in the wrong order: (k_all, v_all, positions)"""

    def returned(self, places):
        k, v, positions = super().returned(places)
        return v, k, positions


# ---- the positions


@ex.mistake
class PositionsCountedAnew(Chosen):
    """the positions are 0, 1, 2, ... of what is returned: a token keeps the position that it has in the whole
    text"""

    def named(self, kept):
        return [*range(len(kept))]


@ex.mistake
class PositionsWithoutSinks(Chosen):
    """the positions are the last ones for all: the sinks' positions are 0 to sinks - 1"""

    def named(self, kept):
        return [*range(self.seen - len(kept), self.seen)]


@ex.mistake
class PositionsFromOne(Chosen):
    """the positions are counted from 1: the first token ever seen has position 0"""

    def named(self, kept):
        return [n + 1 for n in kept]


@ex.mistake
class PlacesForPositions(Ring):
    """the places in memory are returned for positions: a token keeps the position that it has in the whole
    text"""

    def returned(self, places):
        return *super().returned(places)[:2], self.numbers(places)


@ex.mistake
class PositionsOfTheNew(Chosen):
    """only the new tokens' positions are returned: one for each token that is returned, (T_all,)"""

    def named(self, kept):
        return [*range(self.seen - self.new, self.seen)]


@ex.mistake
class PositionsInTheUpdate(Chosen):
    """the positions begin anew with each update: they count all tokens that have come"""

    def kept(self):
        self.own = [*getattr(self, "own", []), *range(self.new)]
        return super().kept()

    def named(self, kept):
        return [self.own[n] for n in kept]


@ex.mistake
class PositionsBeforeTheUpdate(Chosen):
    """the positions are those before the update, too small by the number of new tokens: count these first"""

    def named(self, kept):
        return [n if n < self.sinks else n - self.new for n in kept]


@ex.mistake
class PositionsForEachExample(Chosen):
    """the positions have an axis for the batch: one row for all, (T_all,)"""

    def update(self, k, v):
        k_all, v_all, positions = super().update(k, v)
        return k_all, v_all, positions.expand(k.shape[0], -1)
