# %% boolean_matrix: matches of earlier tokens, shifted one column to the right
# taken
import torch
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    same = tokens[:, :, None] == tokens[:, None, :]
    earlier = torch.ones(T, T, dtype=torch.bool, device=tokens.device).tril(-1)
    match = same & earlier
    follow = torch.zeros_like(match)
    follow[:, :, 1:] = match[:, :, :-1]
    mass = (weights * follow[:, None].to(weights.dtype)).sum(-1)
    rows = match.any(-1)
    if not rows.any():
        return torch.zeros(H, dtype=weights.dtype, device=weights.device)
    return mass.transpose(1, 2)[rows].mean(dim=0)
# %% three_loops: plain loops over examples, rows and earlier positions
# taken
import torch
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    sums = [0.0] * H
    count = 0
    for b in range(B):
        ids = tokens[b].tolist()
        for i in range(T):
            places = [j + 1 for j in range(i) if ids[j] == ids[i]]
            if not places:
                continue
            count += 1
            for h in range(H):
                sums[h] += sum(weights[b, h, i, p].item() for p in places)
    return torch.tensor([s / count if count else 0.0 for s in sums], dtype=weights.dtype, device=weights.device)
# %% f_pad_einsum: F.pad for the shift, einsum over everything, clamp of the count
# taken
import torch
import torch.nn.functional as F
def induction_score(w, tok):
    t = tok.size(1)
    match = (tok.unsqueeze(2) == tok.unsqueeze(1)).tril(diagonal=-1)
    target = F.pad(match[..., :-1].to(w.dtype), (1, 0))
    total = torch.einsum("bhij,bij->h", w, target)
    n = match.any(dim=-1).sum().clamp(min=1)
    return total / n.to(w.dtype)
# %% compare_shifted_tokens: key j follows an occurrence when token j-1 equals the query's token
# taken
import torch
def induction_score(weights, tokens):
    B, T = tokens.shape
    i = torch.arange(T, device=tokens.device)[:, None]
    j = torch.arange(T, device=tokens.device)[None, :]
    before = torch.roll(tokens, shifts=1, dims=1)
    hit = (before[:, None, :] == tokens[:, :, None]) & (j >= 1) & (j <= i)
    per_row = weights.masked_fill(~hit.unsqueeze(1), 0.0).sum(dim=-1)
    valid = hit.any(dim=-1)
    wide = per_row.double().sum(dim=(0, 2))
    count = valid.sum()
    return torch.where(count > 0, wide / count.clamp(min=1), torch.zeros_like(wide)).to(weights.dtype)
# %% shift_the_weights: the weights move left instead of the matches right; asserts
# taken
import torch
def induction_score(weights, tokens):
    assert weights.shape[0] == tokens.shape[0] and weights.shape[-1] == tokens.shape[1]
    H, T = weights.shape[1], weights.shape[-1]
    moved = torch.cat([weights[..., 1:], torch.zeros_like(weights[..., :1])], dim=-1)
    match = torch.stack([tokens == tokens[:, q:q + 1] for q in range(T)], dim=1)
    match = match * torch.ones(T, T, dtype=torch.bool, device=tokens.device).tril(diagonal=-1)
    mass = torch.where(match.unsqueeze(1), moved, 0.0).sum(-1)
    n = int(match.any(-1).sum())
    out = mass.sum((0, 2)) / n if n > 0 else torch.zeros_like(mass[0, :, 0])
    assert out.shape == (H,)
    return out
# %% shift_matrix: matches times a matrix of ones above the diagonal; no gradient; a print left in
# taken
import torch
@torch.no_grad()
def induction_score(weights, tokens):
    T = tokens.shape[1]
    p = weights.to(torch.promote_types(weights.dtype, torch.float32))
    one_hot = torch.nn.functional.one_hot(torch.unique(tokens, return_inverse=True)[1]).to(p.dtype)
    match = torch.bmm(one_hot, one_hot.transpose(1, 2)).tril(-1)
    step = torch.diag(torch.ones(T - 1, dtype=p.dtype, device=p.device), diagonal=1)
    mass = (p * (match @ step).unsqueeze(1)).sum(dim=-1)
    has = (match.sum(-1) > 0).to(p.dtype)
    n = has.sum()
    print("rows with an earlier occurrence:", n)
    score = torch.einsum("bhi,bi->h", mass, has) / torch.clamp(n, min=1.0)
    return score.to(weights.dtype)
# %% nonzero: all (example, query, earlier) triples at once, index_select and a sum; a warning
# taken
import warnings
import torch

def induction_score(weights, tokens):
    H = weights.shape[1]
    equal = tokens.unsqueeze(-1).eq(tokens.unsqueeze(-2))
    b, q, j = torch.nonzero(torch.tril(equal, -1), as_tuple=True)
    if b.numel() == 0:
        warnings.warn("no token occurs twice")
        return torch.zeros(H, dtype=weights.dtype, device=weights.device)
    mass = weights[b, :, q, j + 1].sum(dim=0)
    rows = {(int(x), int(y)) for x, y in zip(b, q)}
    return mass / len(rows)
# %% matrix: shifted same matrix
# taken
import torch
def induction_score(weights, tokens):
    T = tokens.shape[1]
    same = tokens.unsqueeze(2).eq(tokens.unsqueeze(1)).tril(-1)
    followers = same.roll(1, dims=2)
    rows = same.any(dim=2)
    mass = torch.einsum("bhqk,bqk->h", weights, followers.to(weights.dtype))
    return mass / rows.sum().clamp(min=1)
# %% loops_with_dictionary: positions by token
# taken
from collections import defaultdict
import torch
def induction_score(weights, tokens):
    found = []
    for b, text in enumerate(tokens.tolist()):
        followers = defaultdict(list)
        for i, token in enumerate(text):
            if followers[token]:
                found.append(weights[b, :, i, followers[token]].sum(-1))
            followers[token].append(i + 1)
    return torch.stack(found).mean(0) if found else weights.new_zeros(weights.shape[1])
# %% padded_one_hot: F.pad of the equality
# taken
import torch
import torch.nn.functional as F
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    earlier = torch.ones(T, T, dtype=torch.bool, device=tokens.device).tril(-1)
    hit = (tokens[:, :, None] == tokens[:, None, :]) & earlier
    after = F.pad(hit, (1, 0))[..., :T]
    per_row = (weights * after[:, None]).sum(-1)
    chosen = hit.any(-1)
    count = chosen.sum()
    total = (per_row * chosen[:, None]).sum(dim=(0, 2))
    return torch.where(count > 0, total / count.clamp(min=1), torch.zeros_like(total))
# %% first_example_one_number: two mistakes, only the first sequence is read and the heads are averaged into one number
# refused: shown
import torch
def induction_score(weights, tokens):
    w, t = weights[0], tokens[0]
    H, T, _ = w.shape
    found = []
    for i in range(T):
        for j in range(i):
            if t[j] == t[i]:
                found.append(w[:, i, j + 1].mean())
    if len(found) == 0:
        return torch.zeros(())
    return torch.stack(found).mean()
# %% rows_with_mass: only rows in which some head looks at a follower are counted
# refused: another_normalisation; seeds 20260720, 11, 3 refused: constant_factor
import torch
def induction_score(weights, tokens):
    earlier = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follows = torch.zeros_like(earlier)
    follows[:, :, 1:] = earlier[:, :, :-1]
    mass = (weights * follows[:, None]).sum(-1)   # (B, H, T)
    rows = (mass > 0).any(1)
    return mass.sum((0, 2)) / rows.sum().clamp(min=1)
# %% strangers_2026_11/program_1
# taken
import torch.nn.functional as F
def induction_score(weights, tokens):
    T = tokens.shape[1]
    same = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follow = F.pad(same, (1, 0))[..., :T]
    rows = follow.any(-1)
    got = (weights * follow[:, None]).sum(-1) * rows[:, None]
    return got.sum((0, 2)) / rows.sum().clamp(min=1)
# %% strangers_2026_11/single_1: the mean of each text's mean, not one mean over all rows
# refused: mean_of_means
import torch
def induction_score(weights, tokens):
    per_text = []
    T = tokens.size(1)
    for w, t in zip(weights, tokens):
        rows = []
        for i in range(T):
            prev = (t[:i] == t[i]).nonzero().flatten()
            if len(prev):
                rows.append(w[:, i, prev + 1].sum(-1))
        if rows:
            per_text.append(torch.stack(rows).mean(0))
    if not per_text:
        return weights.new_zeros(weights.shape[1])
    return torch.stack(per_text).mean(0)
# %% strangers_2026_11/single_2: only the last earlier occurrence counts
# refused: last_occurrence_only
import torch
def induction_score(weights, tokens):
    total = torch.zeros(weights.shape[1], dtype=weights.dtype)
    n = 0
    for b, seq in enumerate(tokens.tolist()):
        last = {}
        for i, letter in enumerate(seq):
            if letter in last:
                total += weights[b, :, i, last[letter] + 1]
                n += 1
            last[letter] = i
    return total / max(n, 1)
# %% strangers_2026_11/single_3: looks at the earlier occurrences themselves, not at what followed them
# refused: occurrence_not_follower
import torch
def induction_score(weights, tokens):
    same = (tokens.unsqueeze(2) == tokens.unsqueeze(1)).tril(-1)
    has = same.any(dim=-1)
    mass = (weights * same.unsqueeze(1)).sum(-1)
    n = has.sum()
    if n == 0:
        return torch.zeros(weights.size(1), dtype=weights.dtype)
    return (mass * has.unsqueeze(1)).sum(dim=(0, 2)) / n
# %% strangers_2026_11/crash_4: line `weights * follow`: follow is (B, T, T) and meets (B, H, T, T) without a head axis
# refused: shown
def induction_score(weights, tokens):
    eq = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follow = eq.roll(1, dims=-1)
    follow[..., 0] = False
    valid = eq.any(-1)
    mass = (weights * follow).sum(-1)
    return (mass * valid).sum((0, 2)) / valid.sum().clamp(min=1)
