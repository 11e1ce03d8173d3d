"""StaticKVCache: keys and values written in place into memory that is allocated once."""

import torch

from autograder.authoring.draws import build, normal
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"k_all": "B H T_all d_head", "v_all": "B H T_all d_head"},
    container="tuple",
    points=3,
    narrow=(),
    devices=False,
    views=True,
    hints="""
    How many tokens are in the cache after two updates with 3 and 2 tokens? Where does the next one go?

    Allocate (B, H, max_len, d_head) once for K and once for V, and keep a length. Each update writes into the
    slice from length to length + T, then advances the length.

    self.k[:, :, a:b] = k writes in place, and self.k[:, :, :b] is a view of everything so far. Check that b
    <= max_len *before* you write.

        self.k[:, :, self.length : self.length + k.shape[2]] = k
    """,
)


@ex.reference
class StaticKVCache:
    """Joins old and new rows and writes all of them from the start, so that no position can be wrong."""

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.memory = torch.zeros(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.seen = self.memory[..., :0, :]

    @torch.no_grad()
    def update(self, k, v):
        joined = torch.cat([self.seen, torch.stack([k, v]).to(self.memory.dtype)], 3)
        if joined.shape[3] > self.memory.shape[3]:
            raise ValueError("the cache is full")
        self.seen = self.memory[..., : joined.shape[3], :].copy_(joined)
        return tuple(self.seen)


def cache(B, H, max_len, d_head, **settings):
    return build(batch_size=B, num_heads=H, max_len=max_len, d_head=d_head, **settings).but(narrow=False)


def update(case, g, T, raises=None):
    B, H, _, d_head = list(case.build.values())[:4]
    return case.call("update", None, raises, k=normal(g, B, H, T, d_head), v=normal(g, B, H, T, d_head))


def one_token_each(case, g, updates):
    for _ in range(updates):
        case = update(case, g, 1)
    return case


def in_any_order(case, g, *sizes):
    for T in g.permutation(sizes).tolist():
        case = update(case, g, T)
    return case


ex.case(
    three_updates=lambda g: in_any_order(cache(2, 3, 13, 4, dtype="float64"), g, 5, 1, 6),
    one_update=lambda g: update(cache(1, 3, 11, 4, dtype="float64"), g, int(g.integers(5, 11))),
    filled_to_the_end=lambda g: in_any_order(cache(3, 2, 9, 1, dtype="float64"), g, 5, 4),
)
ex.edge(
    float32_unless_told=lambda g: update(update(cache(2, 1, 4, 3), g, 1), g, 2).but(dtype="float32"),
    one_by_one=lambda g: one_token_each(cache(1, 1, 3, 2, dtype="float64"), g, 3),
)


def updates(case, g, max_len, sizes):
    """Return the case with updates of these sizes, and whether each fits; one that does not must raise a
    ValueError."""
    length, fits = 0, []
    for T in sizes:
        fits.append(length + T <= max_len)
        case = update(case, g, T, None if fits[-1] else "ValueError")
        length += T if fits[-1] else 0
    return case, fits


@ex.edge
def overflow_loses_nothing(g):
    """Updates drawn until one is refused and the last one fits, so that neither their order nor their sizes
    tell which is refused."""
    while True:
        case, fits = updates(cache(2, 2, 6, 3, dtype="float64"), g, 6, g.integers(1, 5, 5).tolist())
        if fits[-1] and not all(fits):
            return case


@ex.edge
def too_much_at_once(g):
    """Updates drawn until the first refused one is larger than the whole cache and others are accepted."""
    while True:
        max_len = int(g.integers(4, 14))
        sizes = g.integers(1, max_len + 4, 6).tolist()
        case, fits = updates(cache(1, 3, max_len, 2, dtype="float64"), g, max_len, sizes)
        if any(fits) and not all(fits) and sizes[fits.index(False)] > max_len:
            return case


@ex.edge
def other_device(g):
    return update(update(cache(2, 1, 4, 3, device="meta"), g, 1), g, 2).but(dtype="float32")


class Static:
    """A cache of fixed size whose steps can be replaced.

    begin(length): the position where an update is written. step(T): the growth of the length for T
    tokens. most(max_len): the maximum number of tokens. returned(k, v, length): the result of an update.
    """

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        shape = (batch_size, num_heads, max_len, d_head)
        self.k, self.v = (torch.zeros(shape, dtype=dtype, device=device) for _ in "kv")
        self.length, self.max_len = 0, max_len

    @torch.no_grad()
    def update(self, k, v):
        T = k.shape[2]
        self.refuse(T)
        at, self.length = self.begin(self.length), self.length + self.step(T)
        self.k[:, :, at : at + T], self.v[:, :, at : at + T] = k, v
        return self.returned(self.k, self.v, self.length)

    def refuse(self, T):
        if self.length + T > self.most(self.max_len):
            raise ValueError("full")

    begin = staticmethod(lambda length: length)
    step = staticmethod(lambda T: T)
    most = staticmethod(lambda max_len: max_len)
    returned = staticmethod(lambda k, v, length: (k[:, :, :length], v[:, :, :length]))


def static(**steps):
    """A cache of fixed size with these steps; see Static."""
    return type("Variant", (Static,), {name: staticmethod(step) for name, step in steps.items()})


class Growing:
    """Concatenates instead of writing into allocated memory; the values are right."""

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = self.v = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.max_len = max_len

    @torch.no_grad()
    def update(self, k, v):
        if self.k.shape[2] + k.shape[2] > self.max_len:
            raise ValueError("the cache is full")
        self.k, self.v = (
            torch.cat([self.k, k.to(self.k.dtype)], 2),
            torch.cat([self.v, v.to(self.v.dtype)], 2),
        )
        return self.changed(k.shape[2])

    def changed(self, T):
        return self.k, self.v


class NewBeforeOld(Growing):
    def changed(self, T):
        self.k, self.v = self.k.roll(T, 2), self.v.roll(T, 2)
        return self.k, self.v


class OnlyNewReturned(Growing):
    def changed(self, T):
        return self.k[:, :, -T:], self.v[:, :, -T:]


class RefusedUpdateMoves(Static):
    def refuse(self, T):
        if self.length + T > self.max_len:
            self.length += T
            raise ValueError("full")


class LengthMovesByHeads(Static):
    @torch.no_grad()
    def update(self, k, v):
        self.step = lambda T: k.shape[1]
        return super().update(k, v)


class Ring(Static):
    """Wraps around to the start when it is full, instead of raising an error."""

    @torch.no_grad()
    def update(self, k, v):
        for new_k, new_v in zip(k.unbind(2), v.unbind(2), strict=True):
            at, self.length = self.length % self.max_len, self.length + 1
            self.k[:, :, at], self.v[:, :, at] = new_k, new_v
        return self.returned(self.k, self.v, self.length)


ex.wrong(
    "whole_buffer_returned: the whole buffer is returned, empty slots included: return only the tokens so far, [:, :, :length]",
    static(returned=lambda k, v, length: (k, v)),
    "written_at_the_start: every update writes at position 0 and overwrites the earlier tokens: start writing at the current length",
    static(begin=lambda length: 0),
    "length_not_moved: the length is not advanced, so the next update overwrites this one",
    static(step=lambda T: 0),
    "length_moves_by_one: the length advances by 1 at every update: advance it by the number of new tokens, k.shape[2]",
    static(step=lambda T: 1),
    "length_moves_by_heads: the length advances by the number of heads, k.shape[1]: the tokens are on axis 2, k.shape[2]",
    LengthMovesByHeads,
    "same_memory: both results hold the values, as when keys and values share one buffer: allocate two",
    static(returned=lambda k, v, length: (v[:, :, :length], v[:, :, :length])),
    "swapped: keys and values are returned in the wrong order: (k_all, v_all)",
    static(returned=lambda k, v, length: (v[:, :, :length], k[:, :, :length])),
    "new_before_old: the new tokens are put before the old ones: old tokens come first",
    NewBeforeOld,
    "only_new_returned: only the new tokens are returned: return everything so far",
    OnlyNewReturned,
    "full_too_early: an update that fills the cache exactly to max_len is refused: refuse only what goes beyond max_len",
    static(most=lambda max_len: max_len - 1),
    "overflow_moves_length: a refused update still advances the length, so a later one that would fit is refused too: check before you change anything",
    RefusedUpdateMoves,
    "overflow_not_refused: an update with too many tokens must raise a ValueError and write nothing",
    static(most=lambda max_len: float("inf")),
    Ring,
)
