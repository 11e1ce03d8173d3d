# %% program_1
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def allowed(self, T, device, is_causal, lengths):
        ok = torch.ones(1, 1, T, T, dtype=torch.bool, device=device)
        if is_causal:
            ok = ok.tril()
        if lengths is not None:
            ok = ok & (torch.arange(T, device=device) < lengths.to(device).view(-1, 1, 1, 1))
        return ok

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        B, T, C = x.size()
        shape = (B, T, self.num_heads, self.d_head)
        y = F.scaled_dot_product_attention(
            self.W_q(x).view(shape).transpose(1, 2),
            self.W_k(x).view(shape).transpose(1, 2),
            self.W_v(x).view(shape).transpose(1, 2),
            attn_mask=self.allowed(T, x.device, is_causal, key_padding_lengths),
        )
        return self.W_o(y.transpose(1, 2).reshape(B, T, C))
