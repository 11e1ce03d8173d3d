"""Votes become shares

`votes` has a row for each query: the number of votes each key got. The result is each key's share of the
votes in its row.
"""
import numpy as np

def shares(votes):
    result = np.zeros_like(votes)  # right: result = np.zeros(votes.shape)
    for i in range(votes.shape[0]):
        total = votes[i].sum()
        for j in range(votes.shape[1]):
            result[i, j] = votes[i, j] / total
    return result.tolist()

# ---- inputs
INPUTS = {"votes": whole("R", "C", low=0, high=9, library="numpy")}
HOLDS = {"Each row needs at least one vote.": lambda votes: (votes.sum(-1) > 0).all()}
SAME = {"each share is 0 or 1, a whole number.": lambda votes: ((votes > 0).sum(-1) == 1).all()}
MISTAKE = "multi_head_attention.truncated_to_integers"
WHY = "The result has the integer dtype of votes, so whatever is written into it loses its fractional part."
