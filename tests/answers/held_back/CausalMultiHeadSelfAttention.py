"""Wrong answers for CausalMultiHeadSelfAttention, one mistake a cell unless it says two."""
# %% causal_while_training_only < right/view_transpose: applies the mask only in training mode
-         if embedding_dim % num_heads != 0:
-             raise ValueError("embedding_dim must be divisible by num_heads")
-         self.embedding_dim = embedding_dim
~ B, T, _ = x.shape => B, T, D = x.shape
-         q = self._split_heads(self.W_q(x))
-         k = self._split_heads(self.W_k(x))
-         v = self._split_heads(self.W_v(x))
+         q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
-         mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
-         scores = scores.masked_fill(mask, float("-inf"))
-         weights = torch.softmax(scores, dim=-1)
-         return self.W_o(self._merge_heads(weights @ v))
+         if self.training:
+             mask = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
+             scores = scores.masked_fill(mask, float("-inf"))
+         return self.W_o(self._merge_heads(torch.softmax(scores, dim=-1) @ v))
# %% mask_for_32_tokens: registers a mask of a fixed size, which breaks on longer inputs
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.n_head = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        block_size = 32
        self.register_buffer("bias", torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size))

    def _split_heads(self, x):
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(-2)

    def forward(self, x):
        T = x.size(1)
        q, k, v = (self._split_heads(f(x)) for f in (self.W_q, self.W_k, self.W_v))
        att = (q @ k.transpose(-2, -1)) * k.size(-1) ** -0.5
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        return self.W_o(self._merge_heads(F.softmax(att, dim=-1) @ v))
# %% methods_without_underscore: names the methods split_heads and merge_heads, so the asked names do not exist
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def split_heads(self, x):
        B, T, D = x.shape
        return x.reshape(B, T, self.num_heads, D // self.num_heads).permute(0, 2, 1, 3)

    def merge_heads(self, x):
        B, H, T, d = x.shape
        return x.permute(0, 2, 1, 3).reshape(B, T, H * d)

    def forward(self, x):
        q = self.split_heads(self.W_q(x))
        k = self.split_heads(self.W_k(x))
        v = self.split_heads(self.W_v(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        return self.W_o(self.merge_heads(scores.masked_fill(mask, -1e9).softmax(-1) @ v))
# %% mask_left_on_cpu: makes the mask without a device, so it does not meet x on another one
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.d_model, self.num_heads, self.d_head = embedding_dim, num_heads, embedding_dim // num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        return torch.stack(x.split(self.d_head, dim=-1), dim=1)

    def _merge_heads(self, x):
        return torch.cat(x.unbind(dim=1), dim=-1)

    def forward(self, x):
        T = x.shape[1]
        Q = self._split_heads(self.W_q(x))
        K = self._split_heads(self.W_k(x))
        V = self._split_heads(self.W_v(x))
        scores = torch.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(self.d_head)
        causal = torch.triu(torch.ones(T, T), diagonal=1).bool()
        weights = scores.masked_fill(causal, float("-inf")).softmax(dim=-1)
        return self.W_o(self._merge_heads(weights @ V))
# %% residual_added: adds the input to the output, which belongs to the block around the layer
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
        return x.view(*x.shape[:2], self.num_heads, self.head_dim).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = map(self._split_heads, (self.W_q(x), self.W_k(x), self.W_v(x)))
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_dim)
        pos = torch.arange(T, device=x.device)
        scores = scores.masked_fill(pos.unsqueeze(0) > pos.unsqueeze(1), float("-inf"))
        out = self.W_o(self._merge_heads(scores.softmax(-1) @ v))
        return x + out
# %% squeezed_output: squeezes the result, so a batch of one or a single token loses an axis
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_k = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_v = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)

    def _split_heads(self, x):
        B, T, C = x.shape
        return x.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)

    def _merge_heads(self, x):
        B, H, T, D = x.shape
        return x.transpose(1, 2).reshape(B, T, H * D)

    def forward(self, x):
        q = self._split_heads(self.W_q(x))
        k = self._split_heads(self.W_k(x))
        v = self._split_heads(self.W_v(x))
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.W_o(self._merge_heads(out)).squeeze()
# %% layers_made_in_forward: creates the query, key and value layers anew at every call, so they never keep what they learn
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.embedding_dim = embedding_dim
        self.num_heads = num_heads
        self.W_o = nn.Linear(embedding_dim, embedding_dim, bias=False)
        self._make_layers("cpu", torch.float32)

    def _make_layers(self, device, dtype):
        D = self.embedding_dim
        self.W_q = nn.Linear(D, D, bias=False, device=device, dtype=dtype)
        self.W_k = nn.Linear(D, D, bias=False, device=device, dtype=dtype)
        self.W_v = nn.Linear(D, D, bias=False, device=device, dtype=dtype)

    def _split_heads(self, x):
        B, T, D = x.shape
        return x.view(B, T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).flatten(2)

    def forward(self, x):
        self._make_layers(x.device, x.dtype)
        q, k, v = self._split_heads(self.W_q(x)), self._split_heads(self.W_k(x)), self._split_heads(self.W_v(x))
        T = x.size(1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), float("-inf"))
        return self.W_o(self._merge_heads(torch.softmax(scores, -1) @ v))
# %% full_width_scale_and_no_output_layer < squeezed_output: two mistakes, the scale uses embedding_dim and W_o is never applied
-         self.num_heads = num_heads
+         self.E, self.H = embedding_dim, num_heads
-         B, T, C = x.shape
-         return x.view(B, T, self.num_heads, C // self.num_heads).transpose(1, 2)
+         return x.reshape(x.size(0), x.size(1), self.H, self.E // self.H).transpose(1, 2)
-         B, H, T, D = x.shape
-         return x.transpose(1, 2).reshape(B, T, H * D)
+         return x.transpose(1, 2).reshape(x.size(0), -1, self.E)
      def forward(self, x):
+         n = x.size(1)
-         out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
-         return self.W_o(self._merge_heads(out)).squeeze()
+         a = q @ k.mT / self.E ** 0.5
+         a = a.masked_fill(~torch.ones(n, n, dtype=torch.bool, device=x.device).tril(), -1e9)
+         return self._merge_heads(a.softmax(-1) @ v)
# %% buffer_512: a mask of 16 tokens is made once, so longer texts crash
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.h, self.d = num_heads, embedding_dim // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))
        self.register_buffer("mask", torch.ones(16, 16).triu(1).bool())
    def _split_heads(self, x): return x.reshape(*x.shape[:2], self.h, self.d).transpose(1, 2)
    def _merge_heads(self, x): return x.transpose(1, 2).flatten(2)
    def forward(self, x):
        T = x.shape[1]
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        s = (q @ k.mT / self.d ** 0.5).masked_fill(self.mask[:T, :T], float('-inf'))
        return self.W_o(self._merge_heads(s.softmax(-1) @ v))
# %% scale_dim: scale by embedding_dim and masked after softmax
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.h, self.d, self.D = num_heads, embedding_dim // num_heads, embedding_dim
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))
    def _split_heads(self, x): return x.reshape(*x.shape[:2], self.h, self.d).transpose(1, 2)
    def _merge_heads(self, x): return x.transpose(1, 2).flatten(2)
    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        w = (q @ k.mT / self.D ** 0.5).softmax(-1).tril()
        return self.W_o(self._merge_heads(w @ v))
# %% sizes_remembered: _merge_heads takes the sizes that _split_heads saw last, not those of what it is given
class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, embedding_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embedding_dim, embedding_dim, bias=False) for _ in range(4))

    def _split_heads(self, x):
        self.B, self.T, self.D = x.shape
        return x.reshape(self.B, self.T, self.num_heads, -1).transpose(1, 2)

    def _merge_heads(self, x):
        return x.transpose(1, 2).reshape(self.B, self.T, self.D)

    def forward(self, x):
        q, k, v = (self._split_heads(W(x)) for W in (self.W_q, self.W_k, self.W_v))
        future = torch.ones(self.T, self.T, device=x.device).triu(1).bool()
        weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, float("-inf")).softmax(-1)
        return self.W_o(self._merge_heads(weights @ v))
