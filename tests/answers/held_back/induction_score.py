"""Wrong answers for induction_score, one mistake a cell unless it says two."""
# %% mass_on_the_match: sums the mass on the earlier occurrence itself and not on the token that followed it
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    same = (tokens[:, :, None] == tokens[:, None, :])
    earlier = same & torch.ones(T, T, dtype=torch.bool, device=tokens.device).tril(-1)
    rows = earlier.any(-1)
    mass = (weights * earlier[:, None]).sum(-1)   # (B, H, T)
    total = (mass * rows[:, None]).sum(dim=(0, 2))
    return total / rows.sum().clamp(min=1)
# %% last_occurrence_only: looks at the latest earlier occurrence and forgets the others
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    total = torch.zeros(H, dtype=weights.dtype, device=weights.device)
    n = 0
    for b in range(B):
        last_seen = {}
        for i in range(T):
            t = int(tokens[b, i])
            if t in last_seen:
                total = total + weights[b, :, i, last_seen[t] + 1]
                n += 1
            last_seen[t] = i
    return total / n if n > 0 else total
# %% mean_of_sequence_means: averages within each sequence first and then over the sequences
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    per_sequence = []
    for b in range(B):
        rows = []
        for i in range(T):
            follow = [j + 1 for j in range(i) if tokens[b, j] == tokens[b, i]]
            if follow:
                rows.append(weights[b, :, i, follow].sum(-1))
        if rows:
            per_sequence.append(torch.stack(rows).mean(0))
    if not per_sequence:
        return torch.zeros(H, dtype=weights.dtype, device=weights.device)
    return torch.stack(per_sequence).mean(0)
# %% mean_over_every_row: divides by all rows, also by those whose token never occurred before
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    eq = (tokens.unsqueeze(2) == tokens.unsqueeze(1)).tril(diagonal=-1)
    followers = torch.zeros_like(eq)
    followers[:, :, 1:] = eq[:, :, :-1]
    return (weights * followers.unsqueeze(1)).sum(-1).mean(dim=(0, 2))
# %% nan_when_nothing_repeats: divides by the number of rows without asking whether there are any
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    hits = []
    for b in range(B):
        for i in range(1, T):
            match = (tokens[b, :i] == tokens[b, i]).nonzero().flatten()
            if len(match) > 0:
                hits.append(weights[b, :, i, match + 1].sum(dim=-1))
    total = torch.stack(hits).sum(0) if hits else torch.zeros(H, dtype=weights.dtype)
    return total / torch.tensor(len(hits), dtype=weights.dtype)
# %% direct_neighbour_skipped: stops at i - 1, so an occurrence just before the token is not counted
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    score = torch.zeros(H, dtype=weights.dtype, device=weights.device)
    count = 0
    for b in range(B):
        toks = tokens[b].tolist()
        for i in range(T):
            js = [j for j in range(0, i - 1) if toks[j] == toks[i]]
            if len(js) == 0:
                continue
            count += 1
            for j in js:
                score = score + weights[b, :, i, j + 1]
    return score / max(count, 1)
# %% mean_over_occurrences: averages the mass over the followers of a row instead of summing it
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    before = torch.ones(T, T, dtype=torch.bool, device=tokens.device).tril(-1)
    match = (tokens[:, :, None] == tokens[:, None, :]) & before
    target = torch.nn.functional.pad(match, (1, 0))[..., :T].to(weights.dtype)
    n = match.sum(-1)   # (B, T)
    mass = torch.einsum("bhqk,bqk->bhq", weights, target) / n.clamp(min=1)[:, None]
    return mass.sum(dim=(0, 2)) / (n > 0).sum().clamp(min=1)
# %% first_example_one_number: two mistakes, only the first sequence is read and the heads are averaged into one number
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
# %% per_pair < first_example: mean over followers (pairs), not over rows
-             js = [j + 1 for j in range(i) if tokens[0, j] == tokens[0, i]]
-             if js:
-                 total = total + weights[b, :, i, js].sum(-1); n += 1
+             for j in range(i):
+                 if tokens[b, j] == tokens[b, i]:
+                     total = total + weights[b, :, i, j + 1]; n += 1
# %% first_example: only tokens[0] for the whole batch
def induction_score(weights, tokens):
    B, H, T, _ = weights.shape
    total, n = weights.new_zeros(H), 0
    for b in range(B):
        for i in range(T):
            js = [j + 1 for j in range(i) if tokens[0, j] == tokens[0, i]]
            if js:
                total = total + weights[b, :, i, js].sum(-1); n += 1
    return total / max(n, 1)
# %% shifted_other < first_example: the token that came before the earlier occurrence
~ + 1 for j in range(i) if tokens[0, j] == tokens[0, i] => - 1 for j in range(1, i) if tokens[b, j] == tokens[b, i]
# %% rows_with_mass: only rows in which some head looks at a follower are counted
def induction_score(weights, tokens):
    earlier = (tokens[:, :, None] == tokens[:, None, :]).tril(-1)
    follows = torch.zeros_like(earlier)
    follows[:, :, 1:] = earlier[:, :, :-1]
    mass = (weights * follows[:, None]).sum(-1)   # (B, H, T)
    rows = (mass > 0).any(1)
    return mass.sum((0, 2)) / rows.sum().clamp(min=1)
