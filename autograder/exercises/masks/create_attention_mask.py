"""create_attention_mask: causal and padding masks combined with OR, broadcastable to the scores."""

import torch

from autograder.authoring.draws import call, draw_lengths, each_changed
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"mask": "B 1 T_q T_k"},
    gradients=False,
    uses=["create_causal_mask", "create_padding_mask"],
    hints="""
    A position is masked when it lies in the future *or* is padding. What is the mask when neither is asked
    for?

    Padding is about keys, so its (B, T_k) becomes (B, 1, 1, T_k): the same for every head and every query.
    The causal (T_q, T_k) broadcasts against that.

    Start from torch.zeros(T_q, T_k, dtype=torch.bool, device=device); combine with `|`; padding[:, None,
    None, :] adds the axes.

        mask = causal | padding[:, None, None, :]  # (B, 1, T_q, T_k)
    """,
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
    lengths = draw_lengths(g, 2, T_k - 1)
    case = call(seq_len_q=3, seq_len_k=T_k, is_causal=False, key_padding_lengths=lengths)
    return each_changed(case, key_padding_lengths=lengths.flip(0))


@ex.case
def other_lengths(g):
    T_q = int(g.integers(3, 12))
    T_k = T_q + int(g.integers(2, 12))
    case = each_changed(call(seq_len_q=T_q, seq_len_k=T_k), seq_len_k=T_k + 1, seq_len_q=T_q + 1)
    return case.call(seq_len_q=T_q, seq_len_k=T_k, is_causal=False).but(rank=2)


@ex.edge
def nothing_to_hide(g):
    T_k = int(g.integers(3, 9))
    return call(seq_len_q=T_k + int(g.integers(1, 6)), seq_len_k=T_k, is_causal=False).but(rank=2)


@ex.edge
def one_example(g):
    T_k = int(g.integers(4, 12))
    lengths = torch.from_numpy(g.integers(2, T_k - 1, 1))
    return call(seq_len_q=T_k - 1, seq_len_k=T_k, key_padding_lengths=lengths)


@ex.edge
def empty_and_full(g):
    T_k = int(g.integers(5, 12))
    lengths = torch.tensor([0, T_k, int(g.integers(2, T_k - 1))])
    return call(seq_len_q=2, seq_len_k=T_k, key_padding_lengths=lengths)


@ex.edge
def as_many_examples_as_tokens(g):
    return call(seq_len_q=5, key_padding_lengths=draw_lengths(g, 5, 5))


@ex.edge
def one_token(g):
    return call(seq_len_q=1).but(rank=2)


@ex.edge
def other_device(g):
    case = call(seq_len_q=4, seq_len_k=3, device="meta").call(seq_len_q=2, is_causal=False, device="meta")
    return case.but(rank=2)


def on_keys(padded):
    return padded[:, None, None, :]


def on_queries(padded):
    return padded[:, None, :, None]


def variant(
    future=lambda i, j, more: j > i,
    padding=lambda j, n: j >= n,
    place=on_keys,
    join=lambda causal, padded, is_causal: causal | padded,
    unpadded=lambda causal, is_causal: causal,
    asked=lambda is_causal: is_causal,
):
    """An implementation with these steps: the rules for the future and for padding, the axes of the padding
    mask, how the two masks are joined, the result without padding, and how is_causal is read. more: the
    number of keys minus the number of queries."""

    def implementation(seq_len_q, seq_len_k=None, is_causal=True, key_padding_lengths=None, device=None):
        is_causal, T_k = asked(is_causal), seq_len_q if seq_len_k is None else seq_len_k
        i, j = torch.arange(seq_len_q, device=device)[:, None], torch.arange(T_k, device=device)[None, :]
        causal = future(i, j, T_k - seq_len_q) if is_causal else torch.zeros_like(i > j)  # (T_q, T_k)
        if key_padding_lengths is None:
            return unpadded(causal, is_causal)
        return join(causal, place(padding(j, key_padding_lengths[:, None])), is_causal)

    return implementation


def squared(causal, padded, is_causal):
    """Mask the padded queries too, if there are as many queries as keys."""
    square = padded.shape[-1] == len(causal)
    return causal | padded | padded.transpose(-2, -1) if square else causal | padded


def queries_after_the_end(causal, padded):
    """True for the queries at or after the length of their example: (B, 1, T_q, 1)."""
    return torch.arange(len(causal))[:, None] >= (~padded).sum(-1, keepdim=True)


inverted = variant(
    future=lambda i, j, more: j <= i,
    padding=lambda j, n: j < n,
    join=lambda causal, padded, is_causal: causal & padded,
    unpadded=lambda causal, is_causal: causal if is_causal else ~causal,
)
ex.wrong(
    "joined_with_and: the masks are combined with AND: a position must be masked when it is in the future OR padding",
    variant(join=lambda causal, padded, is_causal: causal & padded),
    variant(join=lambda causal, padded, is_causal: (causal | (not is_causal)) & padded),
    "joined_with_xor: a position that is both in the future and padding comes out unmasked: combine with OR (`|`), not with XOR (`^`, or !=)",
    variant(join=lambda causal, padded, is_causal: causal ^ padded),
    "padding_on_queries: the padding masks query rows: it must mask keys, the columns, (B, 1, 1, T_k). A fully masked row would become NaN",
    variant(place=on_queries),
    variant(join=lambda causal, padded, is_causal: causal | queries_after_the_end(causal, padded)),
    variant(place=lambda padded: on_keys(padded) | on_queries(padded)),
    "padding_dropped_when_causal: the padding is dropped when the mask is causal: both can apply at once",
    variant(join=lambda causal, padded, is_causal: causal if is_causal else causal | padded),
    variant(join=lambda causal, padded, is_causal: causal | padded & (not is_causal)),
    "causal_dropped_when_padded: the future is no longer masked as soon as there is padding: both can apply at once",
    variant(join=lambda causal, padded, is_causal: padded.expand(-1, -1, len(causal), -1)),
    "is_causal_inverted: is_causal is read the wrong way round: the future is masked when it is False, and allowed when it is True",
    variant(asked=lambda is_causal: not is_causal),
    "not_expanded: without the causal part the query axis has size 1: the mask must be exactly (B, 1, T_q, T_k)",
    variant(join=lambda causal, padded, is_causal: causal | padded if is_causal else padded),
    "missing_head_axis: the head axis is missing: with lengths the mask is (B, 1, T_q, T_k). In (B, T_q, T_k), B would line up with the heads",
    variant(place=lambda padded: padded[:, None, :]),
    "inverted: True and False are swapped: True means masked",
    inverted,
    "past_masked: the past is masked instead of the future: key j is masked for query i when j > i",
    variant(future=lambda i, j, more: j < i),
    "diagonal_masked: the diagonal is masked too: a token may always attend to itself, so use j > i, not j >= i",
    variant(future=lambda i, j, more: j >= i),
    "padding_off_by_one: the padding starts one position too late: position `length` is already padding (>=)",
    variant(padding=lambda j, n: j > n),
    "padding_early: the padding starts one position too early: the last real key is masked too",
    variant(padding=lambda j, n: j >= n - 1),
    "none_when_nothing_masked: it returns None when nothing is masked: always return a tensor, here all False",
    variant(unpadded=lambda causal, is_causal: causal if is_causal else None),
    "padding_both_sides: padded query rows are masked too: padding masks only keys, and a fully masked row would become NaN",
    variant(join=squared),
    variant(join=lambda causal, padded, is_causal: causal | padded | queries_after_the_end(causal, padded)),
    "one_example_squeezed: the batch axis is lost for a single example: with lengths the mask is (B, 1, T_q, T_k), even for B=1",
    variant(join=lambda causal, padded, is_causal: (causal | padded)[0 if len(padded) == 1 else slice(None)]),
    "all_ones_squeezed: every axis of size 1 is lost, the head axis and a single example's batch axis (as with `squeeze()`): with lengths the mask is (B, 1, T_q, T_k)",
    variant(join=lambda causal, padded, is_causal: (causal | padded).squeeze()),
    "bottom_right: the causal part is aligned to the bottom right corner: here query and key positions both start at 0",
    variant(future=lambda i, j, more: j > i + more),
)
