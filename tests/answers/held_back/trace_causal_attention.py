"""Wrong answers for trace_causal_attention, one mistake a cell."""

# %% scores_overwritten_by_mask: masks with masked_fill_, so the stored scores before the mask are masked too
import math
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q = (X @ W_Q).view(B, T, num_heads, d).transpose(1, 2)
    K = (X @ W_K).view(B, T, num_heads, d).transpose(1, 2)
    V = (X @ W_V).view(B, T, num_heads, d).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)
    mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=X.device), diagonal=1)
    masked_scores = scores.masked_fill_(mask, float("-inf"))
    weights = torch.softmax(masked_scores, dim=-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked_scores, "weights": weights,
            "heads": heads, "merged": merged, "output": merged @ W_O}

# %% raw_scores_recorded: records the product before it is scaled and scales only on the way to the mask
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d_head = D // num_heads
    trace = {}
    for name, W in (("Q", W_Q), ("K", W_K), ("V", W_V)):
        trace[name] = (X @ W).reshape(B, T, num_heads, d_head).transpose(1, 2)
    trace["scores"] = torch.einsum("bhqd,bhkd->bhqk", trace["Q"], trace["K"])
    future = torch.ones(T, T, device=X.device).triu(1).bool()
    trace["masked_scores"] = (trace["scores"] / d_head ** 0.5).masked_fill(future, -1e9)
    trace["weights"] = trace["masked_scores"].softmax(-1)
    trace["heads"] = trace["weights"] @ trace["V"]
    trace["merged"] = trace["heads"].transpose(1, 2).flatten(2)
    trace["output"] = trace["merged"] @ W_O
    return trace

# %% scaled_queries_recorded: divides Q by sqrt(d_head) before storing it, so the recorded Q is not the projection
import math
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    hd = D // num_heads
    to_heads = lambda t: t.unflatten(-1, (num_heads, hd)).transpose(1, 2)
    Q = to_heads(X @ W_Q) / math.sqrt(hd)
    K = to_heads(X @ W_K)
    V = to_heads(X @ W_V)
    scores = Q @ K.mT
    idx = torch.arange(T, device=X.device)
    masked_scores = scores.masked_fill(idx[None, :] > idx[:, None], -torch.inf)
    weights = masked_scores.softmax(dim=-1)
    heads = weights @ V
    merged = torch.cat(heads.unbind(1), dim=-1)
    output = merged @ W_O
    return dict(Q=Q, K=K, V=V, scores=scores, masked_scores=masked_scores, weights=weights, heads=heads,
                merged=merged, output=output)

# %% masked_scores_for_show: stores masked scores that are 0 in the future although the weights used -inf
import math
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).reshape(B, T, num_heads, d).permute(0, 2, 1, 3) for W in (W_Q, W_K, W_V))
    scores = Q @ K.permute(0, 1, 3, 2) / math.sqrt(d)
    allowed = torch.tril(torch.ones(T, T, dtype=torch.bool, device=X.device))
    weights = torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1)
    heads = weights @ V
    merged = heads.permute(0, 2, 1, 3).reshape(B, T, D)
    return {
        "Q": Q, "K": K, "V": V,
        "scores": scores,
        "masked_scores": torch.where(allowed, scores, torch.zeros_like(scores)),
        "weights": weights,
        "heads": heads,
        "merged": merged,
        "output": merged @ W_O,
    }

# %% heads_moved_back_too_early: records the heads as (B, T, H, d_head), after they were moved back
import math
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    q = (X @ W_Q).reshape(B, T, num_heads, d).transpose(1, 2)
    k = (X @ W_K).reshape(B, T, num_heads, d).transpose(1, 2)
    v = (X @ W_V).reshape(B, T, num_heads, d).transpose(1, 2)
    s = q @ k.transpose(-1, -2) / math.sqrt(d)
    m = s.masked_fill(torch.triu(torch.ones(T, T, device=X.device), 1) == 1, float("-inf"))
    w = torch.softmax(m, -1)
    h = (w @ v).transpose(1, 2).contiguous()
    merged = h.view(B, T, D)
    return {"Q": q, "K": k, "V": v, "scores": s, "masked_scores": m, "weights": w, "heads": h,
            "merged": merged, "output": merged @ W_O}

# %% merged_is_the_output: stores the projected output under merged as well
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    story = {}
    story["Q"], story["K"], story["V"] = [
        torch.stack((X @ W).chunk(num_heads, dim=-1), dim=1) for W in (W_Q, W_K, W_V)]
    story["scores"] = story["Q"] @ story["K"].transpose(-2, -1) * d ** -0.5
    mask = torch.ones(T, T, device=X.device).triu(1).bool()
    story["masked_scores"] = story["scores"].masked_fill(mask, float("-inf"))
    story["weights"] = story["masked_scores"].softmax(-1)
    story["heads"] = story["weights"] @ story["V"]
    x = story["heads"].transpose(1, 2).reshape(B, T, D)
    x = x @ W_O
    story["merged"] = x
    story["output"] = x
    return story

# %% everything_detached: detaches each stage for printing and goes on with the detached tensors
import math
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    steps = {}
    def note(name, value):
        steps[name] = value.detach()
        return steps[name]
    Q = note("Q", (X @ W_Q).view(B, T, num_heads, d).transpose(1, 2))
    K = note("K", (X @ W_K).view(B, T, num_heads, d).transpose(1, 2))
    V = note("V", (X @ W_V).view(B, T, num_heads, d).transpose(1, 2))
    scores = note("scores", Q @ K.transpose(-2, -1) / math.sqrt(d))
    mask = torch.triu(torch.ones(T, T, device=X.device), diagonal=1).bool()
    masked = note("masked_scores", scores.masked_fill(mask, float("-inf")))
    weights = note("weights", torch.softmax(masked, dim=-1))
    heads = note("heads", weights @ V)
    merged = note("merged", heads.transpose(1, 2).reshape(B, T, D))
    steps["output"] = merged @ W_O
    return steps

# %% zero_masked: masked_scores filled with 0
import torch
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape; d = D // num_heads
    Q, K, V = ((X @ W).reshape(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.mT / d ** 0.5
    masked = scores.tril()
    weights = masked.softmax(-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    return dict(Q=Q, K=K, V=V, scores=scores, masked_scores=masked, weights=weights, heads=heads, merged=merged, output=merged @ W_O)

# %% heads_transposed: heads already (B, T, H, d)
import torch
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape; d = D // num_heads
    Q, K, V = ((X @ W).reshape(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.mT / d ** 0.5
    masked = scores.masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), float('-inf'))
    weights = masked.softmax(-1)
    heads = (weights @ V).transpose(1, 2)
    merged = heads.reshape(B, T, D)
    return dict(Q=Q, K=K, V=V, scores=scores, masked_scores=masked, weights=weights, heads=heads, merged=merged, output=merged @ W_O)

# %% tril_then_zeros_masked: cuts the scores with tril and then masks every 0, allowed scores of 0 included
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.tril()
    masked = masked.masked_fill(masked == 0, float("-inf"))
    weights = masked.softmax(-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked, "weights": weights, "heads": heads, "merged": merged, "output": output}

# %% global_maximum: a softmax by hand that subtracts one maximum for all rows
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
    e = (masked - masked.max()).exp()
    weights = e / e.sum(-1, keepdim=True)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked, "weights": weights, "heads": heads, "merged": merged, "output": output}

# %% tiny_number_in_the_sum: masks after exp, and adds 1e-9 to a sum that may be smaller
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d = D // num_heads
    Q, K, V = ((X @ W).view(B, T, num_heads, d).transpose(1, 2) for W in (W_Q, W_K, W_V))
    scores = Q @ K.transpose(-2, -1) / d ** 0.5
    masked = scores.masked_fill(torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1), float("-inf"))
    e = (scores - scores.amax(-1, keepdim=True)).exp().tril()
    weights = e / (e.sum(-1, keepdim=True) + 1e-9)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    output = merged @ W_O
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked, "weights": weights, "heads": heads, "merged": merged, "output": output}
