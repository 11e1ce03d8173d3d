"""Wrong answers for masked_scores, one mistake a cell."""
# %% result_thrown_away: masked_fill gives a new table, which is not kept
def masked_scores(scores, mask):
    scores.masked_fill(mask, -torch.inf)
    return scores
# %% in_place < right/large_number: changes the scores that came in
~ return scores.masked_fill(mask, -1e9) => return scores.masked_fill_(mask, -torch.inf)
# %% times_mask < right/large_number: multiplies by the mask
~ return scores.masked_fill(mask, -1e9) => return scores * (~mask)
# %% minus_ten < right/large_number: a fill that leaves a share
~ return scores.masked_fill(mask, -1e9) => return scores.masked_fill(mask, -10.0)
# %% allowed_filled: torch.where with its branches exchanged
def masked_scores(scores, mask):
    return torch.where(mask, scores, -torch.inf)
# %% softmax_inside < right/large_number: hides and takes the softmax
~ return scores.masked_fill(mask, -1e9) => return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
