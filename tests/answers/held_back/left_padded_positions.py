"""Wrong answers for left_padded_positions, one mistake a cell."""
# %% batch_of_the_longest < right/fill_rows: pads only up to the longest prompt, and puts the rest of the places behind
-     out = torch.zeros(len(lengths), max_len, dtype=torch.long, device=lengths.device)
+     longest = int(lengths.max())
+     out = torch.zeros(len(lengths), max_len, dtype=torch.long)
~ out[b, max_len - n:] = torch.arange(n, device=lengths.device) => out[b, longest - n:longest] = torch.arange(n)
# %% divided_by_the_length < right/subtract_and_clamp: positions as a share of the prompt
~ places = torch.arange(max_len, device=lengths.device) => t = torch.arange(max_len, device=lengths.device)
~ (places[None, :] - (max_len - lengths)[:, None]).clamp(min=0) => (t - (max_len - lengths)[:, None]).clamp(min=0) / lengths[:, None]
# %% list_of_ranges: a list with one row for each prompt
def left_padded_positions(lengths, max_len):
    return [torch.arange(max_len) - (max_len - int(n)) for n in lengths]
# %% running_over_rows: one cumsum over the flattened mask, so that the rows go on counting
def left_padded_positions(lengths, max_len):
    real = torch.arange(max_len, device=lengths.device) >= (max_len - lengths)[:, None]
    return (real.flatten().long().cumsum(0) - 1).view(real.shape) * real
# %% lengths_changed: turns the lengths into numbers of padding in place
def left_padded_positions(lengths, max_len):
    lengths.neg_().add_(max_len)
    return (torch.arange(max_len, device=lengths.device) - lengths[:, None]).clamp(min=0)
# %% cpu_range < list_of_ranges: the range is made on the CPU
~ [torch.arange(max_len) - (max_len - int(n)) for n in lengths] => (torch.arange(max_len) - (max_len - lengths)[:, None]).clamp(min=0)
# %% modulo_of_two < right/subtract_and_clamp: keeps only every other position apart
~ places = torch.arange(max_len, device=lengths.device) => t = torch.arange(max_len, device=lengths.device)
~ (places[None, :] - (max_len - lengths)[:, None]).clamp(min=0) => (t - (max_len - lengths)[:, None]).clamp(min=0) // 2 * 2
# %% first_token_counted_twice: the running sum is shifted by one place
def left_padded_positions(lengths, max_len):
    real = (torch.arange(max_len, device=lengths.device) >= (max_len - lengths)[:, None]).long()
    return real.cumsum(1).roll(1, 1) * real
