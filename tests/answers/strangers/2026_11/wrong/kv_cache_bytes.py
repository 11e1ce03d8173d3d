# %% crash_1: line `torch.zeros(...)`: builds the cache to weigh it, which does not fit into memory for real models
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    dtype = {1: torch.int8, 2: torch.float16, 4: torch.float32, 8: torch.float64}[bytes_per_value]
    cache = torch.zeros(2, num_layers, batch_size, num_kv_heads, seq_len, head_dim, dtype=dtype)
    return cache.nbytes
# %% single_2: counts only the keys, the factor 2 for the values is missing
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    values = batch_size * num_layers * num_kv_heads * seq_len * head_dim
    return values * bytes_per_value
# %% two_3: the number of layers is forgotten | returns megabytes as a float
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    per_token = 2 * num_kv_heads * head_dim * bytes_per_value
    return per_token * seq_len * batch_size / 1024 ** 2
