# %% rope_01: half-split (rotate_half) convention, x (B,H,T,d), offset for the cache
def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)

def apply_rope(x, offset=0, base=10000.0):
    T, d = x.shape[-2:]
    inv_freq = base ** (-torch.arange(0, d, 2, dtype=torch.float32) / d)
    pos = torch.arange(offset, offset + T, dtype=torch.float32)
    ang = torch.outer(pos, inv_freq)
    ang = torch.cat((ang, ang), dim=-1)
    return x * ang.cos() + rotate_half(x) * ang.sin()
# %% rope_02: complex numbers, interleaved pairs, x (B,T,H,d), rotates q and k together
def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0) -> torch.Tensor:
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t, freqs).float()
    return torch.polar(torch.ones_like(freqs), freqs)

def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    f = freqs_cis[None, :, None, :]
    q = torch.view_as_real(xq_ * f).flatten(3)
    k = torch.view_as_real(xk_ * f).flatten(3)
    return q.type_as(xq), k.type_as(xk)
# %% rope_03: plain loops, one sequence (T,d), explicit 2x2 rotation of neighbours, positions as a list
def rope(seq, positions=None, base=10000):
    T, d = seq.shape
    if positions is None:
        positions = list(range(T))
    res = np.zeros_like(seq, dtype=float)
    for t in range(T):
        for i in range(d // 2):
            theta = positions[t] / base ** (2 * i / d)
            c, s = math.cos(theta), math.sin(theta)
            x, y = seq[t, 2 * i], seq[t, 2 * i + 1]
            res[t, 2 * i] = x * c - y * s
            res[t, 2 * i + 1] = x * s + y * c
    return res
# %% rope_04: module with cos/sin tables, position_ids (B,T), partial rotary (only first rot_dim features), half-split
class RotaryEmbedding(nn.Module):
    def __init__(self, head_dim, max_position=256, base=10000.0, rot_dim=None):
        super().__init__()
        self.rot_dim = rot_dim or head_dim
        i = torch.arange(0, self.rot_dim, 2).float()
        ang = torch.einsum("p,f->pf", torch.arange(max_position).float(), 1.0 / base ** (i / self.rot_dim))
        self.register_buffer("cos", ang.cos())
        self.register_buffer("sin", ang.sin())

    def forward(self, x, position_ids):
        # x: (B, H, T, head_dim)
        cos = self.cos[position_ids].unsqueeze(1)
        sin = self.sin[position_ids].unsqueeze(1)
        half = self.rot_dim // 2
        x1 = x[..., :half]
        x2 = x[..., half:self.rot_dim]
        rest = x[..., self.rot_dim:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin, rest], dim=-1)
# %% rope_05: numpy, interleaved, in (B,T,H,d), written via strided slices, keyword-only start, may take per-row starts
def embed_positions(x, *, start=0, theta=1e4):
    B, T, H, D = x.shape
    assert D % 2 == 0
    start = np.broadcast_to(np.asarray(start), (B,))
    p = (start[:, None] + np.arange(T)[None, :])[:, :, None, None]
    w = np.exp(-np.log(theta) * np.arange(0, D, 2) / D)
    phi = p * w
    y = np.empty(x.shape, dtype=np.result_type(x, np.float32))
    y[..., 0::2] = x[..., 0::2] * np.cos(phi) - x[..., 1::2] * np.sin(phi)
    y[..., 1::2] = x[..., 0::2] * np.sin(phi) + x[..., 1::2] * np.cos(phi)
    return y
