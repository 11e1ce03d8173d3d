"""Right answers with one thing left."""

import torch

from .told import by_hand


def changes_input(x, dim=-1):
    x -= x.amax(dim, keepdim=True)
    return by_hand(x, dim)


def in_float32(x, dim=-1):
    return by_hand(x, dim).float()


def without_graph(x, dim=-1):
    return by_hand(x, dim).detach()


def on_one_device(x, dim=-1):
    return by_hand(x, dim) * torch.ones(x.shape, dtype=x.dtype)


def random_when_asked_again(x, dim=-1, calls=[]):  # noqa: B006
    calls.append(1)
    return by_hand(x, dim) + len(calls) % 2 * 1e-5


def mask_on_cpu(seq_len_q, seq_len_k=None, device=None):
    i = torch.arange(seq_len_q)[:, None]
    return torch.arange(seq_len_k or seq_len_q) > i


def two_left(x, dim=-1):
    return in_float32(x, dim).detach()


def doubled(x, dim=-1):
    return in_float32(2 * x, dim)


def positions_in(dtype):
    def left_padded_positions(lengths, max_len):
        place = torch.arange(max_len, device=lengths.device) - (max_len - lengths)[:, None]
        return place.clamp(min=0).to(dtype)

    return left_padded_positions


def plus_zeros(follow):
    """A softmax with zeros that `follow` brings to the device of x."""
    return lambda x, dim=-1: by_hand(x + follow(torch.zeros(x.shape[-1], dtype=x.dtype), x), dim)


def all_scores(Q, K, V, block_size):
    return torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, -1) @ V
