"""Wrong answers for RingKVCache, one mistake a cell."""
# %% drops_whole_updates: the oldest update behind the sinks is dropped as a whole
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.parts, self.room, self.sinks, self.seen = [], sinks + window, sinks, 0
        self.dtype, self.device = dtype, device

    @torch.no_grad()
    def update(self, k, v):
        positions = torch.arange(self.seen, self.seen + k.shape[2], device=self.device)
        self.seen += k.shape[2]
        self.parts.append((k.to(self.dtype), v.to(self.dtype), positions))
        while sum(part[2].numel() for part in self.parts) > self.room and len(self.parts) > 1:
            self.parts.pop(1 if self.sinks and len(self.parts) > 2 else 0)
        return tuple(torch.cat([part[i] for part in self.parts], dim=2 if i < 2 else 0) for i in range(3))
# %% added_to_what_was_there < positions_on_the_cpu: += where the old token should be overwritten
-         self.at = {}
+         self.at = torch.full((sinks + window,), -1, device=device)
-             self.k[:, :, place], self.v[:, :, place], self.at[place] = k[:, :, t], v[:, :, t], n
+             self.k[:, :, place] += k[:, :, t]
+             self.v[:, :, place] += v[:, :, t]
+             self.at[place] = n
-         order = sorted(self.at, key=self.at.get)
-         return self.k[:, :, order], self.v[:, :, order], torch.tensor([self.at[place] for place in order])
+         order = self.at[: min(self.seen, self.sinks + self.window)].argsort()
+         return self.k[:, :, order], self.v[:, :, order], self.at[order]
# %% cleared_when_full: starts a new window when the ring is full
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device) for _ in "kv")
        self.at = []
        self.sinks, self.seen = sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            if len(self.at) == self.k.shape[2]:
                self.at = self.at[: self.sinks]
            self.k[:, :, len(self.at)], self.v[:, :, len(self.at)] = k[:, :, t], v[:, :, t]
            self.at.append(self.seen)
            self.seen += 1
        n = len(self.at)
        return self.k[:, :, :n], self.v[:, :, :n], torch.tensor(self.at, device=self.k.device)
# %% positions_as_a_list < positions_on_the_cpu: the positions are a Python list
~ torch.tensor([self.at[place] for place in order]) => [self.at[place] for place in order]
# %% memory_on_the_class < positions_on_the_cpu: all caches share what the first one was given
  class RingKVCache:
+     at = {}
+     seen = 0
+
-         self.at = {}
-         self.window, self.sinks, self.seen = window, sinks, 0
+         self.window, self.sinks = window, sinks
# %% input_emptied < positions_on_the_cpu: the tensors that came in are set to zero once they are stored
              self.seen += 1
+         k.zero_(), v.zero_()
-         return self.k[:, :, order], self.v[:, :, order], torch.tensor([self.at[place] for place in order])
+         positions = torch.tensor([self.at[place] for place in order], device=self.k.device)
+         return self.k[:, :, order], self.v[:, :, order], positions
# %% positions_on_the_cpu: positions are made without a device
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device) for _ in "kv")
        self.at = {}
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            n = self.seen
            place = n if n < self.sinks else self.sinks + (n - self.sinks) % self.window
            self.k[:, :, place], self.v[:, :, place], self.at[place] = k[:, :, t], v[:, :, t], n
            self.seen += 1
        order = sorted(self.at, key=self.at.get)
        return self.k[:, :, order], self.v[:, :, order], torch.tensor([self.at[place] for place in order])
# %% values_of_the_long_update_from_its_start: of a long update, keys are cut in front and values behind
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device) for _ in "kv")
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        T = k.shape[2]
        k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.seen += T
        first = min(self.sinks, self.seen)
        rest = min(self.seen - first, self.window)
        n = k.shape[2]
        self.k = torch.cat([k[:, :, :first], k[:, :, n - rest:]], 2)
        values = v[:, :, first:first + rest] if T > self.window else v[:, :, n - rest:]
        self.v = torch.cat([v[:, :, :first], values], 2)
        positions = [*range(first), *range(self.seen - rest, self.seen)]
        return self.k, self.v, torch.tensor(positions, device=self.k.device)
# %% modulo_of_the_whole: every token goes to p % (sinks + window), and is read back from there
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.room = sinks + window
        self.k, self.v = (torch.zeros(batch_size, num_heads, self.room, d_head, dtype=dtype, device=device) for _ in "kv")
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            self.k[:, :, self.seen % self.room] = k[:, :, t]
            self.v[:, :, self.seen % self.room] = v[:, :, t]
            self.seen += 1
        first = min(self.sinks, self.seen)
        kept = [*range(first), *range(max(first, self.seen - self.window), self.seen)]
        places = [p % self.room for p in kept]
        return self.k[:, :, places], self.v[:, :, places], torch.tensor(kept, device=self.k.device)
# %% written_under_autograd: no torch.no_grad(), so the memory belongs to the graph of every update
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device) for _ in "kv")
        self.window, self.sinks, self.seen = window, sinks, 0

    def update(self, k, v):
        first, self.seen = self.seen, self.seen + k.shape[2]
        head = min(self.sinks, self.seen)
        kept = [*range(head), *range(max(head, self.seen - self.window), self.seen)]
        places = [p if p < self.sinks else self.sinks + (p - self.sinks) % self.window for p in kept]
        new = [(place, p - first) for place, p in zip(places, kept) if p >= first]
        for memory, tokens in ((self.k, k), (self.v, v)):
            memory[:, :, [place for place, _ in new]] = tokens[:, :, [t for _, t in new]]
        return self.k[:, :, places], self.v[:, :, places], torch.tensor(kept, device=self.k.device)
# %% keeps_the_callers_tensors: views of k and v are kept, and read again in later updates
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.tokens, self.window, self.sinks, self.device = [], window, sinks, device
        self.empty = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)

    @torch.no_grad()
    def update(self, k, v):
        start = self.tokens[-1][0] + 1 if self.tokens else 0
        self.tokens += [(start + t, k[:, :, t:t + 1], v[:, :, t:t + 1]) for t in range(k.shape[2])]
        seen = start + k.shape[2]
        self.tokens = [token for token in self.tokens if token[0] < self.sinks or token[0] >= seen - self.window]
        keys = torch.cat([self.empty, *(token[1] for token in self.tokens)], dim=2)
        values = torch.cat([self.empty, *(token[2] for token in self.tokens)], dim=2)
        return keys, values, torch.tensor([token[0] for token in self.tokens], device=self.device)
# %% memory_for_each_size: caches of one size share their memory, and each has its own counter
class RingKVCache:
    memory = {}

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        shape = (2, batch_size, num_heads, sinks + window, d_head)
        key = (shape, dtype, device)
        if key not in self.memory:
            self.memory[key] = torch.zeros(shape, dtype=dtype, device=device)
        self.k, self.v = self.memory[key]
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            n = self.seen
            place = n if n < self.sinks else self.sinks + (n - self.sinks) % self.window
            self.k[:, :, place], self.v[:, :, place] = k[:, :, t], v[:, :, t]
            self.seen += 1
        first = min(self.sinks, self.seen)
        kept = [*range(first), *range(max(first, self.seen - self.window), self.seen)]
        places = [n if n < self.sinks else self.sinks + (n - self.sinks) % self.window for n in kept]
        return self.k[:, :, places], self.v[:, :, places], torch.tensor(kept, device=self.k.device)
