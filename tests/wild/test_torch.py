"""One weight set in torch's own layers, and in the projections that others fuse: the same numbers to 1e-12
in float64."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.bias import causal_lower_right

from .weights import NAMES, D, H, layer_with_biases, randn, rows, wrong_by

TOLERANCE = 1e-12


def test_multihead_attention_keeps_q_k_v_as_rows():
    ours, x = layer_with_biases(), randn(2, 5, D)
    theirs = nn.MultiheadAttention(D, H, batch_first=True, dtype=torch.float64)
    theirs.in_proj_weight.data, theirs.in_proj_bias.data = rows(ours, "weight"), rows(ours, "bias")
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    masked = torch.ones(5, 5).triu(1).bool()  # True = masked, as in this course
    assert wrong_by(theirs(x, x, x, attn_mask=masked)[0], ours(x)[0]) < TOLERANCE
    theirs.in_proj_weight.data = rows(ours, "weight").unflatten(0, (3, D)).flip(0).flatten(0, 1)
    assert wrong_by(theirs(x, x, x, attn_mask=masked)[0], ours(x)[0]) > 0.1


def test_sdpa_takes_true_for_attend():
    Q, K, V = randn(2, H, 4, 4), randn(2, H, 6, 4), randn(2, H, 6, 4)
    masked = torch.ones(4, 6).triu(3).bool()
    scores = (Q @ K.mT / math.sqrt(4)).masked_fill(masked, -math.inf)
    wanted = scores.softmax(-1) @ V
    assert wrong_by(F.scaled_dot_product_attention(Q, K, V, attn_mask=~masked), wanted) < TOLERANCE
    added = torch.zeros(4, 6, dtype=torch.float64).masked_fill(masked, -math.inf)
    assert wrong_by(F.scaled_dot_product_attention(Q, K, V, attn_mask=added), wanted) < TOLERANCE
    lower_right = F.scaled_dot_product_attention(Q, K, V, attn_mask=causal_lower_right(4, 6))
    assert wrong_by(lower_right, wanted) < TOLERANCE
    assert wrong_by(F.scaled_dot_product_attention(Q, K, V, attn_mask=masked), wanted) > 0.1
    assert wrong_by(F.scaled_dot_product_attention(Q, K, V, is_causal=True), wanted) > 0.1


def test_sdpa_shares_neighbouring_heads():
    Q, K, V = randn(2, 6, 5, 4), randn(2, 2, 5, 4), randn(2, 2, 5, 4)
    theirs = F.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
    near, far = (
        F.scaled_dot_product_attention(Q, repeat(K), repeat(V), is_causal=True)
        for repeat in (lambda x: x.repeat_interleave(3, 1), lambda x: x.repeat(1, 3, 1, 1))
    )
    assert wrong_by(theirs, near) < TOLERANCE
    assert wrong_by(theirs, far) > 0.1
    ours, x = layer_with_biases(kv_heads=2), randn(2, 5, D)
    q, k, v = (getattr(ours, name)(x).unflatten(-1, (-1, 2)).transpose(1, 2) for name in NAMES[:3])
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    assert wrong_by(ours.out_proj(heads.transpose(1, 2).flatten(2)), ours(x)[0]) < TOLERANCE


def test_one_fused_layer_split_along_its_outputs():
    ours, x = layer_with_biases(), randn(2, 5, D)
    fused = nn.Linear(D, 3 * D, dtype=torch.float64)  # as nanoGPT's c_attn
    fused.weight.data, fused.bias.data = rows(ours, "weight"), rows(ours, "bias")
    q, k, v = (part.unflatten(-1, (H, -1)).transpose(1, 2) for part in fused(x).split(D, dim=2))
    heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert wrong_by(ours.out_proj(heads.transpose(1, 2).flatten(2)), ours(x)[0]) < TOLERANCE


def test_a_bias_of_the_keys_changes_no_output():
    """It adds the same number to all scores of a query, and softmax does not see that."""
    ours, x = layer_with_biases(), randn(2, 5, D)
    before, saved = ours(x)[0], ours(x)[1]
    ours.k_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) < TOLERANCE
    assert wrong_by(ours(x)[1], saved) > 1
    ours.q_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) > 0.1
