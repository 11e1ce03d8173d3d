"""Wrong answers to the topic rope."""
# %% mixed_half < half_lost
~ (torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)) => (torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)).repeat_interleave(2, -1)
~ return b * a.cos() - c * a.sin() => return x * a.cos() + torch.cat([-c, b], -1) * a.sin()
# %% mixed_pairs < own_sine
-     return x * a.cos() + x * a.sin()
+     r = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
+     return x * a.cos() + r * a.sin()
# %% backwards < half_lost
~ (torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)) => (torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)).repeat(1, 2)
~ return b * a.cos() - c * a.sin() => return x * a.cos() + torch.cat([c, -b], -1) * a.sin()
# %% from_one < half_exponent
~ (T).float(), 10000 ** (-torch.arange(d // 2) / d) => (1, T + 1).float(), 10000 ** (-torch.arange(0, d, 2) / d)
# %% half_exponent
def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(d // 2) / d))
    b, c = x.chunk(2, -1)
    return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1)
# %% double_exponent
def f(x):
    T, d = x.shape[-2:]
    a = np.outer(np.arange(T), 10000.0 ** (-2 * np.arange(0, d, 2) / d))
    b, c = x[..., ::2], x[..., 1::2]
    return np.stack([b * np.cos(a) - c * np.sin(a), b * np.sin(a) + c * np.cos(a)], -1).reshape(x.shape)
# %% upwards < half_exponent
~ float(), 10000 ** (-torch.arange(d // 2) / d) => double(), 10000 ** (torch.arange(0, d, 2).double() / d)
~ ([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1) => ([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1).float()
# %% both_plus < half_exponent
~ (d // 2) => (0, d, 2)
~ - c * a. => + c * a.
# %% own_sine
def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)).repeat(1, 2)
    return x * a.cos() + x * a.sin()
# %% added
def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    pe = torch.zeros(T, d)
    pe[:, ::2], pe[:, 1::2] = a.sin(), a.cos()
    return x + pe
# %% only_q
def f(q, k):
    T, d = q.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    b, c = q.chunk(2, -1)
    return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1), k
# %% unchanged
def f(x):
    return x
# %% one_rate < half_exponent
~ outer(torch.arange(T).float(), 10000 ** (-torch.arange(d // 2) / d)) => arange(T).float()[:, None].expand(T, d // 2)
# %% half_lost
def f(x):
    T, d = x.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    b, c = x.chunk(2, -1)
    return b * a.cos() - c * a.sin()
# %% degrees < half_exponent
~ outer(torch.arange(T).float(), 10000 ** (-torch.arange(d // 2) / d)) => deg2rad(torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d)))
# %% other_base < half_exponent
~ 10000 ** (-torch.arange(d // 2) / d) => 1000 ** (-torch.arange(0, d, 2) / d)
# %% keys_back
def f(q, k):
    T, d = q.shape[-2:]
    a = torch.outer(torch.arange(T).float(), 10000 ** (-torch.arange(0, d, 2) / d))
    def turn(x, s):
        b, c = x.chunk(2, -1)
        return torch.cat([b * a.cos() - c * s * a.sin(), b * s * a.sin() + c * a.cos()], -1)
    return turn(q, 1), turn(k, -1)
# %% keys_from_one
def f(q, k):
    T, d = q.shape[-2:]
    r = 10000 ** (-torch.arange(0, d, 2) / d)
    def turn(x, p):
        a = p[:, None] * r
        b, c = x[..., ::2], x[..., 1::2]
        return torch.stack([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1).flatten(-2)
    return turn(q, torch.arange(T)), turn(k, torch.arange(1, T + 1))
# %% list_overwritten
def f(rows):
    out = [list(r) for r in rows]
    for t, r in enumerate(out):
        h = len(r) // 2
        for j in range(h):
            a = t * 10000 ** (-2 * j / len(r))
            r[j] = r[j] * math.cos(a) - r[j + h] * math.sin(a)
            r[j + h] = r[j] * math.sin(a) + r[j + h] * math.cos(a)
    return out
# %% own_angle_each
def f(x):
    T, d = x.shape[-2:]
    a = np.arange(T)[:, None] / 10000 ** (np.arange(d) / d)
    r = np.concatenate([-x[..., d // 2:], x[..., : d // 2]], -1)
    return x * np.cos(a) + r * np.sin(a)
# %% half_unturned < half_lost
~ return b * a.cos() - c * a.sin() => return torch.cat([b * a.cos() - c * a.sin(), c], -1)
# %% exponent_one_later < half_exponent
~ (d // 2) => (2, d + 2, 2)
