"""Right answers to `merge_heads`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% transpose_contiguous_view: the classic
def merge_heads(x):
    B, H, T, d = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * d)
# %% permute_reshape: permute and reshape
def merge_heads(x: torch.Tensor) -> torch.Tensor:
    b, h, t, d = x.size()
    return x.permute(0, 2, 1, 3).reshape(b, t, -1)
# %% movedim_flatten: movedim and flatten
def merge_heads(x):
    return x.movedim(1, 2).flatten(start_dim=2)
# %% cat_unbind: the heads side by side
def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
# %% loop_cat: a loop over heads
def merge_heads(heads):
    H = heads.shape[1]
    out = heads[:, 0]
    for h in range(1, H):
        out = torch.cat((out, heads[:, h, :, :]), dim=2)
    return out
# %% einsum_reshape: einsum to swap the axes
def merge_heads(x):
    y = torch.einsum("bhtd->bthd", x)
    return y.reshape(y.shape[0], y.shape[1], y.shape[2] * y.shape[3])
# %% stack_flatten: heads stacked on axis 2
def merge_heads(x):
    return torch.stack([x[:, h] for h in range(x.size(1))], dim=2).flatten(2)
# %% filled: a fresh tensor filled block by block
def merge_heads(x):
    B, H, T, d = x.shape
    out = x.new_empty(B, T, H * d)
    for h in range(H):
        out[..., h * d:(h + 1) * d] = x[:, h]
    assert out.shape == (B, T, H * d)
    return out
# %% token_by_token: example by example and token by token
def merge_heads(x):
    rows = [torch.stack([example[:, t].reshape(-1) for t in range(example.shape[1])]) for example in x]
    return torch.stack(rows)
# %% swapaxes_hstack: hstack over the feature axis of transposed pieces; a print left in
def merge_heads(x):
    print("merging", x.shape[1], "heads")
    by_feature = torch.hstack([piece.mT for piece in torch.unbind(x, 1)])
    return by_feature.swapaxes(1, 2).contiguous()
# %% cat_of_heads < cat_unbind: unbound along 1
# %% einsum_flatten < movedim_flatten: an einsum that only permutes
~ return x.movedim(1, 2).flatten(start_dim=2) => return torch.einsum("bhtd->bthd", x).flatten(start_dim=2)
# %% written_into_place < filled: new_empty and slices
~ B, H, T, d = x.shape => B, H, T, d = x.size()
~ out = x.new_empty(B, T, H * d) => out = x.new_zeros(B, T, H * d)
~ out[..., h * d:(h + 1) * d] = x[:, h] => out[:, :, h * d:(h + 1) * d] = x[:, h]
