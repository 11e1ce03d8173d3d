# %% program_1
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        size = sinks + window
        self.kv = torch.zeros(2, batch_size, num_heads, size, d_head, dtype=dtype, device=device)
        self.pos = torch.full((size,), -1, device=device)
        self.sinks, self.window, self.n = sinks, window, 0

    def update(self, k, v):
        with torch.no_grad():
            p = torch.arange(self.n, self.n + k.size(2), device=self.pos.device)
            self.n += k.size(2)
            stay = (p < self.sinks) | (p >= max(self.n - self.window, self.sinks))
            p = p[stay]
            slot = torch.where(p < self.sinks, p, self.sinks + (p - self.sinks) % self.window)
            self.pos[slot] = p
            self.kv[0][:, :, slot] = k[:, :, stay].to(self.kv.dtype)
            self.kv[1][:, :, slot] = v[:, :, stay].to(self.kv.dtype)
            positions, order = self.pos.sort()
            order, positions = order[positions >= 0], positions[positions >= 0]
            return self.kv[0][:, :, order], self.kv[1][:, :, order], positions
