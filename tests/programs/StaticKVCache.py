# %% one_tensor: keys and values in one block of memory
# taken
import torch
class StaticKVCache:
    def __init__(self, B, H, L, d, dtype=torch.float32, device="cpu"):
        self.data = torch.zeros((2, B, H, L, d), dtype=dtype, device=device)
        self.t = 0

    def update(self, k, v):
        end = self.t + k.shape[-2]
        if end > self.data.shape[3]:
            raise ValueError("overflow")
        self.data[0, :, :, self.t:end, :] = k.detach()
        self.data[1, :, :, self.t:end, :] = v.detach()
        self.t = end
        keys, values = self.data[:, :, :, :end].unbind(0)
        return keys, values
# %% index_copy: positions as an index tensor
# taken
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device=torch.device("cpu")):
        size = [batch_size, num_heads, max_len, d_head]
        self.K = torch.zeros(*size, dtype=dtype, device=device)
        self.V = torch.zeros(*size, dtype=dtype, device=device)
        self.filled = 0

    @torch.no_grad()
    def update(self, k, v):
        where = torch.arange(self.filled, self.filled + k.shape[2], device=self.K.device)
        if self.filled + len(where) > self.K.shape[2]:
            raise ValueError("no room left")
        self.K.index_copy_(2, where, k.to(self.K.dtype))
        self.V.index_copy_(2, where, v.to(self.V.dtype))
        self.filled += len(where)
        return self.K[..., :self.filled, :], self.V[..., :self.filled, :]
# %% token_by_token: a loop over the new tokens, the room asserted first
# taken
import torch
class StaticKVCache(object):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.capacity = max_len
        self.keys = torch.full((batch_size, num_heads, max_len, d_head), 0.0, dtype=dtype, device=device)
        self.values = torch.full((batch_size, num_heads, max_len, d_head), 0.0, dtype=dtype, device=device)
        self.used = 0

    def update(self, k, v):
        assert self.used + k.shape[2] <= self.capacity, "the static cache is full"
        with torch.no_grad():
            for i in range(k.shape[2]):
                self.keys[:, :, self.used] = k[:, :, i]
                self.values[:, :, self.used] = v[:, :, i]
                self.used = self.used + 1
        return self.keys[:, :, 0:self.used], self.values[:, :, 0:self.used]
# %% other_memory_order: stored as (max_len, B, H, d_head), handed out as permuted views
# taken
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.buf_k = torch.zeros(max_len, batch_size, num_heads, d_head, dtype=dtype, device=device)
        self.buf_v = torch.zeros(max_len, batch_size, num_heads, d_head, dtype=dtype, device=device)
        self.n = 0

    @torch.no_grad()
    def update(self, k, v):
        m = self.n + k.shape[2]
        if m > len(self.buf_k):
            raise ValueError("too many tokens")
        self.buf_k[self.n:m] = k.permute(2, 0, 1, 3)
        self.buf_v[self.n:m] = v.permute(2, 0, 1, 3)
        self.n = m
        return self.buf_k[:m].permute(1, 2, 0, 3), self.buf_v[:m].permute(1, 2, 0, 3)
# %% one_buffer: K and V in one tensor, copy_
# taken
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.memory = torch.empty(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.used = 0
    @torch.no_grad()
    def update(self, k, v):
        end = self.used + k.shape[-2]
        if end > self.memory.shape[-2]:
            raise ValueError("no room")
        self.memory[0, :, :, self.used:end].copy_(k)
        self.memory[1, :, :, self.used:end].copy_(v)
        self.used = end
        return tuple(self.memory[:, :, :, :end])
# %% module_with_buffers_again: nn.Module, stored tokens first
# taken
import torch
from torch import nn
class StaticKVCache(nn.Module):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        super().__init__()
        for name in "kv":
            self.register_buffer(name, torch.zeros(max_len, batch_size, num_heads, d_head, dtype=dtype, device=device))
        self.n = 0
    @torch.no_grad()
    def update(self, k, v):
        T = k.shape[2]
        if self.n + T > len(self.k):
            raise ValueError("full")
        self.k[self.n:self.n + T] = k.permute(2, 0, 1, 3)
        self.v[self.n:self.n + T] = v.permute(2, 0, 1, 3)
        self.n += T
        return self.k[:self.n].permute(1, 2, 0, 3), self.v[:self.n].permute(1, 2, 0, 3)
# %% advances_by_one: moves on by one position per update, even when several tokens came
# refused: entries_elsewhere; seeds 20260720, 11 refused: shown
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.t = 0

    @torch.no_grad()
    def update(self, k, v):
        end = self.t + k.shape[2]
        if end > self.k.shape[2]:
            raise ValueError("too many tokens")
        self.k[:, :, self.t:end] = k
        self.v[:, :, self.t:end] = v
        self.t += 1
        return self.k[:, :, :end], self.v[:, :, :end]
# %% dtype_not_passed_on: accepts dtype but allocates float32 memory all the same
# taken, one left 2.82: casts_dtype
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k_cache = torch.zeros(batch_size, num_heads, max_len, d_head, device=device)
        self.v_cache = torch.zeros(batch_size, num_heads, max_len, d_head, device=device)
        self.current_len = 0
        self.max_len = max_len
        self.dtype = dtype

    @torch.no_grad()
    def update(self, k, v):
        new_len = self.current_len + k.size(2)
        if new_len > self.max_len:
            raise ValueError(f"Cannot store {new_len} tokens in a cache of {self.max_len}")
        self.k_cache[:, :, self.current_len:new_len, :] = k
        self.v_cache[:, :, self.current_len:new_len, :] = v
        self.current_len = new_len
        return self.k_cache[:, :, :new_len, :], self.v_cache[:, :, :new_len, :]
# %% ring: wraps around silently
# refused, 2.46: overflow_not_refused
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len, self.n = max_len, 0
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device); self.v = self.k.clone()
    def update(self, k, v):
        for t in range(k.shape[2]):
            self.k[:, :, self.n % self.max_len] = k[:, :, t]; self.v[:, :, self.n % self.max_len] = v[:, :, t]
            self.n += 1
        n = min(self.n, self.max_len)
        return self.k[:, :, :n], self.v[:, :, :n]
# %% assert_overflow: IndexError on overflow
# refused, 2.46: shown
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len, self.n = max_len, 0
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device); self.v = self.k.clone()
    def update(self, k, v):
        T = k.shape[2]
        if self.n + T > self.max_len: raise IndexError("full")
        self.k[:, :, self.n:self.n + T] = k; self.v[:, :, self.n:self.n + T] = v
        self.n += T
        return self.k[:, :, :self.n], self.v[:, :, :self.n]
# %% device_ignored: the memory lies on the CPU, whatever device was asked for
# taken, one left 2.82: fixed_device
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.memory = torch.zeros(2, batch_size, num_heads, max_len, d_head, dtype=dtype)
        self.length = 0

    @torch.no_grad()
    def update(self, k, v):
        end = self.length + k.shape[2]
        if end > self.memory.shape[3]:
            raise ValueError("full")
        self.memory[0, :, :, self.length : end] = k
        self.memory[1, :, :, self.length : end] = v
        self.length = end
        return self.memory[0, :, :, :end], self.memory[1, :, :, :end]
# %% memory_of_the_class: every cache of one size writes into the same memory
# refused, 2.82: shared_memory
import torch
class StaticKVCache:
    pool = {}

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        key = (batch_size, num_heads, max_len, d_head, dtype, str(device))
        if key not in self.pool:
            self.pool[key] = torch.zeros(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.memory, self.length = self.pool[key], 0

    def update(self, k, v):
        end = self.length + k.shape[2]
        if end > self.memory.shape[3]:
            raise ValueError("full")
        self.memory[:, :, :, self.length : end] = torch.stack([k, v])
        self.length = end
        return tuple(self.memory[:, :, :, :end])
# %% in_the_graph: all right, but written where gradients are recorded
# taken, one left 2.82: keeps_graph
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.both = torch.zeros(2, batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.filled = 0

    def update(self, k, v):
        begin, self.filled = self.filled, self.filled + k.shape[2]
        if self.filled > self.both.shape[3]:
            self.filled = begin
            raise ValueError("full")
        self.both[0, :, :, begin:self.filled], self.both[1, :, :, begin:self.filled] = k, v
        return self.both[0, :, :, :self.filled], self.both[1, :, :, :self.filled]
# %% strangers_2026_11/program_1
# taken
import torch
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
# %% strangers_2026_11/crash_1: line `self.k[:, self.pos:end] = k`: the memory is laid out (B, H, T, d), the token axis is 2, not 1
# refused: shown
import torch
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
# %% strangers_2026_11/single_2: the length is counted up before the check, after a refused update nothing fits any more
# refused, 2.64: overflow_moves_length
import torch
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
# %% strangers_2026_11/single_3: an update that fills the last place is refused (>= instead of >)
# refused: full_too_early
import torch
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
# %% strangers_2026_11/single_4: the memory grows by cat at every update, what comes back is no view of reserved memory
# refused: not_views
import torch
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
# %% blind_2026_11_29/c_local_variable: crash: `length` used without self (UnboundLocalError)
# refused: before_assignment
import torch
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.length, self.max_len = 0, max_len

    def update(self, k, v):
        T = k.shape[2]
        if length + T > self.max_len:
            raise ValueError("full")
        with torch.no_grad():
            self.k[:, :, length:length + T] = k
            self.v[:, :, length:length + T] = v
        length += T
        return self.k[:, :, :length], self.v[:, :, :length]
