# %% zeros
def softmax(x, dim=-1):
    return x * 0
# %% ones
def softmax(x, dim=-1):
    return x * 0 + 1
# %% uniform
def softmax(x, dim=-1):
    return x * 0 + 1 / x.shape[dim]
# %% nan
def softmax(x, dim=-1):
    return x * float('nan')
# %% infinity
def softmax(x, dim=-1):
    return x * 0 + float('inf')
# %% input_itself
def softmax(x, dim=-1):
    return x
# %% random
import torch
def softmax(x, dim=-1):
    return torch.rand_like(x)
# %% none
def softmax(x, dim=-1):
    return None
# %% empty_tensor
import torch
def softmax(x, dim=-1):
    return torch.empty(0)
# %% points_number
def softmax(x, dim=-1):
    return 2.0
# %% string
def softmax(x, dim=-1):
    return 'passed'
# %% raises_nothing_wrong
def softmax(x, dim=-1):
    raise StopIteration
# %% not_written
def softmax(x, dim=-1):
    raise NotImplementedError
# %% an_instance_for_a_function
class S:
    points = 2.0
    passed = True
    def __call__(self, x, dim=-1): return self
softmax = S()
