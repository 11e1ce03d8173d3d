"""Programs for the interview topic causal_mask. tests/course_utils/interview/test_programs.py explains the format."""

# %% triu, part 1: True above the diagonal
# taken
import torch

def causal_mask(T):
    return torch.triu(torch.ones(T, T), diagonal=1).bool()

# %% arange_compare, part 1: right
# taken
import torch

def mask(T, device="cpu"):
    pos = torch.arange(T, device=device)
    return pos[None, :] > pos[:, None]

# %% turned_comment, part 1: the comment is about what is turned round afterwards
# taken
import torch

def mask(T):
    keep = torch.tril(torch.ones(T, T))  # 1 = may attend
    return keep == 0

# %% documented_masked, part 1: right
# taken
import numpy as np

def future(T):
    """(n, n) bool. True where attention is not allowed, False where it is."""
    return np.triu(np.ones((T, T), dtype=bool), 1)

# %% causal_mask_03_c, part 1: right
# taken
def blocked(T):
    """List of lists; blocked(n)[i][j] is True when token i must NOT see token j."""
    rows = []
    for i in range(T):
        row = []
        for j in range(T):
            row.append(j > i)
        rows.append(row)
    return rows

# %% diagonal_masked, part 1: diagonal masked
# refused: diagonal_masked
import torch

def f(T):
    return torch.triu(torch.ones(T, T)).bool()

# %% nothing, part 1: returns none
# refused: returns_none
import torch

def f(T):
    torch.triu(torch.ones(T, T), 1)

# %% w16, part 1: past masked
# refused: past_masked
import torch

def f(T):
    return (torch.arange(T)[:, None] > torch.arange(T)[None, :])

# %% causal_mask_05_c, part 1: with more keys than queries the offset S - T is forgotten: queries are lined up with the first keys, not the last
# refused: inverted
import torch

def causal_mask(T, S=None):
    """(T, S) bool, True = may look; the T queries are the last T of the S positions."""
    S = T if S is None else S
    rows = torch.arange(T).view(-1, 1)
    cols = torch.arange(S).view(1, -1)
    return cols <= rows

interview.check(lambda T: causal_mask(T, S=None))

# %% leetcode_lists, part 1: nested lists of booleans
# taken
def causal_mask(T):
    return [[j > i for j in range(T)] for i in range(T)]

# %% chunk_in_numpy, part 3: right
# taken
import numpy as np

def causal_mask(T_new, T_past):
    return np.triu(np.ones((T_new, T_past + T_new), dtype=bool), k=T_past + 1)

# %% lesson_signature, part 1: right
# taken
import torch

def create_causal_mask(seq_len_q, seq_len_k=None, device=None):
    k = seq_len_q if seq_len_k is None else seq_len_k
    return torch.ones(seq_len_q, k, device=device, dtype=torch.bool).triu(1)

# %% keys_of_each_row, part 4: right
# taken
import torch

def causal_mask(T, lengths):
    keys = torch.arange(T)
    visible = keys[:, None] >= keys
    return ~(visible & (keys < lengths.view(-1, 1, 1, 1)))

# %% may_attend, part 1: True where a key may be seen
# refused: inverted
import torch

def causal_mask(T):
    return torch.tril(torch.ones(T, T)).bool()

# %% rows_hidden_too, part 4: padding hides rows as well
# refused: shown
import torch

def causal_mask(T, lengths):
    t = torch.arange(T)
    pad = t >= lengths[:, None]
    return ((t[None] > t[:, None]) | pad[:, None, :] | pad[:, :, None])[:, None]

# %% other_names, part 1: no form
# asked
import torch

def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len), 1).bool()

# %% other_names_by_the_line, part 1: the printed line, with its dots filled in
# taken
import torch

def causal(n, device="cpu"):
    return torch.triu(torch.ones(n, n, device=device), 1).bool()

interview.check(lambda T: causal(T))
