# %% softmax_module_with_dim_0: nn.Softmax over the examples
# refused: softmax_over_first_axis
# says: The softmax runs over the first axis, the examples of a batch
import torch
from torch import nn

def scaled_dot_product_attention(Q, K, V, mask=None):
    normalise = nn.Softmax(dim=0)
    scores = Q @ K.mT * Q.size(-1) ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    shares = normalise(scores)
    return shares @ V, shares
# %% softmax_without_axis: the axis is left out
# refused: softmax_over_heads
# says: without `dim`, F.softmax guesses an axis
import torch
import torch.nn.functional as F

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    shares = F.softmax(scores)
    return shares @ V, shares
# %% two_letters_for_the_keys: weights and values are summed apart
# refused: summed_apart
# says: The weights and the values are summed over the keys each by itself
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    shares = torch.softmax(scores, -1)
    return torch.einsum("...ij,...kd->...id", shares, V), shares
# %% mask_plus_scores: a boolean mask is added
# refused: mask_added_as_number
# says: The boolean mask is added to the scores
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    shares = (scores if mask is None else mask + scores).softmax(-1)
    return shares @ V, shares
# %% tiny_fill: 1e-9 where -1e9 was meant
# refused: mask_fills_zero
# says: Masked scores are filled with 0
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.masked_fill(scores, mask, 1e-9)
    shares = scores.softmax(-1)
    return shares @ V, shares
# %% masked_by_index: a mask that must broadcast is used as an index
# refused: boolean_index
# says: A boolean index needs the tensor's own shape
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores[mask] = float("-inf")
    shares = scores.softmax(-1)
    return shares @ V, shares
# %% results_in_the_other_order: (weights, output)
# refused: results_exchanged
# says: The results are right, but in the order (weights, output)
import torch

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    shares = scores.softmax(-1)
    return shares, shares @ V
