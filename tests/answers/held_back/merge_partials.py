"""Wrong answers for merge_partials, one mistake a cell unless it says two."""
# %% nan_after_nan_to_num: the result is mended, and the gradient is NaN
def merge_partials(out_1, lse_1, out_2, lse_2):
    weights = torch.stack([lse_1, lse_2]).softmax(0).nan_to_num(0)
    out = weights[0][..., None] * out_1 + weights[1][..., None] * out_2
    return out, torch.logaddexp(lse_1, lse_2)
# %% plain_logaddexp: -inf minus -inf where both halves are masked
def merge_partials(out_1, lse_1, out_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    out = (lse_1 - lse).exp()[..., None] * out_1 + (lse_2 - lse).exp()[..., None] * out_2
    return out, lse
# %% exp_of_both: exp(lse) without a shift
def merge_partials(out_1, lse_1, out_2, lse_2):
    a, b = lse_1.exp(), lse_2.exp()
    total = a + b
    out = (a[..., None] * out_1 + b[..., None] * out_2) / total[..., None].clamp(min=1e-30)
    return out, total.log()
# %% means_of_lse: the mean of both lse
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = (a + b).clamp(min=1)
    return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, (lse_1 + lse_2) / 2
# %% axis_of_features_missing: the weights meet the features instead of the queries
def merge_partials(out_1, lse_1, out_2, lse_2):
    m = torch.maximum(lse_1, lse_2)
    m = m.masked_fill(m == -torch.inf, 0)
    a, b = (lse_1 - m).exp(), (lse_2 - m).exp()
    total = a + b
    out = (a * out_1 + b * out_2) / total.clamp(min=1)
    return out, torch.where(total > 0, m + total.clamp(min=1).log(), -torch.inf)
# %% written_into_the_first < means_of_lse: the first half is overwritten with the result
-     return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, (lse_1 + lse_2) / 2
+     with torch.no_grad():
+         out_1.mul_((a / total)[..., None]).add_((b / total)[..., None] * out_2)
+     return out_1, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% always_float32 < means_of_lse: whatever comes in
  def merge_partials(out_1, lse_1, out_2, lse_2):
+     out_1, lse_1, out_2, lse_2 = out_1.float(), lse_1.float(), out_2.float(), lse_2.float()
~ (lse_1 + lse_2) / 2 => torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% masked_half_returned < means_of_lse: where one half is masked, its output comes back
-     return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, (lse_1 + lse_2) / 2
+     out = (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2
+     out = torch.where(torch.isinf(lse_2)[..., None], out_2, out)
+     return out, torch.where(a + b > 0, m + total.log(), -torch.inf)
# %% one_lse_for_all_heads < means_of_lse: the weights of the first head serve all
-     return (a / total)[..., None] * out_1 + (b / total)[..., None] * out_2, (lse_1 + lse_2) / 2
+     w = (a / total)[:, :1, :, None]
+     return w * out_1 + (b / total)[:, :1, :, None] * out_2, torch.where(a + b > 0, m + total.log(), -torch.inf)
