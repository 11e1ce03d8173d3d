"""Right answers to the topic rope."""
# %% rotate_half: as in transformers
def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)

def rope(x):
    T, d = x.shape[-2], x.shape[-1]
    inv = 1.0 / 10000 ** (torch.arange(0, d, 2).float() / d)
    emb = torch.outer(torch.arange(T).float(), inv).repeat(1, 2)
    return x * emb.cos() + rotate_half(x) * emb.sin()
# %% complex_pairs: as in Llama, (B, T, H, d)
def apply_rotary_emb(xq, xk, freqs_cis):
    def turn(x):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(z * freqs_cis.view(1, x.shape[1], 1, -1)).flatten(3).type_as(x)
    return turn(xq), turn(xk)
# %% module_with_tables
class RotaryEmbedding(nn.Module):
    def __init__(self, dim, max_seq_len=2048, base=10000):
        super().__init__()
        theta = base ** (-torch.arange(0, dim, 2) / dim)
        angles = torch.arange(max_seq_len)[:, None] * theta
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def forward(self, x):
        T = x.shape[-2]
        a, b = x[..., 0::2], x[..., 1::2]
        c, s = self.cos[:T], self.sin[:T]
        return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
# %% numpy_loops: one sequence
def rope_np(X):
    T, d = X.shape
    Y = np.empty_like(X)
    for t in range(T):
        for j in range(0, d, 2):
            a = t / 10000 ** (j / d)
            Y[t, j] = X[t, j] * math.cos(a) - X[t, j + 1] * math.sin(a)
            Y[t, j + 1] = X[t, j] * math.sin(a) + X[t, j + 1] * math.cos(a)
    return Y
# %% positions_given
def rotary(x, positions, theta=10000.0):
    half = x.shape[-1] // 2
    f = theta ** (-torch.arange(half) / half)
    ang = positions[:, None].float() * f
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * ang.cos() - x2 * ang.sin(), x2 * ang.cos() + x1 * ang.sin()], -1)
# %% cos_sin_given: q and k
def apply_rotary_pos_emb(q, k, cos, sin):
    def rot(t):
        a, b = t[..., : t.shape[-1] // 2], t[..., t.shape[-1] // 2 :]
        return torch.cat([-b, a], -1)
    return q * cos + rot(q) * sin, k * cos + rot(k) * sin
# %% matrix: a rotation matrix for each position
def rope_matrix(vecs):
    out = []
    for pos, v in enumerate(vecs):
        d = len(v)
        R = np.zeros((d, d))
        for i in range(d // 2):
            a = pos * 10000 ** (-2 * i / d)
            R[2*i:2*i+2, 2*i:2*i+2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        out.append(R @ v)
    return np.array(out)
# %% class_with_offset: (B, T, H, d), q and k
class Rope:
    def __init__(self, head_dim, base=10_000.0):
        self.f = base ** (-torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)

    def __call__(self, q, k, start_pos=0):
        t = torch.arange(start_pos, start_pos + q.size(1), dtype=torch.float32)
        a = torch.einsum("t,f->tf", t, self.f)
        a = torch.cat([a, a], dim=-1)[None, :, None, :]
        r = lambda x: torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], -1)
        return q * a.cos() + r(q) * a.sin(), k * a.cos() + r(k) * a.sin()
# %% one_vector: and its position
def rope_vec(v, m):
    d = len(v)
    out = v.copy()
    for i in range(0, d, 2):
        t = m * 10000 ** (-i / d)
        out[i] = v[i] * np.cos(t) - v[i + 1] * np.sin(t)
        out[i + 1] = v[i] * np.sin(t) + v[i + 1] * np.cos(t)
    return out
# %% tokens_first: (T, H, d)
def apply_rope(x, base=10000.0):
    seq, heads, dim = x.shape
    freqs = 1.0 / (base ** (torch.arange(0, dim, 2).float() / dim))
    t = torch.outer(torch.arange(seq).float(), freqs)
    cos, sin = torch.cos(t)[:, None, :], torch.sin(t)[:, None, :]
    even, odd = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
# %% cached_tables_class
class RoPE(torch.nn.Module):
    def __init__(self, d_head, max_position_embeddings=64, rope_theta=10000.0):
        super().__init__()
        inv = 1.0 / rope_theta ** (torch.arange(0, d_head, 2).float() / d_head)
        f = torch.outer(torch.arange(max_position_embeddings).float(), inv)
        self.cos, self.sin = torch.cat([f, f], -1).cos(), torch.cat([f, f], -1).sin()

    @staticmethod
    def rotate(x):
        h = x.shape[-1] // 2
        return torch.cat([-x[..., h:], x[..., :h]], -1)

    def forward(self, q, k, position_ids=None):
        c, s = self.cos[: q.shape[-2]], self.sin[: q.shape[-2]]
        return q * c + self.rotate(q) * s, k * c + self.rotate(k) * s
# %% complex_numpy
def rope(x, base=10000):
    *_, T, d = x.shape
    theta = base ** (-2 * np.arange(d // 2) / d)
    z = x[..., 0::2] + 1j * x[..., 1::2]
    z = z * np.exp(1j * np.arange(T)[:, None] * theta)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)
# %% two_dim_angles
def rotate_queries_or_keys(t, seq_dim=-2):
    d = t.shape[-1]
    freqs = 1. / (10000 ** (torch.arange(0, d, 2)[: d // 2].float() / d))
    ang = torch.einsum("i,j->ij", torch.arange(t.shape[seq_dim]).float(), freqs).repeat_interleave(2, dim=-1)
    rot = torch.stack((-t[..., 1::2], t[..., ::2]), dim=-1).reshape(t.shape)
    return t * ang.cos() + rot * ang.sin()
# %% config_object: settings of which one is no size
from dataclasses import dataclass
import torch

@dataclass
class RotaryConfig:
    head_dim: int = 32
    base: float = 10000.0
    scaling: float = 1.0

def rotary(x, cfg):
    d = cfg.head_dim
    t = torch.arange(x.shape[-2]) / cfg.scaling
    a = t[:, None] * cfg.base ** (-torch.arange(0, d, 2) / d)
    e, o = x[..., ::2], x[..., 1::2]
    return torch.stack([e * a.cos() - o * a.sin(), e * a.sin() + o * a.cos()], -1).flatten(-2)
# %% config_class
class RopeArgs:
    def __init__(self, dim=64, theta=10000.0):
        self.dim, self.theta = dim, theta

def apply_rope(q, k, args: RopeArgs):
    def one(x):
        a = torch.outer(torch.arange(x.shape[-2]).float(), args.theta ** (-torch.arange(0, args.dim, 2) / args.dim))
        b, c = x.chunk(2, -1)
        return torch.cat([b * a.cos() - c * a.sin(), b * a.sin() + c * a.cos()], -1)
    return one(q), one(k)
# %% config_as_dict
def rope(x, config):
    d = config["head_dim"]
    a = np.arange(x.shape[-2])[:, None] * config["rope_theta"] ** (-np.arange(0, d, 2) / d)
    b, c = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([b * np.cos(a) - c * np.sin(a), c * np.cos(a) + b * np.sin(a)], -1)
# %% lists: a list of vectors, plain Python
def rotate_all(vectors):
    out = []
    for pos, v in enumerate(vectors):
        w = list(v)
        for i in range(0, len(v), 2):
            a = pos / 10000 ** (i / len(v))
            w[i] = v[i] * math.cos(a) - v[i + 1] * math.sin(a)
            w[i + 1] = v[i] * math.sin(a) + v[i + 1] * math.cos(a)
        out.append(w)
    return out
# %% lists_of_pairs
import cmath

def rope(xs):
    d = len(xs[0])
    turned = []
    for t, x in enumerate(xs):
        z = [complex(x[j], x[j + d // 2]) * cmath.exp(1j * t * 10000 ** (-2 * j / d)) for j in range(d // 2)]
        turned.append([c.real for c in z] + [c.imag for c in z])
    return turned
# %% lists_with_positions
def rope(rows, positions):
    def row(x, p):
        half = len(x) // 2
        c = [math.cos(p * 1e4 ** (-i / half)) for i in range(half)]
        s = [math.sin(p * 1e4 ** (-i / half)) for i in range(half)]
        return [x[i] * c[i] - x[i + half] * s[i] for i in range(half)] + [x[i] * s[i] + x[i + half] * c[i] for i in range(half)]
    return [row(x, p) for x, p in zip(rows, positions)]
# %% queries_keys_dim_base
def rope_qk(q, k, head_dim, base):
    a = torch.arange(q.shape[-2])[:, None] * base ** (-torch.arange(0, head_dim, 2) / head_dim)
    f = torch.polar(torch.ones_like(a), a)
    turn = lambda x: torch.view_as_real(torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) * f).flatten(-2)
    return turn(q), turn(k)
# %% tokens_heads_documented
def rotary(x):
    """x: (T, H, d)"""
    T, H, d = x.shape
    a = (np.arange(T)[:, None] * 1e4 ** (-np.arange(0, d, 2) / d))[:, None]
    b, c = np.split(x, 2, -1)
    return np.concatenate([b * np.cos(a) - c * np.sin(a), b * np.sin(a) + c * np.cos(a)], -1)
# %% ComplexRotary
class ComplexRotary(torch.nn.Module):
    """Queries and keys come as (batch, tokens, heads, features)."""

    def __init__(self, features, longest=256):
        super().__init__()
        speeds = 10000.0 ** (-torch.arange(0, features, 2) / features)
        self.turns = torch.exp(1j * torch.outer(torch.arange(longest), speeds))

    def turned(self, some, turns):
        pairs = torch.view_as_complex(some.float().reshape(*some.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(pairs * turns).flatten(-2)

    def forward(self, queries, keys, offset=0):
        turns = self.turns[offset : offset + queries.shape[1], None]
        return self.turned(queries, turns), self.turned(keys, turns)
