# %% program_1
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights

def create_causal_mask_with_cache(seq_len_q, seq_len_k, cache_len, device=None):
    q = torch.arange(cache_len, cache_len + seq_len_q, device=device)
    return torch.arange(seq_len_k, device=device)[None, :] > q[:, None]

class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        c = self.down_proj(x)
        if cache is not None:
            c = torch.cat([cache, c], dim=1)
        q, k, v = (split_heads(t, self.num_heads) for t in (self.q_proj(x), self.k_up(c), self.v_up(c)))
        T_q, T_k = x.shape[1], c.shape[1]
        mask = create_causal_mask_with_cache(T_q, T_k, T_k - T_q, device=x.device)
        return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])), c
# %% program_2
class LatentAttentionWithCache(nn.Module):
    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        self.H, self.d = num_heads, d_model // num_heads
        linear = lambda i, o: nn.Linear(i, o, bias=False)
        self.q_proj, self.out_proj = linear(d_model, d_model), linear(d_model, d_model)
        self.down_proj = linear(d_model, d_latent)
        self.k_up, self.v_up = linear(d_latent, d_model), linear(d_latent, d_model)

    def forward(self, x, cache=None):
        B, T, D = x.shape
        new = self.down_proj(x)
        latents = new if cache is None else torch.cat((cache, new), 1)
        N = latents.shape[1]
        q = self.q_proj(x).view(B, T, self.H, self.d)
        k = self.k_up(latents).view(B, N, self.H, self.d)
        v = self.v_up(latents).view(B, N, self.H, self.d)
        s = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(self.d)
        later = torch.arange(N, device=x.device) > torch.arange(N - T, N, device=x.device)[:, None]
        w = s.masked_fill(later, -math.inf).softmax(-1)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", w, v).reshape(B, T, D)), latents
