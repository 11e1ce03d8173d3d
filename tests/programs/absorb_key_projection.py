# %% view and matmul
# taken
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    return q @ k_up_weight.view(H, d_head, -1)
# %% einsum
# taken
import torch
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.reshape(q.shape[1], q.shape[3], k_up_weight.shape[1])
    return torch.einsum("bhtd,hdl->bhtl", q, W)
# %% chunks
# taken
import torch
def absorb_key_projection(q, k_up_weight):
    pairs = zip(q.unbind(1), k_up_weight.chunk(q.size(1), dim=0))
    return torch.stack([torch.matmul(a, w) for a, w in pairs], 1)
# %% products and a sum
# taken
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.unflatten(0, (q.shape[1], q.shape[-1]))
    return (q[..., None] * W[None, :, None]).sum(-2)
# %% one wide block-diagonal product
# taken
import torch
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    wide = torch.block_diag(*k_up_weight.split(d))
    return (q.transpose(1, 2).reshape(B, T, H * d) @ wide).view(B, T, H, -1).transpose(1, 2)
# %% weight on the left
# taken
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.reshape(q.shape[1], -1, k_up_weight.shape[-1]).transpose(1, 2)
    return (W @ q.transpose(2, 3)).transpose(2, 3)
# %% tokens_for_heads: takes the size of axis 2 for the number of heads
# refused: shown
import torch
def absorb_key_projection(q, k_up_weight):
    B, T, H, d_head = q.shape
    W = k_up_weight.reshape(H, -1, k_up_weight.shape[1])
    return torch.einsum("bhtd,hdl->bhtl", q, W)
# %% neighbours_weight: head h uses the rows of head h + 1
# refused: shown
def absorb_key_projection(q, k_up_weight):
    W = k_up_weight.view(q.shape[1], q.shape[-1], -1).roll(-1, 0)
    return q @ W
# %% scaled_and_interleaved: two mistakes, the rows are dealt out in turn and the result is scaled
# refused: shown
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    W = k_up_weight.view(d, H, -1).transpose(0, 1)
    return q @ W / d ** 0.5
# %% weight_as_numbers: turns the weight to numbers, through which no gradient passes
# taken, one left 2.888: detached
import torch
def absorb_key_projection(q, k_up_weight):
    W = torch.tensor(k_up_weight.tolist(), dtype=q.dtype, device=q.device)
    return q @ W.view(q.shape[1], q.shape[-1], -1)
# %% orthogonal_weight: multiplies with the orthogonal part of the weight
# refused: shown
import torch
def absorb_key_projection(q, k_up_weight):
    W = torch.linalg.qr(k_up_weight.view(q.shape[1], q.shape[-1], -1).transpose(1, 2))[0]
    return q @ W.transpose(1, 2)
# %% axes_swapped_in_view: the weight is viewed as (H, d_latent, d_head), and transposed
# refused: axes_exchanged_by_view
def absorb_key_projection(q, k_up_weight):
    H, d_head = q.shape[1], q.shape[-1]
    return q @ k_up_weight.view(H, -1, d_head).transpose(1, 2)
# %% strangers_2026_11/program_1
# taken
def absorb_key_projection(q, k_up_weight):
    B, H, T, d = q.shape
    return q @ k_up_weight.view(H, d, -1)
# %% strangers_2026_11/program_2
# taken
import torch
def absorb_key_projection(q, k_up_weight):
    H, d = q.shape[1], q.shape[-1]
    return torch.stack([q[:, h] @ k_up_weight[h * d : (h + 1) * d] for h in range(H)], dim=1)
# %% strangers_2026_11/crash_1: line `q @ U.transpose(-2, -1)`: the heads' weight is transposed, d_latent meets d_head
# refused: shown
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    U = k_up_weight.reshape(H, d_head, -1)
    return q @ U.transpose(-2, -1)
# %% strangers_2026_11/single_2: the rows are dealt out in turn: view (d_head, H) instead of (H, d_head)
# refused: heads_interleaved
import torch
def absorb_key_projection(q, k_up_weight):
    H, d = q.shape[1], q.shape[3]
    U = k_up_weight.reshape(d, H, -1)
    return torch.einsum("bhtd,dhc->bhtc", q, U)
# %% strangers_2026_11/single_3: the result is divided by the root of d_head, but is to be unscaled
# refused: scaled
import math
import torch
def absorb_key_projection(q, k_up_weight):
    B, H, T, d_head = q.shape
    W = k_up_weight.unflatten(0, (H, d_head))
    return torch.einsum("bhtd,hdc->bhtc", q, W) / math.sqrt(d_head)
# %% strangers_2026_11/two_4: every head uses the rows of head 0 | heads and tokens are exchanged in the result
# refused: shown
def absorb_key_projection(q, k_up_weight):
    d = q.shape[-1]
    return (q @ k_up_weight[:d]).transpose(1, 2)
