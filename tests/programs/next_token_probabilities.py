# %% threshold: masked_fill below the k-th, one_hot for temperature 0
# taken
import torch
import torch.nn.functional as F
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits[logits < v[:, [-1]]] = -float("Inf")
    return F.softmax(logits, dim=-1)
# %% shares_again: softmax first, then the others are set to 0 and the rest shared out again
# taken
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        p = torch.zeros_like(logits)
        p[torch.arange(len(logits), device=logits.device), logits.argmax(-1)] = 1
        return p
    p = torch.softmax(logits / temperature, -1)
    if top_k is not None:
        rank = logits.argsort(-1, descending=True).argsort(-1)
        p = p * (rank < top_k)
        p = p / p.sum(-1, keepdim=True)
    return p
# %% row_by_row: a loop over the rows, plain Python for the ranks
# taken
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    rows = []
    for row in logits:
        numbers = row.tolist()
        order = sorted(range(len(numbers)), key=lambda i: -numbers[i])
        if temperature == 0:
            rows.append(torch.tensor([float(i == order[0]) for i in range(len(order))], dtype=row.dtype, device=row.device))
            continue
        keep = order[:top_k]
        out = torch.full_like(row, float("-inf"))
        out[keep] = row[keep] / temperature
        rows.append(torch.softmax(out, 0))
    return torch.stack(rows)
# %% by_hand: the softmax by hand with a shift, torch.where
# taken
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    top = logits.max(dim=-1, keepdim=True)
    if temperature <= 0:
        columns = torch.arange(logits.size(-1), device=logits.device)
        return (columns == top.indices).to(logits)
    e = ((logits - top.values) / temperature).exp()
    if top_k is not None and top_k < logits.size(-1):
        smallest = logits.sort(dim=-1).values[:, -top_k].unsqueeze(1)
        e = torch.where(logits >= smallest, e, 0)
    return e / e.sum(dim=-1, keepdim=True)
# %% most_negative: a mask by scatter, the lowest number of the dtype, a distribution
# taken
import torch
def next_token_probabilities(logits: torch.Tensor, temperature: float = 1.0, top_k: int | None = None):
    if temperature == 0.0:
        temperature, top_k = 1.0, None
        kept = logits.argmax(-1, keepdim=True)
    else:
        kept = logits.topk(min(top_k or logits.size(-1), logits.size(-1)), dim=-1).indices
    left_out = torch.ones_like(logits, dtype=torch.bool).scatter(-1, kept, False)
    scores = (logits / temperature).masked_fill(left_out, torch.finfo(logits.dtype).min)
    return torch.distributions.Categorical(logits=scores, validate_args=False).probs
# %% in_float32: computed in float32 where the input is narrower, and cast back
# taken
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    dtype = logits.dtype
    wide = logits.to(torch.promote_types(dtype, torch.float32))
    if temperature == 0:
        return torch.eye(logits.shape[1], dtype=dtype, device=logits.device)[wide.argmax(1)]
    if top_k is not None:
        kth = wide.kthvalue(max(wide.shape[1] - top_k + 1, 1), dim=1, keepdim=True).values
        wide = wide.masked_fill(wide.lt(kth), -1e9)
    return torch.log_softmax(wide / temperature, dim=1).exp().to(dtype)
# %% divides_in_place: logits /= temperature changes the caller's logits
# taken, one left 1.94: changes_input
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits /= temperature
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return logits.softmax(-1)
# %% writes_minus_infinity: -inf is written into the caller's logits where the temperature is 1
# taken, one left 1.94: changes_input
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if temperature != 1:
        logits = logits / temperature
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits[logits < kth] = -torch.inf
    return logits.softmax(-1)
# %% whole_numbers_at_0: one_hot without a cast
# taken, one left 1.94: casts_dtype
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1])
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return (logits / temperature).softmax(-1)
# %% top_p: keeps the smallest set of tokens that holds a share of 1 - 1/k
# refused: shown
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    p = (logits / temperature).softmax(-1)
    if top_k is not None:
        values, places = p.sort(-1, descending=True)
        drop = values.cumsum(-1) - values > 1 - 1 / top_k
        p = torch.zeros_like(p).scatter(-1, places, values.masked_fill(drop, 0))
    return p / p.sum(-1, keepdim=True)
# %% smoothed: every token keeps a hundredth, for fear of zeros
# refused: shown
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        p = torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    else:
        if top_k is not None:
            kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
            logits = logits.masked_fill(logits < kth, -torch.inf)
        p = (logits / temperature).softmax(-1)
    return 0.99 * p + 0.01 / logits.shape[-1]
# %% drawn: the probabilities are estimated from a thousand draws
# refused: unsteady
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    drawn = torch.multinomial((logits / temperature).softmax(-1), 1000, replacement=True)
    return torch.nn.functional.one_hot(drawn, logits.shape[-1]).to(logits.dtype).mean(1)
# %% always_float32: a cast to float32 that is never taken back
# taken, one left 1.94: casts_dtype
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    logits = logits.float()
    if temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -torch.inf)
    return (logits / temperature).softmax(-1)
# %% strangers_2026_11/program_1
# taken
import math
import torch.nn.functional as F
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None and top_k < logits.shape[-1]:
        kth = logits.topk(top_k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < kth, -math.inf)
    return logits.softmax(-1)
# %% strangers_2026_11/crash_1: line `torch.topk(logits, top_k)`: top_k may be larger than the vocabulary
# refused, 1.94: large_k_not_treated
import torch
import torch.nn.functional as F
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(logits).scatter_(1, best, 1.0)
    logits = logits / temperature
    if top_k is not None:
        v, _ = torch.topk(logits, top_k)
        logits = logits.masked_fill(logits < v[:, [-1]], -float("Inf"))
    return F.softmax(logits, dim=-1)
# %% strangers_2026_11/single_2: at temperature 0 equal largest logits share the probability
# refused, 1.94: equals_share
import math
import torch
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        top = (logits == logits.amax(dim=-1, keepdim=True)).to(logits.dtype)
        return top / top.sum(-1, keepdim=True)
    if top_k is not None and top_k < logits.shape[-1]:
        cut = logits.topk(top_k).indices
        keep = torch.zeros_like(logits, dtype=torch.bool).scatter(1, cut, True)
        logits = logits.masked_fill(~keep, -math.inf)
    return torch.softmax(logits / temperature, -1)
# %% strangers_2026_11/two_3: top-k is cut after the softmax and not shared out again | the logits are multiplied by the temperature
# refused: multiplied
import torch
import torch.nn.functional as F
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).float()
    p = torch.softmax(logits * temperature, dim=-1)
    if top_k is not None:
        k = min(top_k, p.shape[-1])
        p = p * (p >= p.topk(k, dim=-1).values[:, -1:])
    return p
