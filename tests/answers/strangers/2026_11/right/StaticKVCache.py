# %% program_1
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        shape = (batch_size, num_heads, max_len, d_head)
        self.k = torch.zeros(shape, dtype=dtype, device=device)
        self.v = torch.zeros(shape, dtype=dtype, device=device)
        self.n = 0

    def update(self, k, v):
        end = self.n + k.shape[2]
        if end > self.k.shape[2]:
            raise ValueError("cache is full")
        with torch.no_grad():
            self.k[:, :, self.n : end] = k
            self.v[:, :, self.n : end] = v
        self.n = end
        return self.k[:, :, :end], self.v[:, :, :end]
