"""Right answers to `trace_causal_attention`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% line_by_line: a dict at the end
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
    masked_scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(masked_scores, dim=-1)
    heads = weights @ V
    merged = heads.transpose(1, 2).contiguous().view(B, T, D)
    output = merged @ W_O
    return {"Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked_scores,
            "weights": weights, "heads": heads, "merged": merged, "output": output}

# %% dict_filled_on_the_way: story["..."] = ... with printed shapes, -1e9 fill
import torch
import torch.nn.functional as F

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    story = {}
    T = X.shape[1]
    for name, W in (("Q", W_Q), ("K", W_K), ("V", W_V)):
        story[name] = torch.matmul(X, W).unflatten(-1, (num_heads, -1)).movedim(2, 1)
    story["scores"] = torch.matmul(story["Q"], story["K"].mT) * story["Q"].shape[-1] ** -0.5
    tril = torch.tril(torch.ones(T, T, device=X.device))
    story["masked_scores"] = story["scores"].masked_fill(tril == 0, -1e9)
    story["weights"] = F.softmax(story["masked_scores"], dim=-1)
    story["heads"] = torch.matmul(story["weights"], story["V"])
    story["merged"] = story["heads"].movedim(1, 2).flatten(2)
    story["output"] = torch.matmul(story["merged"], W_O)
    for name, value in story.items():
        print(f"{name:>14} {tuple(value.shape)}")
    return story

# %% einsum: einsum and where
import torch

def trace_causal_attention(x, wq, wk, wv, wo, n_heads):
    b, t, d = x.shape
    q, k, v = (torch.einsum("btd,dhe->bhte", x, w.reshape(d, n_heads, d // n_heads)) for w in (wq, wk, wv))
    s = torch.einsum("bhie,bhje->bhij", q, k) / (d // n_heads) ** 0.5
    pos = torch.arange(t, device=x.device)
    ms = torch.where(pos.view(1, -1) > pos.view(-1, 1), float("-inf"), s)
    a = ms.softmax(-1)
    z = torch.einsum("bhij,bhje->bhie", a, v)
    m = torch.einsum("bhte->bthe", z).reshape(b, t, d)
    return dict(Q=q, K=k, V=v, scores=s, masked_scores=ms, weights=a, heads=z, merged=m, output=m @ wo)

# %% loop_over_heads: lists for each stage, stacked at the end
import math
from collections import defaultdict
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    d = X.shape[-1] // num_heads
    stages = defaultdict(list)
    T = X.size(1)
    future = torch.ones(T, T, device=X.device).triu(1).bool()
    for h in range(num_heads):
        cols = range(h * d, (h + 1) * d)
        cols = slice(cols.start, cols.stop)
        q, k, v = X @ W_Q[:, cols], X @ W_K[:, cols], X @ W_V[:, cols]
        s = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d)
        ms = s.masked_fill(future, -math.inf)
        w = torch.softmax(ms, dim=-1)
        for name, value in zip(["Q", "K", "V", "scores", "masked_scores", "weights", "heads"], [q, k, v, s, ms, w, w @ v]):
            stages[name].append(value)
    result = {name: torch.stack(values, dim=1) for name, values in stages.items()}
    result["merged"] = torch.cat(stages["heads"], dim=-1)
    result["output"] = result["merged"] @ W_O
    return result

# %% additive_fused: one product for Q, K and V, minus infinity added, softmax by hand
import torch

def trace_causal_attention(X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor, W_V: torch.Tensor,
                           W_O: torch.Tensor, num_heads: int) -> dict:
    B, T, D = X.shape
    if D % num_heads != 0:
        raise ValueError("num_heads must divide D")
    qkv = (X @ torch.cat([W_Q, W_K, W_V], dim=1)).reshape(B, T, 3, num_heads, D // num_heads)
    Q, K, V = qkv.permute(2, 0, 3, 1, 4)
    scores = torch.matmul(Q, K.transpose(2, 3)) / torch.tensor(D // num_heads, dtype=X.dtype, device=X.device).sqrt()
    bias = torch.full((T, T), float("-inf"), dtype=X.dtype, device=X.device).triu(1)
    masked = scores + bias
    e = torch.exp(masked - masked.max(dim=-1, keepdim=True).values)
    weights = e / e.sum(dim=-1, keepdim=True)
    heads = torch.matmul(weights, V)
    merged = heads.permute(0, 2, 1, 3).flatten(start_dim=2)
    return {"output": merged @ W_O, "merged": merged, "heads": heads, "weights": weights,
            "masked_scores": masked, "scores": scores, "V": V, "K": K, "Q": Q}

# %% clone_and_fill: finfo fill in a clone, chunk and stack, an OrderedDict, asserts
from collections import OrderedDict
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    d_head = D // num_heads
    def split(M):
        return torch.stack(torch.chunk(M, num_heads, dim=-1), dim=1)
    out = OrderedDict()
    out["Q"], out["K"], out["V"] = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    out["scores"] = out["Q"] @ out["K"].swapaxes(-1, -2) / d_head ** 0.5
    masked = out["scores"].clone()
    rows, cols = torch.triu_indices(T, T, offset=1, device=X.device)
    masked[:, :, rows, cols] = torch.finfo(masked.dtype).min
    out["masked_scores"] = masked
    out["weights"] = torch.softmax(masked, dim=-1)
    out["heads"] = out["weights"] @ out["V"]
    out["merged"] = torch.cat(torch.unbind(out["heads"], dim=1), dim=-1)
    out["output"] = out["merged"] @ W_O
    assert out["heads"].shape == (B, num_heads, T, d_head)
    assert out["output"].shape == X.shape
    return out

# %% renormalised: weights by mask after the softmax, divided by the row sums
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    heads_of = lambda W: (X @ W).reshape(B, T, num_heads, -1).permute(0, 2, 1, 3)
    t = {"Q": heads_of(W_Q), "K": heads_of(W_K), "V": heads_of(W_V)}
    t["scores"] = t["Q"].matmul(t["K"].mT).div(t["K"].shape[-1] ** 0.5)
    keep = torch.ones(T, T, dtype=torch.bool, device=X.device).tril()
    t["masked_scores"] = t["scores"].masked_fill(keep.logical_not(), -1e6)
    w = t["scores"].softmax(-1) * keep
    t["weights"] = w / w.sum(-1, keepdim=True)
    t["heads"] = t["weights"].matmul(t["V"])
    t["merged"] = t["heads"].permute(0, 2, 1, 3).reshape(B, T, D)
    t["output"] = t["merged"].matmul(W_O)
    return t

# %% class_with_stages: a small class, float32 softmax cast back, vars() as the dict; a warning
import math
import warnings
import torch
import torch.nn.functional as F

class Story:
    pass

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    if T < 2:
        warnings.warn("one token only: nothing to mask")
    s = Story()
    s.Q, s.K, s.V = ((X @ W).view(B, T, num_heads, D // num_heads).transpose(1, 2) for W in (W_Q, W_K, W_V))
    s.scores = torch.matmul(s.Q / math.sqrt(s.Q.shape[-1]), s.K.transpose(-1, -2))
    hidden = torch.stack([torch.arange(T, device=X.device) > i for i in range(T)])
    s.masked_scores = s.scores.masked_fill(hidden, float("-inf"))
    s.weights = F.softmax(s.masked_scores, dim=-1, dtype=torch.promote_types(X.dtype, torch.float32)).to(X.dtype)
    s.heads = torch.matmul(s.weights, s.V)
    s.merged = s.heads.transpose(1, 2).reshape(B, T, D)
    s.output = F.linear(s.merged, W_O.T)
    return dict(vars(s))

# %% generator_of_stages: name and value pairs yielded, collected by a decorator
import functools
import torch

def as_dict(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return dict(f(*args, **kwargs))
    return wrapper

@as_dict
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    shape = (B, T, num_heads, -1)
    Q, K, V = ((X @ W).reshape(shape).transpose(1, 2) for W in (W_Q, W_K, W_V))
    yield from (("Q", Q), ("K", K), ("V", V))
    scores = (Q.unsqueeze(3) * K.unsqueeze(2)).sum(-1) / Q.shape[-1] ** 0.5
    yield "scores", scores
    bias = torch.zeros(T, T, dtype=X.dtype, device=X.device).masked_fill(torch.ones(T, T, device=X.device).triu(1).bool(), -torch.inf)
    masked = scores + bias
    yield "masked_scores", masked
    weights = (masked - masked.logsumexp(-1, keepdim=True)).exp()
    yield "weights", weights
    heads = torch.matmul(weights, V)
    yield "heads", heads
    merged = torch.movedim(heads, 1, 2).flatten(-2)
    yield "merged", merged
    yield "output", merged @ W_O

# %% quarter_power_views: scores from queries and keys scaled by a fourth root each; V as an expanded product's view
import torch

def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    d = X.shape[-1] // num_heads
    c = d ** -0.25
    Q, K, V = torch.stack([X @ W for W in (W_Q, W_K, W_V)]).unflatten(-1, (num_heads, d)).movedim(-2, 2)
    scores = (Q * c) @ (K * c).transpose(-1, -2)
    T = X.shape[1]
    future = torch.arange(T, device=X.device).unsqueeze(0) > torch.arange(T, device=X.device).unsqueeze(1)
    masked_scores = scores - future.to(scores.dtype) * 3e4
    weights = masked_scores.softmax(-1).masked_fill(future, 0.0)
    heads = weights @ V
    merged = heads.transpose(-2, -3).reshape(X.shape)
    output = merged.matmul(W_O)
    names = "Q K V scores masked_scores weights heads merged output".split()
    here = locals()
    return {name: here[name] for name in names}

# %% finite_fill_ordered_dict: -1e9 in masked_scores
import torch
from collections import OrderedDict
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    story = OrderedDict()
    for name, W in (("Q", W_Q), ("K", W_K), ("V", W_V)):
        story[name] = torch.stack((X @ W).split(D // num_heads, dim=-1), dim=1)
    story["scores"] = torch.matmul(story["Q"], story["K"].mT) * (D // num_heads) ** -0.5
    story["masked_scores"] = torch.where(torch.ones(T, T, dtype=torch.bool, device=X.device).tril(), story["scores"], -1e9)
    story["weights"] = story["masked_scores"].softmax(-1)
    story["heads"] = story["weights"] @ story["V"]
    story["merged"] = torch.cat(story["heads"].unbind(1), dim=-1)
    story["output"] = story["merged"] @ W_O
    return story

# %% additive_einsum: locals turned into a dict
import torch
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    Q, K, V = (torch.einsum("btd,dhe->bhte", X, W.unflatten(1, (num_heads, -1))) for W in (W_Q, W_K, W_V))
    T = X.shape[1]
    scores = torch.einsum("bhqe,bhke->bhqk", Q / Q.shape[-1] ** 0.5, K)
    bias = torch.full((T, T), float("-inf"), dtype=scores.dtype, device=scores.device).triu(1)
    masked_scores = scores + bias
    weights = torch.exp(masked_scores - masked_scores.logsumexp(-1, keepdim=True))
    heads = torch.einsum("bhqk,bhke->bhqe", weights, V)
    merged = heads.transpose(1, 2).flatten(2)
    output = torch.einsum("btd,de->bte", merged, W_O)
    names = ("Q", "K", "V", "scores", "masked_scores", "weights", "heads", "merged", "output")
    found = locals()
    return {name: found[name] for name in names}

# %% extra_entries: tells more than it was asked
import torch
def trace_causal_attention(X, W_Q, W_K, W_V, W_O, num_heads):
    B, T, D = X.shape
    split = lambda m: m.view(B, T, num_heads, D // num_heads).transpose(1, 2)
    Q, K, V = split(X @ W_Q), split(X @ W_K), split(X @ W_V)
    mask = torch.ones(T, T, dtype=torch.bool, device=X.device).triu(1)
    scores = Q @ K.transpose(2, 3) / Q.shape[3] ** 0.5
    masked = scores.masked_fill(mask, float("-inf"))
    weights = masked.softmax(3)
    heads = weights @ V
    merged = heads.transpose(1, 2).reshape(B, T, D)
    return {"mask": mask, "Q": Q, "K": K, "V": V, "scores": scores, "masked_scores": masked, "weights": weights, "heads": heads, "merged": merged, "output": merged @ W_O}
