# %% crash_1: line `self.k[:, self.pos:end] = k`: the memory is laid out (B, H, T, d), the token axis is 2, not 1
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len = max_len
        self.pos = 0
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.v = torch.zeros_like(self.k)

    @torch.no_grad()
    def update(self, k, v):
        bsz, _, seqlen, _ = k.shape
        end = self.pos + seqlen
        if end > self.max_len:
            raise ValueError
        self.k[:bsz, self.pos:end] = k
        self.v[:bsz, self.pos:end] = v
        self.pos = end
        return self.k[:bsz, :end], self.v[:bsz, :end]
# %% single_2: the length is counted up before the check, after a refused update nothing fits any more
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.keys = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.values = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.max_len = max_len
        self.length = 0

    def update(self, k, v):
        start = self.length
        self.length += k.shape[2]
        if self.length > self.max_len:
            raise ValueError("does not fit")
        with torch.no_grad():
            self.keys[:, :, start:self.length] = k
            self.values[:, :, start:self.length] = v
        return self.keys[:, :, :self.length], self.values[:, :, :self.length]
# %% single_3: an update that fills the last place is refused (>= instead of >)
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.t = 0

    def update(self, k, v):
        T = k.shape[2]
        if self.t + T >= self.k.shape[2]:
            raise ValueError("no room")
        with torch.no_grad():
            self.k[:, :, self.t:self.t + T].copy_(k)
            self.v[:, :, self.t:self.t + T].copy_(v)
        self.t += T
        return self.k[:, :, :self.t], self.v[:, :, :self.t]
# %% single_4: the memory grows by cat at every update, what comes back is no view of reserved memory
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len = max_len
        self.k = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)

    @torch.no_grad()
    def update(self, k, v):
        if self.k.shape[2] + k.shape[2] > self.max_len:
            raise ValueError("too long")
        self.k = torch.cat([self.k, k.to(self.k.dtype)], dim=2)
        self.v = torch.cat([self.v, v.to(self.v.dtype)], dim=2)
        return self.k, self.v
