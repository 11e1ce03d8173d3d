"""Wrong answers for kv_cache_bytes, one mistake a cell unless it says two."""
# %% keys_only < right/meta_tensor: forgets the factor 2 for keys and values
~ cache = torch.empty(2, num_layers, batch_size, num_kv_heads, seq_len, head_dim, device="meta") => values = batch_size * num_layers * num_kv_heads * seq_len * head_dim
~ return cache.numel() * bytes_per_value => return values * bytes_per_value
# %% always_two_bytes: hard-codes 2 bytes a value and never reads bytes_per_value
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    # K and V, 2 bytes each
    return 2 * 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim
# %% counts_the_scores: counts the seq_len x seq_len scores instead of the stored keys and values
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    per_head = seq_len * seq_len
    return 2 * batch_size * num_layers * num_kv_heads * per_head * bytes_per_value
# %% answered_in_megabytes: divides by 1024 twice, so it answers in MiB and not in bytes
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    total = 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
    return total / 1024 ** 2
# %% one_layer: leaves out the number of layers
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    shape = (batch_size, num_kv_heads, seq_len, head_dim)
    n = 1
    for s in shape:
        n *= s
    return 2 * n * bytes_per_value
# %% float_by_division: counts bits and divides by 8 with /, so the number is right but a float
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    bits = 2 * num_layers * batch_size * num_kv_heads * head_dim * seq_len * bytes_per_value * 8
    return bits / 8
# %% queries_too_and_per_example: two mistakes, counts queries besides keys and values and forgets the batch
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    qkv = 3
    return qkv * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
# %% no_batch_layers < right/one_product: forgets the layers and the batch
~ batch_size * num_layers * num_kv_heads => num_kv_heads
# %% counted_in_float32: multiplies in float32, which keeps only the first seven digits
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    sizes = torch.tensor([2, batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value], dtype=torch.float32)
    return int(sizes.prod())
