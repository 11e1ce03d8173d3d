"""Wrong answers for StaticKVCache, one mistake a cell."""
# %% one_buffer_for_both: a chained assignment makes keys and values the same memory
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
        self.max_len = max_len
        self.length = 0

    @torch.no_grad()
    def update(self, k, v):
        T = k.shape[2]
        if self.length + T > self.max_len:
            raise ValueError(f"cache is full: {self.length} + {T} > {self.max_len}")
        self.k[:, :, self.length:self.length + T] = k
        self.v[:, :, self.length:self.length + T] = v
        self.length += T
        return self.k[:, :, :self.length], self.v[:, :, :self.length]
# %% counts_before_checking: advances the position before looking for an overflow, so a refused update still counts
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device=None):
        shape = (batch_size, num_heads, max_len, d_head)
        self.keys = torch.empty(shape, dtype=dtype, device=device)
        self.values = torch.empty(shape, dtype=dtype, device=device)
        self.pos = 0

    def update(self, k, v):
        start = self.pos
        self.pos += k.size(2)
        if self.pos > self.keys.size(2):
            raise ValueError("does not fit")
        with torch.no_grad():
            self.keys[:, :, start:self.pos].copy_(k)
            self.values[:, :, start:self.pos].copy_(v)
        return self.keys[:, :, :self.pos], self.values[:, :, :self.pos]
# %% whole_buffer_returned: returns the full preallocated buffers, unused zeros included
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len = max_len
        self.cache_k = torch.zeros((batch_size, num_heads, max_len, d_head), dtype=dtype, device=device)
        self.cache_v = torch.zeros((batch_size, num_heads, max_len, d_head), dtype=dtype, device=device)
        self.filled = 0

    @torch.no_grad()
    def update(self, k, v):
        n = k.shape[-2]
        if self.filled + n > self.max_len:
            raise ValueError("static cache overflow")
        self.cache_k.narrow(2, self.filled, n).copy_(k)
        self.cache_v.narrow(2, self.filled, n).copy_(v)
        self.filled += n
        return self.cache_k, self.cache_v
# %% advances_by_one < right/two_buffers: moves on by one position per update, even when several tokens came
-         self.max_len = max_len
-         self.length = 0
+         self.t = 0
~ new = self.length + k.shape[2] => end = self.t + k.shape[2]
~ if new > self.max_len: => if end > self.k.shape[2]:
~ raise ValueError("the cache is full") => raise ValueError("too many tokens")
~ self.k[:, :, self.length:new] = k => self.k[:, :, self.t:end] = k
~ self.v[:, :, self.length:new] = v => self.v[:, :, self.t:end] = v
~ self.length = new => self.t += 1
~ return self.k[:, :, :new], self.v[:, :, :new] => return self.k[:, :, :end], self.v[:, :, :end]
# %% last_place_refused: compares with >= so the cache refuses the token that would fill it exactly
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        opts = dict(dtype=dtype, device=device)
        self.buf = torch.zeros(2, batch_size, num_heads, max_len, d_head, **opts)
        self.used, self.max_len = 0, max_len

    def update(self, k, v):
        with torch.no_grad():
            stop = self.used + k.shape[2]
            if stop >= self.max_len:
                raise ValueError("cache overflow")
            self.buf[0, :, :, self.used:stop] = k
            self.buf[1, :, :, self.used:stop] = v
            self.used = stop
            return self.buf[0, :, :, :stop], self.buf[1, :, :, :stop]
# %% dtype_not_passed_on: accepts dtype but allocates float32 memory all the same
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
# %% concatenates: joins the new tokens to the old ones, so nothing is reserved
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.k = torch.zeros(batch_size, num_heads, 0, d_head, dtype=dtype, device=device)
        self.v = self.k.clone()
        self.max_len = max_len

    def update(self, k, v):
        if self.k.shape[2] + k.shape[2] > self.max_len:
            raise ValueError("the cache is full")
        with torch.no_grad():
            self.k = torch.cat([self.k, k.to(self.k.dtype)], dim=2)
            self.v = torch.cat([self.v, v.to(self.v.dtype)], dim=2)
        return self.k, self.v
# %% copies_returned < right/two_buffers: writes in place but hands out copies of everything so far
-         self.v = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device)
-         self.max_len = max_len
+         self.v = torch.zeros_like(self.k)
~ new = self.length + k.shape[2] => end = self.length + k.shape[2]
~ if new > self.max_len: => if end > self.k.shape[2]:
~ self.k[:, :, self.length:new] = k => self.k[:, :, self.length:end] = k
~ self.v[:, :, self.length:new] = v => self.v[:, :, self.length:end] = v
~ self.length = new => self.length = end
~ return self.k[:, :, :new], self.v[:, :, :new] => return self.k[:, :, :end].clone(), self.v[:, :, :end].clone()
# %% one_token: advances by 1 only
class StaticKVCache:
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        self.max_len, self.n = max_len, 0
        self.k = torch.zeros(batch_size, num_heads, max_len, d_head, dtype=dtype, device=device); self.v = self.k.clone()
    def update(self, k, v):
        T = k.shape[2]
        if self.n + T > self.max_len: raise ValueError("full")
        self.k[:, :, self.n:self.n + T] = k; self.v[:, :, self.n:self.n + T] = v
        self.n += 1
        return self.k[:, :, :self.n], self.v[:, :, :self.n]
# %% ring: wraps around silently
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
# %% assert_overflow < one_token: IndexError on overflow
~ if self.n + T > self.max_len: raise ValueError("full") => if self.n + T > self.max_len: raise IndexError("full")
~ self.n += 1 => self.n += T
# %% device_ignored: the memory lies on the CPU, whatever device was asked for
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
