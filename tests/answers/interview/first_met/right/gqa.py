# %% gqa_01: the common one: repeat_interleave of kv heads
class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model: int, n_q_heads: int, n_kv_heads: int):
        super().__init__()
        assert n_q_heads % n_kv_heads == 0
        self.nq, self.nkv = n_q_heads, n_kv_heads
        self.hd = d_model // n_q_heads
        self.wq = nn.Linear(d_model, n_q_heads * self.hd, bias=False)
        self.wk = nn.Linear(d_model, n_kv_heads * self.hd, bias=False)
        self.wv = nn.Linear(d_model, n_kv_heads * self.hd, bias=False)
        self.wo = nn.Linear(n_q_heads * self.hd, d_model, bias=False)

    def forward(self, x: torch.Tensor, is_causal: bool = True) -> torch.Tensor:
        B, T, _ = x.shape
        q = self.wq(x).view(B, T, self.nq, self.hd).transpose(1, 2)
        k = self.wk(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        v = self.wv(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        k = k.repeat_interleave(self.nq // self.nkv, dim=1)
        v = v.repeat_interleave(self.nq // self.nkv, dim=1)
        att = q @ k.transpose(2, 3) / math.sqrt(self.hd)
        if is_causal:
            att = att + torch.full((T, T), -torch.inf).triu(1).to(att)
        out = att.softmax(-1) @ v
        return self.wo(out.transpose(1, 2).contiguous().view(B, T, -1))
# %% gqa_02: function on ready q (B,T,Hq,d), k,v (B,S,Hkv,d); grouped einsum with no repeat; queries are the last T positions
def gqa(q, k, v, causal=True):
    B, T, Hq, d = q.shape
    S, Hk = k.shape[1], k.shape[2]
    G = Hq // Hk
    qg = q.reshape(B, T, Hk, G, d)
    s = np.einsum("bthgd,bshd->bhgts", qg, k) / np.sqrt(d)
    if causal:
        s = np.where(np.tri(T, S, S - T, dtype=bool), s, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    p = np.exp(s)
    p /= p.sum(axis=-1, keepdims=True)
    return np.einsum("bhgts,bshd->bthgd", p, v).reshape(B, T, Hq, d)
# %% gqa_03: one-letter names, one head at a time, no batch; head h uses kv head h // r; q,k,v,o matrices are arguments
def G(x, a, b, c, o, n, m):
    t = x.shape[0]
    d = a.shape[1] // n
    r = n // m
    z = []
    for h in range(n):
        g = h // r
        q = x @ a[:, h * d:(h + 1) * d]
        k = x @ b[:, g * d:(g + 1) * d]
        v = x @ c[:, g * d:(g + 1) * d]
        s = q @ k.T / d ** .5
        s[torch.triu(torch.ones(t, t), 1) > 0] = -1e30
        z.append(torch.softmax(s, 1) @ v)
    return torch.cat(z, 1) @ o
# %% gqa_04: German names, one fused projection with width (nq + 2*nkv)*hd, expand+reshape instead of repeat, optional KV cache, returns (y, cache)
import torch
from torch import nn, Tensor

class AufmerksamkeitMitGruppen(nn.Module):
    def __init__(self, breite, koepfe, kv_koepfe):
        super().__init__()
        self.koepfe, self.kv_koepfe = koepfe, kv_koepfe
        self.kopf_breite = breite // koepfe
        self.hinein = nn.Linear(breite, (koepfe + 2 * kv_koepfe) * self.kopf_breite)
        self.hinaus = nn.Linear(koepfe * self.kopf_breite, breite)

    @staticmethod
    def verbreitern(t: Tensor, mal: int) -> Tensor:
        b, h, l, d = t.shape
        return t[:, :, None].expand(b, h, mal, l, d).reshape(b, h * mal, l, d)

    def forward(self, x: Tensor, speicher=None):
        b, l, _ = x.shape
        alles = self.hinein(x).view(b, l, -1, self.kopf_breite).transpose(1, 2)
        q, k, v = alles.split([self.koepfe, self.kv_koepfe, self.kv_koepfe], dim=1)
        if speicher is not None:
            k = torch.cat([speicher["k"], k], 2)
            v = torch.cat([speicher["v"], v], 2)
        neu = {"k": k, "v": v}
        mal = self.koepfe // self.kv_koepfe
        kk, vv = self.verbreitern(k, mal), self.verbreitern(v, mal)
        versatz = kk.shape[2] - l
        wert = torch.matmul(q, kk.transpose(-1, -2)).div(self.kopf_breite ** 0.5)
        zukunft = torch.arange(kk.shape[2])[None] > torch.arange(l)[:, None] + versatz
        wert.masked_fill_(zukunft, float("-inf"))
        y = torch.softmax(wert, -1).matmul(vv)
        return self.hinaus(y.transpose(1, 2).reshape(b, l, -1)), neu
# %% gqa_05: (Hq,T,d) unbatched; folds the group into the query length so each kv head does one matmul; padding mask True = masked
def grouped_query_attention(query, key, value, *, key_padding_mask=None, causal=True):
    hq, tq, d = query.shape
    hkv, tk, _ = key.shape
    group = hq // hkv
    folded = query.reshape(hkv, group * tq, d)
    scores = torch.bmm(folded, key.transpose(1, 2)).view(hkv, group, tq, tk) / d ** 0.5
    hidden = torch.zeros(tq, tk, dtype=torch.bool)
    if causal:
        hidden = torch.arange(tk).view(1, -1) > torch.arange(tk - tq, tk).view(-1, 1)
    if key_padding_mask is not None:
        hidden = hidden | key_padding_mask.view(1, tk)
    probs = scores.masked_fill(hidden, -1e9).softmax(dim=-1)
    out = torch.bmm(probs.view(hkv, group * tq, tk), value)
    return out.view(hq, tq, d)
