# %% crash_1: line `self.count += T`: the counter is never set in __init__
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.sinks = sinks
        self.window = window
        self.k = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)

    def update(self, k, v):
        T = k.shape[2]
        self.count += T
        with torch.no_grad():
            for t in range(T):
                p = self.count - T + t
                s = p if p < self.sinks else self.sinks + (p - self.sinks) % self.window
                self.k[:, :, s], self.v[:, :, s] = k[:, :, t], v[:, :, t]
        ps = [p for p in range(self.count) if p < self.sinks or p >= self.count - self.window]
        ss = [p if p < self.sinks else self.sinks + (p - self.sinks) % self.window for p in ps]
        return self.k[:, :, ss], self.v[:, :, ss], torch.tensor(ps)
# %% single_2: what comes back is in the order of the memory, not of the positions
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.sinks, self.window, self.seen = sinks, window, 0
        self.k = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)
        self.where = torch.full((sinks + window,), -1, device=device)

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            p = self.seen
            i = p if p < self.sinks else self.sinks + (p - self.sinks) % self.window
            self.k[:, :, i] = k[:, :, t]
            self.v[:, :, i] = v[:, :, t]
            self.where[i] = p
            self.seen += 1
        used = min(self.seen, self.sinks + self.window)
        return self.k[:, :, :used], self.v[:, :, :used], self.where[:used].clone()
# %% single_3 < single_2: the sinks are the first tokens of each update, not of the text
-         self.where = torch.full((sinks + window,), -1, device=device)
~ p = self.seen => p = self.seen + t
~ p if p < => t if t <
-             self.where[i] = p
-             self.seen += 1
-         used = min(self.seen, self.sinks + self.window)
-         return self.k[:, :, :used], self.v[:, :, :used], self.where[:used].clone()
+         self.seen += k.shape[2]
+         ps = [p for p in range(self.seen) if p < self.sinks or p >= self.seen - self.window]
+         at = [p if p < self.sinks else self.sinks + (p - self.sinks) % self.window for p in ps]
+         return self.k[:, :, at], self.v[:, :, at], torch.tensor(ps, device=self.k.device)
# %% two_4: token p lies at p % (sinks + window), so the sinks are replaced | positions start again at 0 with what is kept
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.size, self.seen = sinks + window, 0
        self.k = torch.zeros(batch_size, num_heads, self.size, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, self.size, d_head, dtype=dtype, device=device)

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            i = self.seen % self.size
            self.k[:, :, i] = k[:, :, t]
            self.v[:, :, i] = v[:, :, t]
            self.seen += 1
        n = min(self.seen, self.size)
        order = [p % self.size for p in range(self.seen - n, self.seen)]
        return self.k[:, :, order], self.v[:, :, order], torch.arange(n)
