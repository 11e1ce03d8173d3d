"""A decoder of the learner's own blocks: tokens and a cache go in, logits and the extended cache come out."""

import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Size:
    vocab: int
    d_model: int
    num_heads: int
    num_blocks: int
    context: int  # the longest text in tokens: the number of position vectors


class Decoder(nn.Module):
    """Token and position embeddings, blocks, a final norm, and a logit for each token of the vocabulary.

    block:      a class (attention, d_model, d_hidden), the learner's `DecoderBlock`
    attention:  a class (d_model, num_heads), the learner's `MultiHeadAttentionWithCache`
    dropout:    in training, the share of features of the embedded tokens that are set to 0

    One table of token vectors serves both ends, as in GPT-2: a logit is the last vector times a token's.
    """

    def __init__(self, block, attention, size, dropout=0.0):
        super().__init__()
        D = size.d_model
        self.size, self.dropout = size, dropout
        self.tokens = nn.Embedding(size.vocab, D)
        self.positions = nn.Embedding(size.context, D)
        self.blocks = nn.ModuleList(
            block(attention(D, size.num_heads), D, 4 * D) for _ in range(size.num_blocks)
        )
        self.norm = nn.LayerNorm(D)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, tokens, cache=None, positions=None):
        """Read T new tokens.

        tokens:     (B, T)
        cache:      (keys, values) for each block, as the previous call returned it; None before the first
        positions:  (T,) or (B, T); by default, they continue after the cached tokens
        returns     logits (B, T, vocab), cache
        """
        if positions is None:
            cached = cache[0][0].shape[2] if cache else 0
            positions = cached + torch.arange(tokens.shape[1], device=tokens.device)  # (T,)
        if int(positions.max()) >= self.size.context:
            raise ValueError(
                f"position {int(positions.max())}: this model has {self.size.context}, counted from 0"
            )
        x = self.tokens(tokens) + self.positions(positions)  # (B, T, d_model)
        x = F.dropout(x, self.dropout, self.training)
        new_cache = []
        for block, block_cache in zip(self.blocks, cache or [(None, None)] * len(self.blocks), strict=True):
            x, keys, values = block(x, *block_cache)  # (B, T, d_model)
            new_cache.append((keys, values))
        return F.linear(self.norm(x), self.tokens.weight), new_cache  # (B, T, vocab)


@torch.no_grad()
def attention_weights(model, tokens):
    """Return the weights (1, H, T, T) of each block for tokens (1, T), as explore_heads takes them.

    They are computed from what the model used: the output of each q_proj, and the cached keys.
    """
    queries = []
    hooks = [
        block.attention.q_proj.register_forward_hook(lambda layer, x, Q: queries.append(Q))
        for block in model.blocks
    ]
    _, cache = model(tokens)
    for hook in hooks:
        hook.remove()
    return [causal_weights(Q, K) for Q, (K, _) in zip(queries, cache, strict=True)]


def causal_weights(Q, K):
    """Compute causal attention weights (1, H, T, T) from Q (1, T, D) and K (1, H, T, d_head)."""
    Q = Q.reshape(1, K.shape[2], K.shape[1], -1).transpose(1, 2)  # (1, H, T, d_head)
    eye = torch.eye(K.shape[2], dtype=Q.dtype, device=Q.device).expand(1, K.shape[1], -1, -1)
    return F.scaled_dot_product_attention(Q, K, eye, is_causal=True)


def without_head(model, block, head):
    """Return a copy of a Decoder in which one head is off: the columns of out_proj that read it are 0."""
    copied = copy.deepcopy(model)
    weight = copied.blocks[block].attention.out_proj.weight.detach()  # (d_model, d_model)
    weight.unflatten(1, (model.size.num_heads, -1))[:, head] = 0
    return copied
