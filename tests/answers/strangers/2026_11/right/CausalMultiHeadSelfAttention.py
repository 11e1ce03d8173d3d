# %% program_1
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, _ = x.shape
        return x.reshape(B, T, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def _merge_heads(self, x):
        B, H, T, d = x.shape
        return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * d)

    def forward(self, x):
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        T = x.shape[1]
        future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
        att = (q @ k.transpose(-1, -2)) / math.sqrt(self.head_dim)
        att = att.masked_fill(future, float("-inf")).softmax(dim=-1)
        return self.W_o(self._merge_heads(att @ v))
# %% program_2
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.H = num_heads
        make = lambda: nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_q, self.W_k, self.W_v, self.W_o = make(), make(), make(), make()

    def _split_heads(self, x):
        return x.unflatten(-1, (self.H, -1)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        heads = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        return self.W_o(self._merge_heads(F.scaled_dot_product_attention(*heads, is_causal=True)))
