# %% sum_taken_away: the sum is subtracted
# refused: sum_subtracted
# says: The sum is subtracted from the exponentials
import torch

def softmax(x, dim=-1):
    powers = (x - x.max(dim, keepdim=True).values).exp()
    return powers - powers.sum(dim, keepdim=True)
# %% own_copy_overwritten: an intermediate of its own, which the gradient needs
# taken, one left 1.88: overwrites_needed
# says: it overwrites numbers that the gradient needs
import torch

def softmax(x, dim=-1):
    out = torch.exp(x - x.amax(dim, keepdim=True))
    out /= out.sum(dim, keepdim=True)
    return out
# %% numpy_maximum: np.max on a tensor
# refused: numpy_on_tensor
# says: A NumPy function is called on a torch tensor
import numpy as np

def softmax(x, dim=-1):
    top = np.max(x, axis=dim, keepdims=True)
    powers = np.exp(x - top)
    return powers / np.sum(powers, axis=dim, keepdims=True)
