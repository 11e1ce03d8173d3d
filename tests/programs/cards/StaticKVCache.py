# %% wrong_axis_counted: the length grows by the number of heads
# refused: length_moves_by_heads
# says: The length advances by the number of heads
import torch

class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        shape = batch_size, num_heads, max_len, d_head
        self.keys = torch.zeros(shape, dtype=dtype, device=device)
        self.values = torch.zeros(shape, dtype=dtype, device=device)
        self.used = 0

    @torch.no_grad()
    def update(self, k, v):
        end = self.used + k.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError("no room")
        self.keys[:, :, self.used : end], self.values[:, :, self.used : end] = k, v
        self.used += k.shape[1]
        return self.keys[:, :, : self.used], self.values[:, :, : self.used]
