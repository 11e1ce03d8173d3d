"""Right answers to `kv_cache_bytes`, in the styles of many students. Cells are separated by lines that start with `# %%`."""
# %% one_product: everything in one product
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
# %% math_prod: math.prod over a tuple
def kv_cache_bytes(batch_size: int, num_layers: int, num_kv_heads: int, seq_len: int, head_dim: int,
                   bytes_per_value: int = 2) -> int:
    return math.prod((2, batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value))
# %% step_by_step: per token, per layer, keys and values apart
def kv_cache_bytes(B, L, H, T, d, bytes_per_value=2):
    values_per_token = H * d
    key_bytes = B * T * values_per_token * bytes_per_value
    value_bytes = B * T * values_per_token * bytes_per_value
    per_layer = key_bytes + value_bytes
    total = L * per_layer
    print(f"{total / 2**20:.2f} MiB")
    return total
# %% loop_over_layers: a sum over layers and over the two tensors
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    total = 0
    for layer in range(num_layers):
        for tensor in ("K", "V"):
            total += batch_size * num_kv_heads * seq_len * head_dim * bytes_per_value
    return total
# %% reduce_mul: functools.reduce and operator.mul
from functools import reduce
from operator import mul

def kv_cache_bytes(*sizes, bytes_per_value=2):
    if len(sizes) == 6:
        sizes, bytes_per_value = sizes[:5], sizes[5]
    return reduce(mul, sizes, 2) * bytes_per_value
# %% meta_tensor: the size of a cache tensor without memory
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    cache = torch.empty(2, num_layers, batch_size, num_kv_heads, seq_len, head_dim, device="meta")
    return cache.numel() * bytes_per_value
# %% numpy_int: a product of 64-bit integers, an int at the end
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    shape = np.array([batch_size, num_layers, num_kv_heads, seq_len, head_dim], dtype=np.int64)
    assert (shape >= 0).all()
    return int(shape.prod() * 2 * bytes_per_value)
# %% inner_function: one cached vector, then counted; a warning for big caches
import warnings

def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    def vector():
        return head_dim * bytes_per_value
    vectors = 2 * num_layers * num_kv_heads * seq_len * batch_size
    size = vectors * vector()
    if size > 80 * 10**9:
        warnings.warn("this cache does not fit on one card")
    return size
# %% math_prod_again < one_product: product of everything
~ 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value => math.prod((2, batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value))
# %% shifted: one table's bytes, doubled by a shift
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    shape = (batch_size, num_kv_heads, seq_len, head_dim)
    values = 1
    for n in shape:
        values *= n
    return (values * bytes_per_value * num_layers) << 1
