"""Right answers to `online_softmax_attention`, in the styles of many people. Cells are separated by lines that start with `# %%`."""
# %% slices: the textbook loop over slices
def online_softmax_attention(Q, K, V, block_size):
    T_q, d = Q.shape[-2:]
    T_k = K.shape[-2]
    wide = torch.float64 if Q.dtype == torch.float64 else torch.float32
    m = torch.full(Q.shape[:-1] + (1,), float("-inf"), dtype=wide, device=Q.device)
    l = torch.zeros_like(m)
    acc = torch.zeros_like(Q, dtype=wide)
    for start in range(0, T_k, block_size):
        stop = min(start + block_size, T_k)
        s = (Q @ K[..., start:stop, :].transpose(-2, -1)).to(wide) / math.sqrt(d)
        m_new = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
        p = torch.exp(s - m_new)
        alpha = torch.exp(m - m_new)
        l = alpha * l + p.sum(dim=-1, keepdim=True)
        acc = alpha * acc + p @ V[..., start:stop, :].to(wide)
        m = m_new
    return (acc / l).to(Q.dtype)
# %% key by key: blocks of one, by plain products, whatever the block size
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    Q, K, V = (t if dtype == torch.float64 else t.float() for t in (Q, K, V))
    best = total = out = None
    for k, v in zip(K.unbind(-2), V.unbind(-2)):
        score = (Q * k.unsqueeze(-2)).sum(-1, keepdim=True) * Q.shape[-1] ** -0.5
        if best is None:
            best, total, out = score, torch.ones_like(score), v.unsqueeze(-2).expand_as(Q)
            continue
        top = torch.where(score > best, score, best)
        old, new = (best - top).exp(), (score - top).exp()
        best, total, out = top, total * old + new, out * old + new * v.unsqueeze(-2)
    return (out / total).to(dtype)
# %% two passes: the largest score of each query first, the sums afterwards
def online_softmax_attention(Q, K, V, block_size):
    narrow, wide = Q.dtype, torch.promote_types(Q.dtype, torch.float32)
    Q, K, V = Q.to(wide) / Q.shape[-1] ** 0.5, K.to(wide), V.to(wide)
    k_blocks, v_blocks = K.split(block_size, dim=-2), V.split(block_size, dim=-2)
    top = None
    for k in k_blocks:
        block_top = (Q @ k.mT).amax(-1, keepdim=True)
        top = block_top if top is None else torch.maximum(top, block_top)
    numerator = denominator = 0
    for k, v in zip(k_blocks, v_blocks):
        e = torch.exp(Q @ k.mT - top)
        numerator = numerator + e @ v
        denominator = denominator + e.sum(-1, keepdim=True)
    return (numerator / denominator).to(narrow)
# %% log-sum-exp: finished blocks are merged by their log-sum-exp
def online_softmax_attention(Q, K, V, block_size):
    dtype = torch.float32 if Q.dtype.itemsize < 4 else Q.dtype
    out, lse = torch.zeros_like(Q, dtype=dtype), Q.new_full((*Q.shape[:-1], 1), -torch.inf, dtype=dtype)
    for k, v in zip(K.split(block_size, -2), V.split(block_size, -2)):
        s = torch.matmul(Q, k.transpose(-1, -2)).to(dtype) / (Q.shape[-1] ** 0.5)
        block_lse = torch.logsumexp(s, -1, keepdim=True)
        block_out = torch.softmax(s, -1) @ v.to(dtype)
        both = torch.logaddexp(lse, block_lse)
        out = out * (lse - both).exp() + block_out * (block_lse - both).exp()
        lse = both
    return out.to(Q.dtype)
# %% split keys: all blocks by themselves, and one softmax over their log-sum-exps
def online_softmax_attention(Q, K, V, block_size):
    outs, lses = [], []
    for k, v in zip(K.split(block_size, dim=-2), V.split(block_size, dim=-2)):
        s = (Q @ k.transpose(-2, -1)) * Q.shape[-1] ** -0.5
        s = s.to(torch.promote_types(s.dtype, torch.float32))
        outs.append(s.softmax(-1) @ v.to(s.dtype))
        lses.append(s.logsumexp(-1))
    share = torch.stack(lses).softmax(0).unsqueeze(-1)
    return (share * torch.stack(outs)).sum(0).to(Q.dtype)
# %% always normalised: the first FlashAttention's order, divided at every step
def online_softmax_attention(Q, K, V, block_size):
    scale, given = Q.shape[-1] ** 0.5, Q.dtype
    if given in (torch.bfloat16, torch.float16):
        Q, K, V = Q.float(), K.float(), V.float()
    O = torch.zeros_like(Q)
    l = Q.new_zeros(Q.shape[:-1]).unsqueeze(-1)
    m = torch.full_like(l, torch.finfo(Q.dtype).min)
    for j in range(0, K.shape[-2], block_size):
        S = Q @ K[..., j:j + block_size, :].transpose(-2, -1) / scale
        m_block = S.amax(dim=-1, keepdim=True)
        P = torch.exp(S - m_block)
        l_block = P.sum(dim=-1, keepdim=True)
        m_new = torch.maximum(m, m_block)
        l_new = torch.exp(m - m_new) * l + torch.exp(m_block - m_new) * l_block
        O = (l * torch.exp(m - m_new) * O + torch.exp(m_block - m_new) * (P @ V[..., j:j + block_size, :])) / l_new
        m, l = m_new, l_new
    return O.to(given)
# %% tiles: blocks of queries outside, blocks of keys inside
def attend_tile(q, K, V, block_size):
    m, l, o = None, None, None
    for k, v in zip(torch.split(K, block_size, -2), torch.split(V, block_size, -2)):
        s = q @ k.mT / q.shape[-1] ** 0.5
        top = s.detach().amax(-1, keepdim=True)
        if m is not None:
            top = torch.maximum(m, top)
        p = (s - top).exp()
        if m is None:
            l, o = p.sum(-1, keepdim=True), p @ v
        else:
            l, o = (m - top).exp() * l + p.sum(-1, keepdim=True), (m - top).exp() * o + p @ v
        m = top
    return o / l

def online_softmax_attention(Q, K, V, block_size):
    if Q.dtype != torch.float64:
        return torch.cat([attend_tile(q.float(), K.float(), V.float(), block_size).to(Q.dtype) for q in Q.split(block_size, -2)], -2)
    return torch.cat([attend_tile(q, K, V, block_size) for q in Q.split(block_size, -2)], -2)
# %% halves: the keys are halved until they fit a block, and the halves are merged
def parts(Q, K, V, block_size):
    n = K.shape[-2]
    if n <= block_size:
        s = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        m = s.amax(-1, keepdim=True)
        e = (s - m).exp()
        return m, e.sum(-1, keepdim=True), e @ V
    m1, l1, o1 = parts(Q, K[..., :n // 2, :], V[..., :n // 2, :], block_size)
    m2, l2, o2 = parts(Q, K[..., n // 2:, :], V[..., n // 2:, :], block_size)
    m = torch.maximum(m1, m2)
    a1, a2 = (m1 - m).exp(), (m2 - m).exp()
    return m, a1 * l1 + a2 * l2, a1 * o1 + a2 * o2

def online_softmax_attention(Q, K, V, block_size):
    wide = torch.promote_types(Q.dtype, torch.float32)
    _, l, o = parts(Q.to(wide), K.to(wide), V.to(wide), block_size)
    return (o / l).to(Q.dtype)
# %% sum as a feature: a column of ones in V makes the sum, chunk gives the blocks
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    if dtype.itemsize == 2:
        Q, K, V = Q.float(), K.float(), V.float()
    n_blocks = -(-K.shape[-2] // block_size)
    state, m = 0.0, -torch.inf * torch.ones_like(Q[..., 0])
    for k, v in zip(K.chunk(n_blocks, dim=-2), V.chunk(n_blocks, dim=-2)):
        v = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
        s = torch.einsum("...qd,...kd->...qk", Q, k) / Q.shape[-1] ** 0.5
        new = torch.maximum(m, s.max(-1).values)
        state = state * (m - new).exp().unsqueeze(-1) + (s - new.unsqueeze(-1)).exp() @ v
        m = new
    return (state[..., :-1] / state[..., -1:]).to(dtype)
# %% in a class: the state is an object
class Running:
    def __init__(self, Q):
        self.scale, self.dtype = Q.size(-1) ** 0.5, Q.dtype
        self.wide = torch.promote_types(Q.dtype, torch.float32)
        self.Q = Q = Q.to(self.wide)
        self.m = torch.full(Q.shape[:-1], -1e30, dtype=Q.dtype, device=Q.device)
        self.l = torch.zeros(Q.shape[:-1], dtype=Q.dtype, device=Q.device)
        self.o = torch.zeros(Q.shape, dtype=Q.dtype, device=Q.device)

    def read(self, k, v):
        s = self.Q.matmul(k.to(self.wide).transpose(-2, -1)).div(self.scale)
        m = torch.max(self.m, s.max(dim=-1)[0])
        p, r = torch.exp(s - m[..., None]), torch.exp(self.m - m)
        self.l = self.l * r + p.sum(-1)
        self.o = self.o * r[..., None] + p.matmul(v.to(self.wide))
        self.m = m

def online_softmax_attention(Q, K, V, block_size):
    run, i = Running(Q), 0
    while i < K.size(-2):
        run.read(K[..., i:i + block_size, :], V[..., i:i + block_size, :])
        i += block_size
    return (run.o / run.l[..., None]).to(run.dtype)
# %% last block padded: every block has one length, the missing keys get -inf
def online_softmax_attention(Q, K, V, block_size):
    dtype = Q.dtype
    Q, K, V = (t.to(torch.promote_types(dtype, torch.float32)) for t in (Q, K, V))
    T_k, missing = K.shape[-2], -K.shape[-2] % block_size
    K, V = F.pad(K, (0, 0, 0, missing)), F.pad(V, (0, 0, 0, missing))
    m = torch.full_like(Q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros_like(Q)
    for start in range(0, T_k, block_size):
        k, v = K[..., start:start + block_size, :], V[..., start:start + block_size, :]
        s = Q @ k.transpose(-2, -1) / Q.shape[-1] ** 0.5
        absent = torch.arange(start, start + block_size, device=Q.device) >= T_k
        s = s.masked_fill(absent, -torch.inf)
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        o = o * (m - m_new).exp() + (s - m_new).exp() @ v
        l = l * (m - m_new).exp() + (s - m_new).exp().sum(-1, keepdim=True)
        m = m_new
    return (o / l).to(dtype)
