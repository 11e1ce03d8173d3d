# %% program_1 < right/one_product
# %% program_2
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    one_token_one_layer = 2 * num_kv_heads * head_dim
    return math.prod([batch_size, seq_len, num_layers, one_token_one_layer, bytes_per_value])
