"""Right answers to `scaled_dot_product_attention`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% line_by_line: scores, mask, softmax, product
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_head = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% einsum: einsum with an ellipsis, Q scaled first
def scaled_dot_product_attention(Q, K, V, mask=None):
    sim = torch.einsum("...id,...jd->...ij", Q * Q.shape[-1] ** -0.5, K)
    if mask is not None:
        sim = torch.where(mask, -torch.inf, sim)
    attn = sim.softmax(-1)
    out = torch.einsum("...ij,...jd->...id", attn, V)
    return out, attn
# %% additive: minus infinity added
def scaled_dot_product_attention(query, key, value, mask=None):
    logits = torch.matmul(query, key.mT) * (1.0 / query.size(-1) ** 0.5)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype, device=logits.device)
        bias.masked_fill_(mask, float("-inf"))
        logits = logits + bias
    probs = F.softmax(logits, dim=-1)
    return torch.matmul(probs, value), probs
# %% minus_1e9: the paper's big negative number, shapes asserted
from typing import Optional, Tuple
import math
import torch
import torch.nn.functional as F

def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, mask: Optional[torch.Tensor] = None
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert Q.shape[-1] == K.shape[-1] and K.shape[-2] == V.shape[-2]
    scores = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    p_attn = F.softmax(scores, dim=-1)
    return torch.matmul(p_attn, V), p_attn
# %% by_hand: exp, mask by multiplication, divide by the sum (renormalised)
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    scores = scores / torch.sqrt(torch.tensor(Q.shape[-1], dtype=scores.dtype, device=scores.device))
    if mask is not None:
        top = scores.masked_fill(mask, torch.finfo(scores.dtype).min).max(dim=-1, keepdim=True).values
    else:
        top = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(torch.minimum(scores - top, torch.zeros_like(scores)))
    if mask is not None:
        e = e * (mask == 0)
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
# %% library_and_weights: the output from the library, the weights beside it
def scaled_dot_product_attention(Q, K, V, mask=None):
    allowed = None if mask is None else ~mask
    out = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
    s = (Q / math.sqrt(Q.size(-1))).matmul(K.transpose(-2, -1))
    if mask is not None:
        s = s.masked_fill(mask, torch.finfo(s.dtype).min)
    return out, torch.softmax(s, dim=-1)
# %% bmm_flat: leading axes folded into one, bmm
def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    Tq, Tk, d = Q.shape[-2], K.shape[-2], Q.shape[-1]
    q, k, v = Q.reshape(-1, Tq, d), K.reshape(-1, Tk, d), V.reshape(-1, Tk, V.shape[-1])
    s = torch.bmm(q, k.transpose(1, 2)).mul(d ** -0.5)
    if mask is not None:
        m = mask.expand(*lead, Tq, Tk).reshape(-1, Tq, Tk)
        s = s.masked_fill(m, float("-inf"))
    w = torch.softmax(s, 2)
    o = torch.bmm(w, v)
    return o.reshape(*lead, Tq, V.shape[-1]), w.reshape(*lead, Tq, Tk)
# %% query_loop: a loop over queries; a print left in
def scaled_dot_product_attention(Q, K, V, mask=None):
    rows_out, rows_w = [], []
    full_mask = None if mask is None else mask.expand(*Q.shape[:-1], K.shape[-2])
    print("queries:", Q.shape[-2], "keys:", K.shape[-2])
    for i in range(Q.shape[-2]):
        s = (K * Q[..., i:i + 1, :]).sum(dim=-1) / math.sqrt(Q.shape[-1])
        if full_mask is not None:
            s = s.masked_fill(full_mask[..., i, :], -math.inf)
        w = torch.softmax(s, dim=-1)
        rows_w.append(w)
        rows_out.append((w.unsqueeze(-1) * V).sum(dim=-2))
    return torch.stack(rows_out, dim=-2), torch.stack(rows_w, dim=-2)
# %% float32_softmax: softmax in at least float32, cast back, keyword dictionary for the scale
def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1.0 / float(np.sqrt(Q.shape[-1]))
    att = (Q @ K.transpose(-2, -1)) * scale
    if mask is not None:
        att = att.masked_fill(mask == 1, float("-inf"))
    up = torch.promote_types(att.dtype, torch.float32)
    att = F.softmax(att, dim=-1, dtype=up).to(Q.dtype)
    return att @ V, att
# %% logsumexp_weights: log weights by logsumexp
def scaled_dot_product_attention(Q, K, V, mask=None):
    wide = torch.promote_types(Q.dtype, torch.float32)
    s = torch.matmul(Q, K.transpose(-2, -1)).to(wide) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    w = (s - s.logsumexp(dim=-1, keepdim=True)).exp().type_as(Q)
    return torch.matmul(w, V), w
# %% namedtuple_cdist_free: scores from squared distances, the result a named tuple
from collections import namedtuple
import torch

Attended = namedtuple("Attended", "output weights")

def scaled_dot_product_attention(Q, K, V, mask=None):
    q2 = Q.square().sum(-1, keepdim=True)
    k2 = K.square().sum(-1, keepdim=True).transpose(-2, -1)
    d2 = (Q.unsqueeze(-2) - K.unsqueeze(-3)).square().sum(-1)
    scores = (q2 + k2 - d2) / 2 / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return Attended(weights @ V, weights)
# %% d2l_module: an instance of an nn.Module that is called like a function
class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, mask=None):
        scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e6)
        self.attention_weights = nn.functional.softmax(scores, dim=-1)
        return torch.matmul(self.dropout(self.attention_weights), values), self.attention_weights

scaled_dot_product_attention = DotProductAttention()
# %% torch_s_own_twice: F.sdpa, weights read out with V = identity
def scaled_dot_product_attention(Q, K, V, mask=None):
    keep = None if mask is None else ~mask
    out = F.scaled_dot_product_attention(Q, K, V, attn_mask=keep)
    T_k = K.shape[-2]
    eye = torch.eye(T_k, dtype=V.dtype, device=V.device).expand(*V.shape[:-2], T_k, T_k)
    return out, F.scaled_dot_product_attention(Q, K, eye, attn_mask=keep)
# %% einsum_with_additive: additive mask, einsum with ellipsis
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        scores = scores + torch.zeros_like(mask, dtype=scores.dtype).masked_fill(mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return torch.einsum("...qk,...kd->...qd", weights, V), weights
# %% after_softmax_with_renormalising: exact
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = torch.matmul(Q, K.mT) / torch.tensor(Q.shape[-1], dtype=Q.dtype, device=Q.device).sqrt()
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=Q.device)
    s = s - s.masked_fill(mask, -torch.inf).amax(-1, keepdim=True)
    e = torch.where(mask, torch.zeros_like(s), s.masked_fill(mask, 0).exp())
    w = e / e.sum(-1, keepdim=True)
    return w @ V, w
