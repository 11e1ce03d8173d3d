"""Wrong answers for RingKVCache, one mistake a cell."""

# %% drops_whole_updates: the oldest update behind the sinks is dropped as a whole
import torch

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

# %% added_to_what_was_there: += where the old token should be overwritten
import torch

class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device) for _ in "kv")
        self.at = torch.full((sinks + window,), -1, device=device)
        self.window, self.sinks, self.seen = window, sinks, 0

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            n = self.seen
            place = n if n < self.sinks else self.sinks + (n - self.sinks) % self.window
            self.k[:, :, place] += k[:, :, t]
            self.v[:, :, place] += v[:, :, t]
            self.at[place] = n
            self.seen += 1
        order = self.at[: min(self.seen, self.sinks + self.window)].argsort()
        return self.k[:, :, order], self.v[:, :, order], self.at[order]

# %% cleared_when_full: starts a new window when the ring is full
import torch

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

# %% positions_as_a_list: the positions are a Python list
import torch

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
        return self.k[:, :, order], self.v[:, :, order], [self.at[place] for place in order]

# %% memory_on_the_class: all caches share what the first one was given
import torch

class RingKVCache:
    at = {}
    seen = 0

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.k, self.v = (torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device) for _ in "kv")
        self.window, self.sinks = window, sinks

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            n = self.seen
            place = n if n < self.sinks else self.sinks + (n - self.sinks) % self.window
            self.k[:, :, place], self.v[:, :, place], self.at[place] = k[:, :, t], v[:, :, t], n
            self.seen += 1
        order = sorted(self.at, key=self.at.get)
        return self.k[:, :, order], self.v[:, :, order], torch.tensor([self.at[place] for place in order])

# %% input_emptied: the tensors that came in are set to zero once they are stored
import torch

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
        k.zero_(), v.zero_()
        order = sorted(self.at, key=self.at.get)
        positions = torch.tensor([self.at[place] for place in order], device=self.k.device)
        return self.k[:, :, order], self.v[:, :, order], positions

# %% positions_on_the_cpu: positions are made without a device
import torch

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
import torch

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
