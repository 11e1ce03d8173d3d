# %% crash_1 < two_3: line `scores.masked_fill(pad, ...)`: the padding mask (B, T) is not given axes for heads and queries
-     def forward(self, x, is_causal=True, key_padding_lengths=None):
-         T = x.size(1)
-         keys = torch.arange(T, device=x.device)
-         q, k, v = (split_heads(l(x), self.num_heads) for l in (self.W_q, self.W_k, self.W_v))
-         s = q @ k.mT / math.sqrt(self.d_head)
+     def forward(self, x, is_causal=False, key_padding_lengths=None):
+         B, T, _ = x.shape
+         q = split_heads(self.W_q(x), self.num_heads)
+         k = split_heads(self.W_k(x), self.num_heads)
+         v = split_heads(self.W_v(x), self.num_heads)
+         scores = q @ k.transpose(-2, -1) / self.d_head ** 0.5
-             s = s.masked_fill(keys > keys[:, None], -1e30)
+             causal = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
+             scores = scores.masked_fill(causal, float("-inf"))
-             s = s.masked_fill((keys >= key_padding_lengths[:, None] - 1)[:, None, None], -1e30)
-         return self.W_o(merge_heads(s.softmax(-1) @ v))
+             pad = torch.arange(T, device=x.device)[None] >= key_padding_lengths[:, None]
+             scores = scores.masked_fill(pad, float("-inf"))
+         return self.W_o(merge_heads(scores.softmax(-1) @ v))
# %% single_2 < two_3: with padding the causal mask is forgotten: elif, one mask or the other
      return x.transpose(1, 2).reshape(B, T, H * d_head)
+
+ def scaled_dot_product_attention(Q, K, V, mask=None):
+     scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
+     if mask is not None:
+         scores = scores.masked_fill(mask, float("-inf"))
+     weights = torch.softmax(scores, dim=-1)
+     return weights @ V, weights
~ is_causal=True => is_causal=False
-         keys = torch.arange(T, device=x.device)
-         q, k, v = (split_heads(l(x), self.num_heads) for l in (self.W_q, self.W_k, self.W_v))
-         s = q @ k.mT / math.sqrt(self.d_head)
-         if is_causal:
-             s = s.masked_fill(keys > keys[:, None], -1e30)
+         mask = None
-             s = s.masked_fill((keys >= key_padding_lengths[:, None] - 1)[:, None, None], -1e30)
-         return self.W_o(merge_heads(s.softmax(-1) @ v))
+             mask = (torch.arange(T, device=x.device) >= key_padding_lengths[:, None])[:, None, None, :]
+         elif is_causal:
+             mask = torch.ones(T, T, device=x.device, dtype=torch.bool).triu(1)
+         heads = [split_heads(layer(x), self.num_heads) for layer in (self.W_q, self.W_k, self.W_v)]
+         return self.W_o(merge_heads(scaled_dot_product_attention(*heads, mask)[0]))
# %% two_3: causal by default | keys from length - 1 on are masked (off by one)
def split_heads(x, num_heads):
    B, T, d_model = x.shape
    return x.reshape(B, T, num_heads, d_model // num_heads).transpose(1, 2)

def merge_heads(x):
    B, H, T, d_head = x.shape
    return x.transpose(1, 2).reshape(B, T, H * d_head)

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, is_causal=True, key_padding_lengths=None):
        T = x.size(1)
        keys = torch.arange(T, device=x.device)
        q, k, v = (split_heads(l(x), self.num_heads) for l in (self.W_q, self.W_k, self.W_v))
        s = q @ k.mT / math.sqrt(self.d_head)
        if is_causal:
            s = s.masked_fill(keys > keys[:, None], -1e30)
        if key_padding_lengths is not None:
            s = s.masked_fill((keys >= key_padding_lengths[:, None] - 1)[:, None, None], -1e30)
        return self.W_o(merge_heads(s.softmax(-1) @ v))
