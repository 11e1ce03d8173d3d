"""RingKVCache: a cache of the first and the last tokens, in memory that is allocated once."""

import torch

from autograder.authoring.draws import build, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"k_all": "B H T_all d_head", "v_all": "B H T_all d_head", "positions": "T_all"},
    container="tuple",
    points=4,
    narrow=(),
    devices=False,
    hints="""
    With 1 sink and a window of 3 there are four places. Tokens 0, 1, 2, 3 fill them. Which place does token 4 take,
    and which token is lost? And token 7?

    Token n keeps place n for ever if n < sinks. All others share the `window` places after the sinks: token n
    lies at sinks + (n - sinks) % window. So the number of tokens seen tells you where they all are.

    First list the positions to keep: the sinks that have come so far, then the last `window` tokens, none of
    them twice. Write the new ones among them, and read all of them: self.k[:, :, places] takes a list of
    places for both.

    positions = [*range(first), *range(max(first, self.seen - self.window), self.seen)]  # T_all positions, where first =
    min(self.sinks, self.seen)
    """,
)


@ex.reference
class RingKVCache:
    """Joins the tokens that it holds with the new ones, and keeps those that a ring would hold."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.tokens = torch.zeros(2, batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.positions, self.seen, self.window, self.sinks = [], 0, window, sinks

    @torch.no_grad()
    def update(self, k, v):
        joined = torch.cat([self.tokens, torch.stack([k, v]).to(self.tokens.dtype)], 3)
        positions = [*self.positions, *range(self.seen, self.seen + k.shape[2])]
        self.seen += k.shape[2]
        places = [i for i, n in enumerate(positions) if n < self.sinks or n >= self.seen - self.window]
        self.tokens, self.positions = joined[..., places, :], [positions[i] for i in places]
        return *self.tokens.clone(), torch.tensor(self.positions, device=joined.device)


def cache(B, H, window, d_head, sinks=0, dtype: str | None = "float64", **settings):
    sizes = {"batch_size": B, "num_heads": H, "window": window, "d_head": d_head}
    settings = {"sinks": sinks, "dtype": dtype, **settings}
    return build(**sizes, **{name: value for name, value in settings.items() if value}).but(narrow=False)


def updates(case, g, *sizes):
    """The case with one update for each of these numbers of tokens."""
    B, H, _, d_head = list(case.build.values())[:4]
    for T in map(int, sizes):
        case = case.call("update", None, None, k=normal(g, B, H, T, d_head), v=normal(g, B, H, T, d_head))
    return case


@ex.case
def wraps_around(g):
    """The second update starts before the end of the memory and continues at its beginning."""
    first = g.integers(2, 5)
    return updates(cache(2, 1, 5, 3), g, first, 6 - first + g.integers(0, 2), 2)


@ex.case
def token_by_token(g):
    """After the first update, one token at a time: the ring fills up and wraps around more than once."""
    first = int(g.integers(2, 4))
    return updates(cache(1, 4, 3, 2, sinks=1), g, first, *[1] * (8 - first))


@ex.case
def sinks_and_chunks(g):
    """Each update fits into the window, and together they are more than twice as long."""
    return updates(cache(3, 1, 4, 5, sinks=2), g, *g.permutation([2, 3, 4]), 2)


@ex.case
def a_long_text(g):
    """26 tokens of 2 numbers, in memory for 4: a tensor of 40 numbers, or an object that holds as many, has
    kept too many. A right answer joins at most the keys and values of 4 + 3 tokens."""
    first = int(g.integers(1, 4))
    case = updates(cache(1, 1, 3, 2, sinks=1), g, first, *[3] * 7, 5 - first)
    return case.but(too_large=40, gradients=False, only=["positions"])


@ex.edge
def not_full_yet(g):
    return updates(cache(2, 3, 6, 1, sinks=int(g.integers(1, 4))), g, *g.permutation([1, 4]))


@ex.edge
def longer_than_the_window(g):
    """The first update is longer than the whole memory."""
    return updates(cache(1, 2, 3, 2, sinks=2), g, g.integers(7, 10), 2)


@ex.edge
def long_update_later(g):
    """An update longer than the window comes when the sinks are already filled."""
    return updates(cache(2, 1, 3, 2, sinks=2), g, g.integers(2, 5), g.integers(5, 9), 1)


@ex.edge
def sinks_in_two_updates(g):
    """The first update has fewer tokens than there are sinks."""
    return updates(cache(1, 1, 2, 2, sinks=4), g, g.integers(1, 4), g.integers(4, 7))


@ex.edge
def window_of_one(g):
    return updates(cache(2, 1, 1, 3), g, g.integers(1, 4), 1)


@ex.edge
def float32_unless_told(g):
    return updates(cache(1, 2, 3, 1, sinks=1, dtype=None), g, 2).but(dtype="float32")


@ex.edge
def other_device(g):
    return updates(cache(2, 1, 3, 4, sinks=1, dtype=None, device="meta"), g, 2, 3).but(dtype="float32")


# ---- mistakes


def right_place(n, sinks, window):
    return n if n < sinks else sinks + (n - sinks) % window


def right_positions(seen, new, sinks, window):
    first = min(sinks, seen)
    return [*range(first), *range(max(first, seen - window), seen)]


def in_order(at, sinks):
    return sorted(at, key=at.get)


def rolled(at, sinks):
    """The ring rolled by the right number of places, but in the wrong direction."""
    first = min(sinks, len(at))
    behind = sorted(at)[first:]
    start = (max(at.values()) + 1 - first) % max(len(behind), 1)
    return [*range(first), *behind[len(behind) - start :], *behind[: len(behind) - start]]


def ring(place=right_place, order=in_order, stored=lambda k, v: (k, v), formula=False, anew=False):
    """A class that writes token by token. place(n, sinks, window): the place of token n. order({place:
    position}, sinks): the places in the order in which they are returned. formula: True if the returned
    positions are calculated, whatever their places hold. anew: True if every update writes the sinks
    again."""

    class Variant:
        def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
            shape = (batch_size, num_heads, sinks + window, d_head)
            self.k, self.v = (torch.zeros(shape, dtype=dtype, device=device) for _ in "kv")
            self.sizes, self.seen, self.at = (sinks, window), 0, {}

        @torch.no_grad()
        def update(self, k, v):
            for t in range(k.shape[2]):
                at = t if anew and t < self.sizes[0] else place(self.seen + t, *self.sizes)
                self.k[:, :, at], self.v[:, :, at] = stored(k[:, :, t], v[:, :, t])
                self.at[at] = self.seen + t
            self.seen += k.shape[2]
            places = order(self.at, self.sizes[0])
            positions = [self.at[at] for at in places]
            if formula:
                positions = right_positions(self.seen, None, *self.sizes)
                places = [place(n, *self.sizes) for n in positions]
            return self.k[:, :, places], self.v[:, :, places], torch.tensor(positions, device=self.k.device)

    return Variant


def keep_all(
    keep=right_positions,
    number=lambda positions, *_: positions,
    give=lambda k, v, positions: (k, v, positions),
):
    """A class that keeps all tokens. keep(seen, new, sinks, window): the positions of the tokens to return.
    number(positions, seen, new): the positions to report. give: the result."""

    class Variant:
        def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
            shape = (batch_size, num_heads, 0, d_head)
            self.k, self.v = (torch.zeros(shape, dtype=dtype, device=device) for _ in "kv")
            self.sizes = sinks, window

        @torch.no_grad()
        def update(self, k, v):
            self.k, self.v = torch.cat([self.k, k.to(self.k)], 2), torch.cat([self.v, v.to(self.v)], 2)
            seen, new = self.k.shape[2], k.shape[2]
            positions = list(keep(seen, new, *self.sizes))
            names = torch.tensor(list(number(positions, seen, new)), device=self.k.device)
            return give(self.k[:, :, positions], self.v[:, :, positions], names)

    return Variant


ex.wrong(
    "order_of_memory: tokens and positions are returned in memory order: once the ring has wrapped around, the newest tokens lie before older ones. Return them in order of position",
    ring(order=lambda at, sinks: sorted(at)),
    "rolled_the_wrong_way: the ring is rolled the wrong way: the oldest token of the window lies where the next one will be written",
    ring(order=rolled),
    "sinks_overwritten: the sinks are overwritten when the ring wraps around: it must cycle through only the `window` places after the sinks, sinks + (n - sinks) % window",
    ring(lambda n, sinks, window: n % (sinks + window)),
    ring(lambda n, sinks, window: n % (sinks + window), formula=True),
    "sinks_of_each_update: the first tokens of every update are written into the places of the sinks: these belong to the first `sinks` tokens of the whole text",
    ring(formula=True, anew=True),
    "window_too_long: one token too many is kept: keep the last `window` tokens, counting the new ones",
    keep_all(lambda seen, new, sinks, window: right_positions(seen, new, sinks, window + 1)),
    "only_new_returned: only the new tokens are returned: return every token that is kept",
    keep_all(lambda seen, new, sinks, window: range(seen - new, seen)),
    "same_memory: both results hold the values, as when keys and values share one buffer: allocate two",
    ring(stored=lambda k, v: (v, v)),
    "swapped: keys and values are returned in the wrong order: (k_all, v_all, positions)",
    keep_all(give=lambda k, v, positions: (v, k, positions)),
    "positions_counted_anew: the positions are just 0, 1, 2, ... over the returned tokens: a token keeps its position in the whole text",
    keep_all(number=lambda positions, seen, new: range(len(positions))),
)
