"""Programs for the interview topic merge_partials. tests/course_utils/interview/test_programs.py explains the format."""

# %% logaddexp, part 1: right
# taken
import torch

def merge_partials(out_1, lse_1, out_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    safe = torch.where(lse.isinf(), 0.0, lse)
    w_1, w_2 = torch.exp(lse_1 - safe)[..., None], torch.exp(lse_2 - safe)[..., None]
    return w_1 * out_1 + w_2 * out_2, lse

# %% averaged, part 1: both halves count alike
# refused: averaged
import torch

def merge_partials(out_1, lse_1, out_2, lse_2):
    return (out_1 + out_2) / 2, torch.logaddexp(lse_1, lse_2)
