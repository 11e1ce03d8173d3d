# %% places_by_formula: places follow from positions
# taken
import torch
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
# taken
import torch
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
# taken
import torch
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
# taken
import torch
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
# taken
import torch
from torch import nn
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
# %% pointer: a pointer that goes round, a list of positions; they come back as int32
# taken
import torch
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
# %% drops_whole_updates: the oldest update behind the sinks is dropped as a whole
# refused: shown
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
# refused: shown
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
# refused: shown
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
# refused: wrong_type
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
# refused: unsteady
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
# taken, one left 3.829: changes_input
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
# taken, one left 3.829: fixed_device
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
# refused, 3.486: shown
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
# %% written_under_autograd: no torch.no_grad(), so the memory belongs to the graph of every update
# taken, one left 3.829: keeps_graph
import torch
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
# refused, 3.829: keeps_inputs
import torch
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
# refused, 3.829: shared_memory
import torch
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
# %% strangers_2026_11/program_1
# taken
import torch
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
# %% strangers_2026_11/crash_1: line `self.count += T`: the counter is never set in __init__
# refused: shown
import torch
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
# %% strangers_2026_11/single_2: what comes back is in the order of the memory, not of the positions
# refused: order_of_memory
import torch
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
# %% strangers_2026_11/single_3: the sinks are the first tokens of each update, not of the text
# refused: sinks_of_each_update
import torch
class RingKVCache:
    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        self.sinks, self.window, self.seen = sinks, window, 0
        self.k = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, sinks + window, d_head, dtype=dtype, device=device)

    @torch.no_grad()
    def update(self, k, v):
        for t in range(k.shape[2]):
            p = self.seen + t
            i = t if t < self.sinks else self.sinks + (p - self.sinks) % self.window
            self.k[:, :, i] = k[:, :, t]
            self.v[:, :, i] = v[:, :, t]
        self.seen += k.shape[2]
        ps = [p for p in range(self.seen) if p < self.sinks or p >= self.seen - self.window]
        at = [p if p < self.sinks else self.sinks + (p - self.sinks) % self.window for p in ps]
        return self.k[:, :, at], self.v[:, :, at], torch.tensor(ps, device=self.k.device)
# %% strangers_2026_11/two_4: token p lies at p % (sinks + window), so the sinks are replaced | positions start again at 0 with what is kept
# refused: positions_counted_anew
import torch
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
