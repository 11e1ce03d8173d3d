# %% crash_1 < strangers/2026_11/right/program_1: line `masked_fill(self.mask[:T, :T], ...)`: the mask is built for 16 tokens, longer texts do not fit
          self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
+         self.register_buffer("mask", torch.ones(16, 16).triu(1).bool(), persistent=False)
~ reshape(B, T, self.num_heads, self.head_dim).permute(0, 2, 1, 3) => view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
~ return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d) => return x.transpose(1, 2).reshape(B, T, H * d)
-         q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))

-         future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
-         att = (q @ k.transpose(-1, -2)) / math.sqrt(self.head_dim)
-         att = att.masked_fill(future, float("-inf")).softmax(dim=-1)
-         return self.W_o(self._merge_heads(att @ v))
+         q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
+         s = q @ k.mT / math.sqrt(self.head_dim)
+         s = s.masked_fill(self.mask[:T, :T], -math.inf)
+         return self.W_o(self._merge_heads(s.softmax(-1) @ v))
# %% single_2: causal only while training (is_causal=self.training)
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        b, t, c = x.shape
        return x.view(b, t, self.num_heads, c // self.num_heads).transpose(1, 2)

    def _merge_heads(self, x):
        b, h, t, d = x.shape
        return x.transpose(1, 2).reshape(b, t, h * d)

    def forward(self, x):
        q, k, v = (self._split_heads(f(x)) for f in (self.W_q, self.W_k, self.W_v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.training)
        return self.W_o(self._merge_heads(y))
# %% single_3: the last projection reads the heads before they are merged in order: _merge_heads reshapes without a transpose
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.view(B, T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.reshape(x.size(0), -1, self.embedding_dim)

    def forward(self, x):
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        T = x.size(1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        keep = torch.tril(torch.ones(T, T, device=x.device))
        scores = scores.masked_fill(keep == 0, float("-inf"))
        return self.W_o(self._merge_heads(torch.softmax(scores, -1) @ v))
