"""StaticKVCache: keys and values written in place into memory that was allocated once."""

import torch

from autograder.authoring.exercise import Exercise, build, normal

ex = Exercise(
    "StaticKVCache(batch_size, num_heads, max_len, d_head, dtype=torch.float32, device='cpu')",
    {"k_all": "B H T_all d_head", "v_all": "B H T_all d_head"},
    kind="object",
    methods=["update(k, v)"],
    container="tuple",
    points=3,
    narrow=(),
    devices=False,
    views=True,
    hints=[
        "How many tokens are in the cache after two updates with 3 and 2 tokens? Where does the next one go?",
        "Allocate (B, H, max_len, d_head) once for K and once for V, and keep a length. Each update writes into the slice from length to length + T, then moves the length on.",
        "self.k[:, :, a:b] = k writes in place, and self.k[:, :, :b] is a view of everything so far. Check that b <= max_len *before* you write.",
    ],
)


@ex.reference
class Rewritten:
    """Joins what was seen with what is new, and writes the whole anew: no place to get wrong."""

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


class Growing:
    """No reserved memory at all, only concatenation: the values are right."""

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
        return self.k, self.v


def cache(B, H, max_len, d_head, **settings):
    return build(batch_size=B, num_heads=H, max_len=max_len, d_head=d_head, **settings).but(narrow=False)


def update(case, g, T, raises=None):
    B, H, _, d_head = list(case.build.values())[:4]
    return case.call("update", None, raises, k=normal(g, B, H, T, d_head), v=normal(g, B, H, T, d_head))


def in_any_order(case, g, *sizes):
    for T in g.permutation(sizes).tolist():
        case = update(case, g, T)
    return case


@ex.case
def three_updates(g):
    return in_any_order(cache(2, 3, 9, 4, dtype="float64"), g, 4, 1, 2)


@ex.case
def one_update(g):
    return update(cache(1, 2, 8, 3, dtype="float64"), g, int(g.integers(3, 8)))


@ex.case
def filled_to_the_end(g):
    return in_any_order(cache(3, 2, 5, 1, dtype="float64"), g, 3, 2)


@ex.edge
def float32_unless_told(g):
    return update(update(cache(2, 1, 4, 3), g, 1), g, 2).but(dtype="float32")


@ex.edge
def one_by_one(g):
    case = cache(1, 1, 3, 2, dtype="float64")
    return update(update(update(case, g, 1), g, 1), g, 1)


def updates(case, g, max_len, sizes):
    """The case with updates of these sizes, and whether each fits; one that does not must raise an error."""
    length, fits = 0, []
    for T in sizes:
        fits.append(length + T <= max_len)
        case = update(case, g, T, None if fits[-1] else "ValueError")
        length += T if fits[-1] else 0
    return case, fits


@ex.edge
def overflow_loses_nothing(g):
    """Drawn until one update is too much and a later one is not: neither the place nor the size tells which."""
    while True:
        case, fits = updates(cache(2, 2, 6, 3, dtype="float64"), g, 6, g.integers(1, 5, 5).tolist())
        if fits[-1] and not all(fits):
            return case


@ex.edge
def too_much_at_once(g):
    """Drawn until the first update that is refused is more than an empty cache holds, and some are not refused."""
    while True:
        max_len = int(g.integers(4, 14))
        sizes = g.integers(1, max_len + 4, 6).tolist()
        case, fits = updates(cache(1, 3, max_len, 2, dtype="float64"), g, max_len, sizes)
        if any(fits) and not all(fits) and sizes[fits.index(False)] > max_len:
            return case


@ex.edge
def other_device(g):
    return update(update(cache(2, 1, 4, 3, device="meta"), g, 1), g, 2).but(dtype="float32")


def static(
    start=lambda length, T: length,
    shown=lambda buffer, length: buffer[:, :, :length],
    check="before",
    v_from="v",
    moves=True,
    step=lambda T: T,
    returned=lambda k, v: (k, v),
):
    """A cache from its parts: where it writes, what it returns, when it looks for overflow."""

    class Variant:
        def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
            shape = (batch_size, num_heads, max_len, d_head)
            self.k, self.v = (
                torch.zeros(shape, dtype=dtype, device=device),
                torch.zeros(shape, dtype=dtype, device=device),
            )
            self.length, self.max_len = 0, max_len

        @torch.no_grad()
        def update(self, k, v):
            T = k.shape[2]
            if (
                check == "before"
                and self.length + T > self.max_len
                or check == "strict"
                and self.length + T >= self.max_len
            ):
                raise ValueError("full")
            at = start(self.length, T)
            self.length += step(T)
            if check == "after_length" and self.length > self.max_len:
                raise ValueError("full")
            self.k[:, :, at : at + T], self.v[:, :, at : at + T] = k, v if v_from == "v" else k
            out = returned(shown(self.k, self.length), shown(self.v, self.length))
            self.length = self.length if moves else 0
            return out

    return Variant


class Unchecked(static()):
    """Lets torch complain about a slice that is too short: a RuntimeError."""

    @torch.no_grad()
    def update(self, k, v):
        end = self.length + k.shape[2]
        self.k[:, :, self.length : end], self.v[:, :, self.length : end] = k, v
        self.length = end
        return self.k[:, :, :end], self.v[:, :, :end]


class WritesWhatFits(static()):
    """Fills the cache up, and complains then."""

    @torch.no_grad()
    def update(self, k, v):
        room = self.max_len - self.length
        out = super().update(k[:, :, :room], v[:, :, :room])
        if k.shape[2] > room:
            raise ValueError("full")
        return out


class Rolling(Growing):
    """Drops the oldest tokens."""

    @torch.no_grad()
    def update(self, k, v):
        self.k, self.v = (
            torch.cat([old, new.to(old.dtype)], 2)[:, :, -self.max_len :]
            for old, new in ((self.k, k), (self.v, v))
        )
        return self.k, self.v


class Ring(Growing):
    """Starts at the front again when it is full."""

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        super().__init__(batch_size, num_heads, max_len, d_head, dtype, device)
        self.memory, self.length = (
            torch.zeros(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device),
            0,
        )

    @torch.no_grad()
    def update(self, k, v):
        for new in torch.stack([k, v]).unbind(3):
            self.memory[:, :, :, self.length % self.max_len] = new
            self.length += 1
        return tuple(self.memory[:, :, :, : min(self.length, self.max_len)])


class NewFirst(Growing):
    @torch.no_grad()
    def update(self, k, v):
        Growing.update(self, k, v)
        T = k.shape[2]
        self.k, self.v = (torch.cat([t[:, :, -T:], t[:, :, :-T]], 2) for t in (self.k, self.v))
        return self.k, self.v


ex.mistake(
    "whole_buffer_returned",
    "the whole buffer is returned, with its empty places: only the tokens so far, [:, :, :length]",
    static(shown=lambda buffer, length: buffer),
)
ex.mistake(
    "written_at_the_start",
    "every update writes at position 0 and overwrites the earlier tokens: write from the current length on",
    static(start=lambda length, T: 0),
)
ex.mistake(
    "length_not_moved",
    "the length is not moved on: the next update overwrites this one",
    static(moves=False),
    static(step=lambda T: 0),
)
ex.mistake("k_stored_as_v", "the keys are stored in the place of the values", static(v_from="k"))
ex.mistake(
    "same_memory",
    "keys and values share one piece of memory, so the values overwrite the keys: allocate two",
    static(returned=lambda k, v: (v, v)),
)
ex.mistake(
    "swapped",
    "keys and values are returned in the wrong order: (k_all, v_all)",
    static(returned=lambda k, v: (v, k)),
)
ex.mistake(
    "full_too_early",
    "a cache that is filled exactly to max_len is refused: only more than max_len tokens are too many",
    static(check="strict"),
)
ex.mistake(
    "overflow_moves_length",
    "a refused update has moved the length already, so the tokens after it are lost: check before you change anything",
    static(check="after_length"),
    WritesWhatFits,
)
ex.mistake(
    "overflow_not_refused",
    "too many tokens must raise a ValueError, with nothing written",
    static(check="never"),
    Unchecked,
    Rolling,
    Ring,
)
ex.mistake(
    "length_moves_by_one",
    "the length moves on by 1 at every update: move it on by the number of new tokens, k.shape[2]",
    static(step=lambda T: 1),
)
ex.mistake("new_before_old", "the new tokens are put before the old ones", NewFirst)
ex.mistake(
    "only_new_returned",
    "only the new tokens are returned: everything so far is wanted",
    type(
        "OnlyNew",
        (Growing,),
        {
            "update": lambda self, k, v: (
                Growing.update(self, k, v),
                (self.k[:, :, -k.shape[2] :], self.v[:, :, -k.shape[2] :]),
            )[1]
        },
    ),
)
