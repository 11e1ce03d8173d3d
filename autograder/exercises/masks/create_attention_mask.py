"""create_attention_mask: causal OR padding, in the shape that scores need."""

import torch

from autograder.authoring.exercise import Exercise, call, drawn_lengths

ex = Exercise(
    "create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None)",
    {"mask": "B 1 T_q T_k"},
    gradients=False,
    uses=["create_causal_mask", "create_padding_mask"],
    hints=[
        "A position is masked when it lies in the future *or* is padding. What is the mask when neither is asked for?",
        "Padding is about keys, so its (B, T_k) becomes (B, 1, 1, T_k): the same for every head and every query. The causal (T_q, T_k) broadcasts against that.",
        "Start from torch.zeros(T_q, T_k, dtype=torch.bool, device=device); combine with `|`; padding[:, None, None, :] adds the axes.",
    ],
)


@ex.reference
def create_attention_mask(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    T_q, T_k = seq_len_q, seq_len_q if seq_len_k is None else seq_len_k
    causal = [[is_causal and j > i for j in range(T_k)] for i in range(T_q)]
    if key_padding_lengths is None:
        return torch.tensor(causal, dtype=torch.bool, device=device)
    device = key_padding_lengths.device if device is None else device
    examples = [
        [[[causal[i][j] or j >= n for j in range(T_k)] for i in range(T_q)]]
        for n in key_padding_lengths.tolist()
    ]
    return torch.tensor(examples, dtype=torch.bool, device=device)


@ex.case
def causal(g):
    return call(seq_len_q=5).but(rank=2)


@ex.case
def causal_and_padded(g):
    return call(seq_len_q=4, key_padding_lengths=torch.tensor([4, 2, 3]))


@ex.case
def padded_only(g):
    T_k = int(g.integers(6, 16))
    lengths = drawn_lengths(g, 2, T_k - 1)
    return call(seq_len_q=3, seq_len_k=T_k, is_causal=False, key_padding_lengths=lengths)


@ex.case
def other_lengths(g):
    T_q = int(g.integers(3, 12))
    return call(seq_len_q=T_q, seq_len_k=T_q + int(g.integers(2, 12))).but(rank=2)


@ex.edge
def nothing_to_hide(g):
    T_k = int(g.integers(3, 9))
    return call(seq_len_q=T_k + int(g.integers(1, 6)), seq_len_k=T_k, is_causal=False).but(rank=2)


@ex.edge
def one_example(g):
    T_k = int(g.integers(4, 12))
    return call(
        seq_len_q=T_k - 1, seq_len_k=T_k, key_padding_lengths=torch.from_numpy(g.integers(2, T_k - 1, 1))
    )


@ex.edge
def empty_and_full(g):
    T_k = int(g.integers(5, 12))
    return call(
        seq_len_q=2, seq_len_k=T_k, key_padding_lengths=torch.tensor([0, T_k, int(g.integers(2, T_k - 1))])
    )


@ex.edge
def as_many_examples_as_tokens(g):
    return call(seq_len_q=5, key_padding_lengths=drawn_lengths(g, 5, 5))


@ex.edge
def one_token(g):
    return call(seq_len_q=1).but(rank=2)


@ex.edge
def other_device(g):
    return (
        call(seq_len_q=4, seq_len_k=3, device="meta")
        .call(seq_len_q=2, is_causal=False, device="meta")
        .but(rank=2)
    )


def built(
    future=lambda i, j: j > i,
    padding=lambda j, n: j >= n,
    join=torch.logical_or,
    place=lambda p: p[:, None, None, :],
    both=None,
    neither=None,
):
    """The mask from its parts: the rule for the future, the rule for padding, how they are joined, where padding goes."""

    def implementation(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
        T_q, T_k = seq_len_q, seq_len_q if seq_len_k is None else seq_len_k
        i, j = torch.arange(T_q, device=device)[:, None], torch.arange(T_k, device=device)[None, :]
        causal = future(i, j) if is_causal else torch.zeros(T_q, T_k, dtype=torch.bool, device=device)
        if key_padding_lengths is None:
            return neither(causal) if neither and not is_causal else causal
        padded = place(padding(j, key_padding_lengths[:, None]))
        return both(causal, padded, is_causal) if both else join(causal, padded)

    return implementation


def query_rows(padded):
    return padded[:, None, :, None]


def padded_queries(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
    causal = built()(seq_len_q, seq_len_k, is_causal, None, device)
    if key_padding_lengths is None:
        return causal
    return causal | query_rows(torch.arange(seq_len_q) >= key_padding_lengths[:, None])


ex.mistake(
    "joined_with_and",
    "causal AND padding: a position must be masked when it is in the future OR padding",
    built(join=torch.logical_and),
)
ex.mistake(
    "joined_with_xor",
    "a position that is both in the future and padding comes out unmasked: join with OR (`|`), not with != or +",
    built(join=torch.logical_xor),
)
ex.mistake(
    "padding_on_queries",
    "padding masks query rows: it must mask keys, the columns, (B, 1, 1, T_k). A fully masked row would become NaN",
    built(place=query_rows),
    padded_queries,
)
ex.mistake(
    "padding_dropped_when_causal",
    "the padding is dropped when the mask is causal: both may be asked for at once",
    built(both=lambda c, p, is_causal: c if is_causal else c | p),
    built(both=lambda c, p, is_causal: (c | p[:1]).expand(len(p), 1, *c.shape) & c if is_causal else c | p),
)
ex.mistake(
    "causal_dropped_when_padded",
    "the future is no longer masked as soon as there is padding: both may be asked for at once",
    built(both=lambda c, p, is_causal: p.expand(-1, -1, c.shape[0], -1)),
    built(both=lambda c, p, is_causal: p),
)
ex.mistake(
    "is_causal_inverted",
    "is_causal is read the wrong way round: the future is masked when it is False, and allowed when it is True",
    lambda seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None: built()(
        seq_len_q, seq_len_k, not is_causal, key_padding_lengths, device
    ),
)
ex.mistake(
    "not_expanded",
    "without the causal part the query axis is missing: the mask is exactly (B, 1, T_q, T_k)",
    built(both=lambda c, p, is_causal: c | p if is_causal else p),
)
ex.mistake(
    "is_causal_ignored",
    "is_causal=False still masks the future",
    lambda seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None: built()(
        seq_len_q, seq_len_k, True, key_padding_lengths, device
    ),
)
ex.mistake(
    "missing_head_axis",
    "the head axis is missing: with lengths the mask is (B, 1, T_q, T_k). (B, T_q, T_k) would line B up with the heads",
    built(place=lambda p: p[:, None, :]),
)
ex.mistake(
    "missing_query_axis",
    "padding has the shape (B, T_k) or (B, 1, T_k) when it meets the causal mask, so examples are lined up with queries: add both axes, (B, 1, 1, T_k)",
    built(place=lambda p: p),
)
ex.mistake(
    "inverted",
    "True and False are swapped: True means masked",
    built(
        future=lambda i, j: j <= i, padding=lambda j, n: j < n, join=torch.logical_and, neither=lambda c: ~c
    ),
)
ex.mistake(
    "causal_inverted",
    "the causal part is the wrong way round: j > i (the future) is masked",
    built(future=lambda i, j: j <= i),
)
ex.mistake(
    "past_masked",
    "the past is masked instead of the future: key j is masked for query i when j > i",
    built(future=lambda i, j: j < i),
)
ex.mistake(
    "diagonal_masked",
    "the diagonal is masked too: a token may always attend to itself, j > i, not j >= i",
    built(future=lambda i, j: j >= i),
)
ex.mistake(
    "padding_inverted",
    "the padding part is the wrong way round: positions from the length on are masked",
    built(padding=lambda j, n: j < n),
)
ex.mistake(
    "padding_off_by_one",
    "the padding starts one too late: position `length` itself is padding already (>=)",
    built(padding=lambda j, n: j > n),
)
ex.mistake(
    "padding_early",
    "the padding starts one too early: the last real key is masked too",
    built(padding=lambda j, n: j >= n - 1),
)
ex.mistake(
    "first_example_for_all",
    "every example gets the first one's padding",
    built(place=lambda p: p[:1].expand_as(p)[:, None, None, :]),
)
ex.mistake(
    "none_when_nothing_masked",
    "it returns None when nothing is masked: it always returns a tensor, here all False",
    built(neither=lambda c: None),
)
ex.mistake(
    "padding_both_sides",
    "padded query rows are masked too: padding masks keys only; a fully masked row would become NaN",
    built(both=lambda c, p, is_causal: c | p | p.transpose(-2, -1) if p.shape[-1] == c.shape[0] else c | p),
)
ex.mistake(
    "one_example_squeezed",
    "the batch axis is lost for a single example: with lengths the mask is (B, 1, T_q, T_k), also for B=1",
    built(both=lambda c, p, is_causal: (c | p).squeeze(0) if len(p) == 1 else c | p),
    built(both=lambda c, p, is_causal: (c | p).squeeze()),
)
ex.mistake(
    "bottom_right",
    "the causal part is aligned to the bottom right corner: here positions of queries and keys both start at 0",
    lambda seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None: built(
        future=lambda i, j: j > i + ((seq_len_k or seq_len_q) - seq_len_q)
    )(seq_len_q, seq_len_k, is_causal, key_padding_lengths, device),
)
