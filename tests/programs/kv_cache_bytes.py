# %% one_product: everything in one product
# taken
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
# %% reduce_mul: functools.reduce and operator.mul
# taken
from functools import reduce
from operator import mul

def kv_cache_bytes(*sizes, bytes_per_value=2):
    if len(sizes) == 6:
        sizes, bytes_per_value = sizes[:5], sizes[5]
    return reduce(mul, sizes, 2) * bytes_per_value
# %% numpy_int: a product of 64-bit integers, an int at the end
# taken
import numpy as np
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    shape = np.array([batch_size, num_layers, num_kv_heads, seq_len, head_dim], dtype=np.int64)
    assert (shape >= 0).all()
    return int(shape.prod() * 2 * bytes_per_value)
# %% inner_function: one cached vector, then counted; a warning for big caches
# taken
import warnings

def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    def vector():
        return head_dim * bytes_per_value
    vectors = 2 * num_layers * num_kv_heads * seq_len * batch_size
    size = vectors * vector()
    if size > 80 * 10**9:
        warnings.warn("this cache does not fit on one card")
    return size
# %% math_prod_again: product of everything
# taken
import math
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return math.prod((2, batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value))
# %% shifted: one table's bytes, doubled by a shift
# taken
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    shape = (batch_size, num_kv_heads, seq_len, head_dim)
    values = 1
    for n in shape:
        values *= n
    return (values * bytes_per_value * num_layers) << 1
# %% counts_the_scores: counts the seq_len x seq_len scores instead of the stored keys and values
# refused: shown
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    per_head = seq_len * seq_len
    return 2 * batch_size * num_layers * num_kv_heads * per_head * bytes_per_value
# %% no_batch_layers: forgets the layers and the batch
# refused: shown
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 * num_kv_heads * seq_len * head_dim * bytes_per_value
# %% strangers_2026_11/program_1
# taken
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
# %% strangers_2026_11/program_2
# taken
import math
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    one_token_one_layer = 2 * num_kv_heads * head_dim
    return math.prod([batch_size, seq_len, num_layers, one_token_one_layer, bytes_per_value])
# %% strangers_2026_11/crash_1: line `torch.zeros(...)`: builds the cache to weigh it, which does not fit into memory for real models, but does in these cases
# taken
import torch
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    dtype = {1: torch.int8, 2: torch.float16, 4: torch.float32, 8: torch.float64}[bytes_per_value]
    cache = torch.zeros(2, num_layers, batch_size, num_kv_heads, seq_len, head_dim, dtype=dtype)
    return cache.nbytes
# %% strangers_2026_11/single_2: counts only the keys, the factor 2 for the values is missing
# refused: only_keys
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    values = batch_size * num_layers * num_kv_heads * seq_len * head_dim
    return values * bytes_per_value
# %% strangers_2026_11/two_3: the number of layers is forgotten | returns megabytes as a float
# refused: wrong_type
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    per_token = 2 * num_kv_heads * head_dim * bytes_per_value
    return per_token * seq_len * batch_size / 1024 ** 2
# %% blind_2026_11_29/w_seq_squared: T squared as in the table of scores
# refused: tokens_squared
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return 2 * batch_size * num_layers * num_kv_heads * seq_len ** 2 * head_dim * bytes_per_value
