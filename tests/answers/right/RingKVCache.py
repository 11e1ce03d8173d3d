"""Right answers to `RingKVCache`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% places_by_formula: places follow from positions
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        room = (batch_size, num_heads, sinks + window, d_head)
        self.k, self.v = (torch.zeros(room, dtype=dtype, device=device) for _ in range(2))
        self.window, self.sinks, self.seen = window, sinks, 0

    def places(self, positions):
        return torch.where(positions < self.sinks, positions, self.sinks + (positions - self.sinks) % self.window)

    @torch.no_grad()
    def update(self, k, v):
        first, self.seen = self.seen, self.seen + k.shape[2]
        count = min(self.sinks, self.seen)
        ring = range(max(count, self.seen - self.window), self.seen)
        kept = torch.tensor([*range(count), *ring], device=self.k.device)
        new = torch.tensor([n for n in [*range(count), *ring] if n >= first], device=self.k.device)
        self.k[:, :, self.places(new)] = k[:, :, new - first]
        self.v[:, :, self.places(new)] = v[:, :, new - first]
        return self.k[:, :, self.places(kept)], self.v[:, :, self.places(kept)], kept
# %% token_loop: one token after the other, the position of each place in a tensor
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        size = sinks + window
        self.keys = torch.empty(batch_size, num_heads, size, d_head, dtype=dtype, device=device)
        self.values = torch.empty_like(self.keys)
        self.pos = torch.full((size,), -1, dtype=torch.long, device=device)
        self.window, self.sinks, self.n = window, sinks, 0

    def update(self, k, v):
        with torch.no_grad():
            for t in range(k.size(2)):
                if self.n < self.sinks:
                    slot = self.n
                else:
                    slot = self.sinks + (self.n - self.sinks) % self.window
                self.keys[:, :, slot] = k[:, :, t]
                self.values[:, :, slot] = v[:, :, t]
                self.pos[slot] = self.n
                self.n += 1
            filled = min(self.n, self.sinks + self.window)
            order = torch.argsort(self.pos[:filled])
            return self.keys[:, :, order], self.values[:, :, order], self.pos[order]
# %% two_memories: sinks and ring apart, the ring unrolled with roll
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        def room(n):
            return torch.zeros(2, batch_size, num_heads, n, d_head, dtype=dtype, device=device)
        self.sink_memory, self.ring = room(sinks), room(window)
        self.n_sinks, self.n_ring, self.device = 0, 0, device

    @torch.no_grad()
    def update(self, k, v):
        both = torch.stack((k, v))
        take = min(self.sink_memory.shape[3] - self.n_sinks, both.shape[3])
        self.sink_memory[:, :, :, self.n_sinks:self.n_sinks + take] = both[:, :, :, :take]
        self.n_sinks += take
        both = both[:, :, :, take:]
        window = self.ring.shape[3]
        skipped = max(both.shape[3] - window, 0)
        self.n_ring += skipped
        for token in both[:, :, :, skipped:].unbind(3):
            self.ring[:, :, :, self.n_ring % window] = token
            self.n_ring += 1
        if self.n_ring <= window:
            recent = self.ring[:, :, :, :self.n_ring]
        else:
            recent = self.ring.roll(-(self.n_ring % window), dims=3)
        k_all, v_all = torch.cat([self.sink_memory[:, :, :, :self.n_sinks], recent], dim=3)
        last = self.n_sinks + self.n_ring
        positions = torch.cat([torch.arange(self.n_sinks, device=self.device),
                               torch.arange(last - recent.shape[3], last, device=self.device)])
        return k_all, v_all, positions
# %% moved_up: fixed memory that is always in order; what stays is moved towards the front
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, window + sinks, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, window + sinks, d_head, dtype=dtype, device=device)
        self.capacity, self.sinks = window + sinks, sinks
        self.positions = []

    @torch.no_grad()
    def update(self, k, v):
        T = k.shape[2]
        start = self.positions[-1] + 1 if self.positions else 0
        everything = self.positions + list(range(start, start + T))
        surplus = max(len(everything) - self.capacity, 0)
        keep = list(range(self.sinks)) + list(range(self.sinks + surplus, len(everything)))
        keep = keep if surplus else list(range(len(everything)))
        old = len(self.positions)
        for memory, new in ((self.k, k), (self.v, v)):
            joined = torch.cat([memory[:, :, :old], new], dim=2)
            memory[:, :, :len(keep)] = joined[:, :, keep]
        self.positions = [everything[i] for i in keep]
        n = len(keep)
        return self.k[:, :, :n], self.v[:, :, :n], torch.tensor(self.positions, device=self.k.device)
# %% module_with_buffers: an nn.Module, index_copy_ and index_select
class RingKVCache(nn.Module):
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device=None):
        super().__init__()
        shape = (batch_size, num_heads, sinks + window, d_head)
        self.register_buffer("k_ring", torch.zeros(shape, dtype=dtype, device=device))
        self.register_buffer("v_ring", torch.zeros(shape, dtype=dtype, device=device))
        self.w, self.s, self.count = window, sinks, 0

    def slot(self, p):
        return p if p < self.s else self.s + (p - self.s) % self.w

    @torch.no_grad()
    def update(self, k, v):
        device = self.k_ring.device
        begin = self.count
        self.count += k.shape[2]
        held = sorted(set(range(min(self.s, self.count))) | set(range(max(self.count - self.w, 0), self.count)))
        fresh = [p for p in held if p >= begin]
        if fresh:
            src = torch.tensor([p - begin for p in fresh], device=device)
            dst = torch.tensor([self.slot(p) for p in fresh], device=device)
            self.k_ring.index_copy_(2, dst, k.index_select(2, src))
            self.v_ring.index_copy_(2, dst, v.index_select(2, src))
        order = torch.tensor([self.slot(p) for p in held], device=device)
        return self.k_ring.index_select(2, order), self.v_ring.index_select(2, order), torch.tensor(held, device=device)
# %% slices: two slices where the ring is crossed, no index tensors for writing
class RingKVCache:
    def __init__(self, B, H, W, d, sinks=0, dtype=torch.float32, device="cpu"):
        self.mem = torch.empty(2, B, H, sinks + W, d, dtype=dtype, device=device)
        self.S, self.W, self.total = sinks, W, 0

    def _write(self, at, part):
        self.mem[:, :, :, at:at + part.shape[3]].copy_(part)

    @torch.no_grad()
    def update(self, k, v):
        kv = torch.stack([k, v])
        start, self.total = self.total, self.total + k.shape[2]
        if start < self.S:
            part = kv[:, :, :, :self.S - start]
            self._write(start, part)
            kv, start = kv[:, :, :, part.shape[3]:], start + part.shape[3]
        extra = max(kv.shape[3] - self.W, 0)
        kv, start = kv[:, :, :, extra:], start + extra
        if kv.shape[3]:
            at = self.S + (start - self.S) % self.W
            until_end = self.S + self.W - at
            self._write(at, kv[:, :, :, :until_end])
            if kv.shape[3] > until_end:
                self._write(self.S, kv[:, :, :, until_end:])
        if self.total <= self.S + self.W:
            k_all, v_all = self.mem[:, :, :, :self.total]
            return k_all, v_all, torch.arange(self.total, device=self.mem.device)
        head = self.S + (self.total - self.S) % self.W
        k_all, v_all = torch.cat([self.mem[:, :, :, :self.S], self.mem[:, :, :, head:], self.mem[:, :, :, self.S:head]], 3)
        positions = torch.cat([torch.arange(self.S), torch.arange(self.total - self.W, self.total)])
        return k_all, v_all, positions.to(self.mem.device)
# %% pointer: a pointer that goes round, a list of positions; they come back as int32
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, **options):
        options = {"dtype": torch.float32, "device": "cpu"} | options
        self.k = torch.zeros(batch_size, num_heads, sinks + window, d_head, **options)
        self.v = torch.zeros_like(self.k)
        self.owner = []
        self.next, self.sinks, self.count = 0, sinks, 0

    def _advance(self):
        self.next += 1
        if self.next == self.k.shape[2]:
            self.next = self.sinks

    def update(self, k, v):
        with torch.no_grad():
            for key, value in zip(k.unbind(2), v.unbind(2)):
                self.k[:, :, self.next], self.v[:, :, self.next] = key, value
                if self.next < len(self.owner):
                    self.owner[self.next] = self.count
                else:
                    self.owner.append(self.count)
                self.count += 1
                self._advance()
        order = sorted(range(len(self.owner)), key=lambda place: self.owner[place])
        positions = torch.tensor([self.owner[place] for place in order], dtype=torch.int32, device=self.k.device)
        return self.k[:, :, order], self.v[:, :, order], positions
