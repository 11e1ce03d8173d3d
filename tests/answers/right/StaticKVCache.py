"""Right answers to `StaticKVCache`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% two_buffers: zeros and a counter
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.max_len = max_len
        self.length = 0

    @torch.no_grad()
    def update(self, k, v):
        new = self.length + k.shape[2]
        if new > self.max_len:
            raise ValueError("the cache is full")
        self.k[:, :, self.length:new] = k
        self.v[:, :, self.length:new] = v
        self.length = new
        return self.k[:, :, :new], self.v[:, :, :new]
# %% empty_narrow_copy: torch.empty, narrow and copy_
from typing import Tuple
import torch

class StaticKVCache:
    """Preallocated keys and values."""

    def __init__(self, batch_size: int, num_heads: int, max_len: int, d_head: int,
                 dtype: torch.dtype = torch.float32, device=None) -> None:
        shape = (batch_size, num_heads, max_len, d_head)
        self._keys = torch.empty(shape, dtype=dtype, device=device)
        self._values = torch.empty_like(self._keys)
        self._pos = 0

    def update(self, k: torch.Tensor, v: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
        n = k.size(-2)
        if self._pos + n > self._keys.size(-2):
            raise ValueError(f"{self._pos} + {n} tokens do not fit into {self._keys.size(-2)}")
        with torch.no_grad():
            self._keys.narrow(2, self._pos, n).copy_(k)
            self._values.narrow(2, self._pos, n).copy_(v)
        self._pos += n
        return self._keys.narrow(2, 0, self._pos), self._values.narrow(2, 0, self._pos)
# %% one_tensor: keys and values in one block of memory
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
# %% module_with_buffers: an nn.Module that registers its memory
class StaticKVCache(nn.Module):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device=None):
        super().__init__()
        self.max_len = max_len
        self.register_buffer("k_cache", torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device))
        self.register_buffer("v_cache", torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device))
        self.seen = 0

    @torch.no_grad()
    def update(self, k, v):
        start, stop = self.seen, self.seen + k.shape[2]
        if stop > self.max_len:
            raise ValueError(f"cannot hold {stop} tokens, only {self.max_len}")
        self.k_cache[:, :, start:stop].copy_(k)
        self.v_cache[:, :, start:stop].copy_(v)
        self.seen = stop
        return self.k_cache[:, :, :stop], self.v_cache[:, :, :stop]
# %% index_copy: positions as an index tensor
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
# %% dict_and_helpers: memory in a dict, helper methods, a property; a print left in
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.store = {name: torch.empty(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
                      for name in ("k", "v")}
        self.count = 0

    @property
    def room(self):
        return self.store["k"].shape[2] - self.count

    def _write(self, name, new):
        self.store[name][:, :, self.count:self.count + new.shape[2]] = new

    def _read(self, name):
        return self.store[name][:, :, :self.count]

    @torch.no_grad()
    def update(self, k, v):
        if k.shape[2] > self.room:
            raise ValueError(f"room for {self.room}, got {k.shape[2]}")
        self._write("k", k)
        self._write("v", v)
        self.count += k.shape[2]
        print("cache holds", self.count)
        return self._read("k"), self._read("v")
# %% keyword_factory: dtype and device collected as keywords with the stated defaults; warns when it is nearly full
import warnings
import torch

class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, **options):
        options.setdefault("dtype", torch.float32)
        options.setdefault("device", "cpu")
        self.pair = [torch.zeros(batch_size, num_heads, max_len, d_head, **options) for _ in range(2)]
        self.max_len = max_len
        self.position = 0

    def update(self, k, v):
        begin = self.position
        finish = begin + k.shape[2]
        if finish > self.max_len:
            raise ValueError("overflow of the static cache")
        if finish == self.max_len:
            warnings.warn("the static cache is now full")
        with torch.no_grad():
            for memory, fresh in zip(self.pair, (k, v)):
                memory[:, :, begin:finish, :] = fresh
        self.position = finish
        return tuple(memory[:, :, :finish, :] for memory in self.pair)
# %% one_buffer: K and V in one tensor, copy_
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
# %% narrow_and_property: helper properties, index_copy_
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        shape = (batch_size, num_heads, max_len, d_head)
        self._k, self._v = torch.zeros(shape, dtype=dtype, device=device), torch.zeros(shape, dtype=dtype, device=device)
        self._length = 0
    @property
    def max_len(self):
        return self._k.size(2)
    def __len__(self):
        return self._length
    def update(self, k, v):
        n = k.size(2)
        if len(self) + n > self.max_len:
            raise ValueError(f"{n} more do not fit")
        where = torch.arange(len(self), len(self) + n, device=self._k.device)
        self._k.index_copy_(2, where, k.detach())
        self._v.index_copy_(2, where, v.detach())
        self._length += n
        return self._k.narrow(2, 0, len(self)), self._v.narrow(2, 0, len(self))
# %% module_with_buffers_again: nn.Module, stored tokens first
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
