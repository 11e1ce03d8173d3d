# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 4. The KV cache: one token at a time
#
# <!-- minutes -->
#
# Your layer from part 3 reads a whole sentence at once. A model that *writes* gets its words one by one: the next word is chosen from the
# newest word's **logits**, the scores that the readout gives. Re-running the whole sentence through the layer for every new word works,
# but almost all of it is redundant.
#
# **By the end you will have an attention layer with a KV cache, a store of keys (K) and values (V), that writes sentences, and know which
# mask it needs. The optional sections show what the cache costs in real models.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_heads, plot_mask, world
from course_utils.figures.cache import plot_cache_growth, plot_kv_groups
from course_utils.figures.costs import plot_cache_memory, plot_roofline, plot_token_times
from course_utils.figures.masks import plot_cached_mask
from course_utils.figures.show import show
from course_utils.figures.weights import plot_scores
from course_utils.touch.cache import cache_theatre

import math
import time
from functools import partial

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-5)

# %% [markdown]
# Three words are read at once, then two more arrive one at a time.

# %%
words = ["the", "dog", "slept", "loudly", "and"]
show(plot_cache_growth([3, 1, 1], words))

# %% [markdown]
# **Takeaway.** Dark cells are computed in this step, light ones come from the cache. Keys and values are kept.
# **Queries are not.** Every step computes only what is new.

# %% [markdown]
# ## 4.1 Predict

# %%
predict("old_outputs_that_change")

# %% [markdown]
# ## 4.2 On paper: three tokens, two features (optional)
#
# One head, and to keep it small, each token's query, key and value are the same vector: token 0 is [1, 0], token 1 is
# [0, 1], token 2 is [1, 1]. Tokens 0 and 1 have been read. Their keys and values are in the cache. Now token 2 arrives:
#
# | | key 0 | key 1 | key 2 |
# |---|---|---|---|
# | query 2 · key | 1 | 1 | 2 |
# | divided by √2 | .707 | .707 | 1.414 |
# | softmax | .248 | .248 | .503 |
#
# Output 2 is .248 · [1, 0] + .248 · [0, 1] + .503 · [1, 1] = **[.752, .752]**.
#
# You used *one* query, the new one, and *all* keys and values. No later token will ask for queries 0 and 1, so the
# cache holds K and V, and no Q. All three keys are at position 2 or earlier, so nothing is masked.
#
# The same as a loop, whose cache is two Python lists:

# %%
tokens = torch.tensor([[1., 0.], [0., 1.], [1., 1.]])          # (T, d_head) = (3, 2)
cached_keys, cached_values, outputs = [], [], []
for x in tokens:                                               # (d_head,), one new token
    cached_keys.append(x)
    cached_values.append(x)
    scores = torch.stack(cached_keys) @ x / math.sqrt(2)       # (T_k,), no mask
    weights = scores.softmax(dim=-1)                           # (T_k,)
    outputs.append(weights @ torch.stack(cached_values))       # (d_head,)
outputs = torch.stack(outputs)                                 # (T, d_head)

assert_close(outputs[2], torch.tensor([0.752, 0.752]), atol=0.001)
at_once = F.scaled_dot_product_attention(tokens[None], tokens[None], tokens[None], is_causal=True)[0]
assert_close(outputs, at_once)                                 # (T, d_head)
print(outputs)

# %% [markdown]
# One token at a time without a mask matches all at once with a causal mask: when token 1 attends, token 2 isn't there
# yet.

# %% [markdown]
# ## 4.3 Prefill, decode, chunk: three masks
#
# A model reads tokens in three situations:
#
# | name | when | new tokens `T_q` | cached | keys `T_k` |
# |---|---|---|---|---|
# | **prefill** | the prompt, the text to be continued, is read | many | 0 | `T_q` |
# | **decode** | one token is written | 1 | many | cached + 1 |
# | **chunk** | a prompt is read in pieces, or the user says something new | several | many | cached + `T_q` |
#
# Generation starts only after the prompt is read, so the **time to first token** includes the whole prefill.
#
# One rule serves all three. Query `i` is at position `cached + i`, and key `j` at position `j`. As always, later keys are
# masked. Position vectors (3.7) go on from `cached` too.

# %%
situations = {"prefill": (4, 0), "decode": (1, 6), "chunk": (3, 4)}
axes = plt.subplots(1, 3, figsize=(10.5, 2.6), width_ratios=[4, 7, 7], layout="constrained")[1]
for ax, (name, (new, cached)) in zip(axes, situations.items()):
    mask = torch.arange(cached + new) > cached + torch.arange(new)[:, None]        # (T_q, T_k), key > query
    plot_cached_mask(mask, cached, ax=ax).set_title(f"{name}: {cached} cached, {new} new")
show(axes)

# %% [markdown]
# **Takeaway.** Prefill is the square mask of part 1. Decode needs no causal mask. A chunk has an open block over the
# cached keys (blue) and a small triangle over the new ones (yellow). A mask that works in prefill and in decode can still
# be wrong for a chunk.

# %% [markdown]
# ## 4.4 The layer that remembers
#
# The layer takes two more inputs, the cached keys and values, and returns two more outputs, the extended cache. It stores
# **nothing itself**: one model serves many requests at once, each with its own cache.
#
# ### Exercise: `MultiHeadAttentionWithCache`
#
# The code of part 3 is there, with the names that many published models use (`q_proj` for `W_q`). The gaps are what is new:
#
# - Old before new: the first token stays first. `torch.cat([a, b], dim=...)` joins two tensors, `a` first.
# - The cache holds heads, so it is joined after the split.
# - The mask must know how many keys are cached (4.3 has the expression). With `is_causal=False` there is no mask.
# - `cache_k=None` means that nothing is cached, and so does a cache of length 0.

# %% nbgrader={"grade": false, "grade_id": "MultiHeadAttentionWithCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttentionWithCache(nn.Module):
    """Causal multi-head attention for new tokens that follow cached ones.

    d_model, num_heads:  d_head = d_model // num_heads
    layers:              q_proj, k_proj, v_proj, out_proj, all (d_model, d_model) without bias
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"d_model = {d_model} cannot be shared by {num_heads} heads")
        self.d_head, self.num_heads = d_model // num_heads, num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        """One step: read T new tokens.

        x:                 (B, T, d_model)              the new tokens only
        cache_k, cache_v:  (B, H, T_cached, d_head)     left as they are; or None
        returns            output (B, T, d_model), new_cache_k and new_cache_v (B, H, T_cached + T, d_head)
        """
        B, T, d_model = x.shape
        split = (B, T, self.num_heads, self.d_head)
        Q = self.q_proj(x).view(split).transpose(1, 2)                         # (B, H, T, d_head)
        K = self.k_proj(x).view(split).transpose(1, 2)                         # (B, H, T, d_head)
        V = self.v_proj(x).view(split).transpose(1, 2)                         # (B, H, T, d_head)
        # first gap: if there is a cache, K and V hold old and new tokens, (B, H, T_k, d_head)
        ### BEGIN SOLUTION
        if cache_k is not None:
            K = torch.cat([cache_k, K], dim=2)                                 # (B, H, T_k, d_head)
            V = torch.cat([cache_v, V], dim=2)                                 # (B, H, T_k, d_head)
        ### END SOLUTION
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)              # (B, H, T, T_k)
        # second gap: if is_causal, no query sees its future. What is the position of query i?
        ### BEGIN SOLUTION
        if is_causal:
            T_k = K.shape[2]
            query = T_k - T + torch.arange(T, device=x.device)[:, None]        # (T, 1), positions
            key = torch.arange(T_k, device=x.device)                           # (T_k,)
            scores = scores.masked_fill(key > query, -math.inf)                # (B, H, T, T_k)
        ### END SOLUTION
        heads = scores.softmax(dim=-1) @ V                                     # (B, H, T, d_head)
        merged = heads.transpose(1, 2).reshape(B, T, d_model)                  # (B, T, d_model)
        # third gap: the output, and what the next call needs
        ### BEGIN SOLUTION
        return self.out_proj(merged), K, V
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_MultiHeadAttentionWithCache", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("MultiHeadAttentionWithCache", MultiHeadAttentionWithCache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("MultiHeadAttentionWithCache", MultiHeadAttentionWithCache).points
### END HIDDEN TESTS

# %% [markdown]
# Use it by hand, with the trained matrices of part 2: a prefill of three words, then two single steps. Watch the cache grow.

# %%
model = world.load("who and how")                                      # d_model = 32, H = 2, d_head = 16
attention = yours("MultiHeadAttentionWithCache")(32, 2).requires_grad_(False)          # it will not be trained
projections = attention.q_proj, attention.k_proj, attention.v_proj, attention.out_proj
for projection, W in zip(projections, model.matrices()):
    projection.weight.copy_(W.T)                                       # nn.Linear stores (out, in)

x = model.vectors(words)[None]                                         # (B, T, d_model) = (1, 5, 32)
y_first, k3, v3 = attention(x[:, :3])                                  # prefill
y_fourth, k4, v4 = attention(x[:, 3:4], k3, v3)                        # decode
y_fifth, k5, v5 = attention(x[:, 4:], k4, v4)                          # decode
print("cached keys:", *(tuple(cache.shape) for cache in (k3, k4, k5)))
assert torch.equal(k5[:, :, :3], k3)                                   # the old keys, untouched, come first
assert_close(torch.cat([y_first, y_fourth, y_fifth], dim=1), attention(x)[0])      # (B, T, d_model)
print("three pieces equal one pass; the next word:", *model.likeliest(model.readout(x + attention(x)[0])[0, -1], 1))

# %% [markdown]
# ### It writes
#
# Each round reads what is new, draws the next word from the probabilities in the last row, and appends it. Without the cache, each
# round reads everything again.

# %%
def write(prompt, has_cache, seed):
    words, read, rows, k, v = model.words(prompt), 0, 0, None, None
    g = torch.Generator().manual_seed(seed)                            # the same random draws for the same seed
    while words[-1] != "." and len(words) < 19:                        # the model knows 19 positions
        if not has_cache:
            read, k, v = 0, None, None
        x = model.vectors(words[read:], start=read)[None]              # (1, T_new, d_model)
        y, k, v = attention(x, k, v)
        read, rows = len(words), rows + x.shape[1]
        shares = model.readout(x + y)[0, -1].softmax(dim=-1)           # (36,), a probability for each word
        words.append(model.vocabulary[shares.multinomial(1, generator=g)])         # one, drawn by these
    return " ".join(words), rows


for seed in range(4):
    text, rows = write("the small dog", True, seed)
    same, rows_without = write("the small dog", False, seed)
    assert same == text
    print(f"{text:66} {rows:3} rows with the cache, {rows_without:3} without")

# %% [markdown]
# The same sentences, from a fraction of the rows. Start one of your own: `write("the old cow", True, 0)`. Then watch one being read:
# *Play*, or the slider *moment*. Switch *keep K and V* off, and everything is recomputed.

# %%
cache_theatre("the dog slept loudly and", [[3, 1, 1], [2, 1, 2], [1, 1, 1, 1, 1]])

# %% [markdown]
# **Takeaway.** However a sentence is split, each token is processed once, its query is used once, and its key and value
# stay.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## Chunks of any size (optional)
#
# ### Exercise: `attend_in_chunks`
#
# Write the loop that passes the cache along, for chunks of any sizes. `attention` is any module that is called like your
# layer. If the sizes do not add up to T, raise `ValueError`.

# %% nbgrader={"grade": false, "grade_id": "attend_in_chunks", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attend_in_chunks(attention, x, chunk_sizes):
    """Read x in chunks, each with the cache of the chunks before it.

    attention:    called as attention(x, cache_k, cache_v), returns (output, new_cache_k, new_cache_v)
    x:            (B, T, d_model)
    chunk_sizes:  a list or tuple of positive sizes that add up to T, else ValueError; left as it is
    returns       (B, T, d_model), the outputs of all chunks in order
    """
    ### BEGIN SOLUTION
    if not chunk_sizes or sum(chunk_sizes) != x.shape[1]:
        raise ValueError(f"chunks of {list(chunk_sizes)} tokens do not make {x.shape[1]}")
    outputs, cache_k, cache_v = [], None, None
    for chunk in x.split(list(chunk_sizes), dim=1):                    # (B, size, d_model)
        output, cache_k, cache_v = attention(chunk, cache_k, cache_v)
        outputs.append(output)                                         # (B, size, d_model)
    return torch.cat(outputs, dim=1)                                   # (B, T, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_attend_in_chunks", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("attend_in_chunks", attend_in_chunks).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("attend_in_chunks", attend_in_chunks).points
### END HIDDEN TESTS

# %% [markdown]
# However you chunk, the outputs must match those of one pass. Are they bitwise equal?

# %%
in_chunks = yours("attend_in_chunks")
x = torch.randn(2, 7, 32)                                              # (B, T, d_model)
whole = attention(x)[0]
for sizes in ([7], [3, 4], [1] * 7, [2, 2, 2, 1]):
    difference = (in_chunks(attention, x, sizes) - whole).abs().max().item()
    print(f"{str(sizes):22} largest difference {difference:.1e}")
    assert difference < 1e-5

# %% [markdown]
# Not always. Matrix products of different shapes may sum in a different order, and rounding depends on the order.
# **Cached and uncached are close, not bitwise equal**: test with `allclose`, never with `==`.

# %% [markdown]
# ## Break it: the wrong order (optional)
#
# Somebody concatenates in the wrong order: **new keys first**, then the old ones, and likewise the values. The mask stays
# as it is.

# %%
predict("new_keys_first")

# %% [markdown]
# SDPA gets both orders: one new query after four cached tokens, then a chunk of two after three.

# %%
cached_mask = yours("create_causal_mask_with_cache")                   # from 1.13
Q, K, V = torch.randn(3, 1, 1, 5, 4, dtype=torch.float64)              # (B, H, T, d_head): tokens 0 to 4
for cached in (4, 3):
    new = 5 - cached
    open_keys = ~cached_mask(new, 5, cached)                           # (T_q, T_k), True = attend, for SDPA
    order = [*range(cached, 5), *range(cached)]                        # new tokens first
    right = F.scaled_dot_product_attention(Q[:, :, cached:], K, V, attn_mask=open_keys)
    turned_K, turned_V = K[:, :, order], V[:, :, order]                # (B, H, T_k, d_head)
    turned = F.scaled_dot_product_attention(Q[:, :, cached:], turned_K, turned_V, attn_mask=open_keys)
    print(f"{new} new: keys in order {order}, outputs differ by {(right - turned).abs().max():.3f}")

# %% [markdown]
# **One token at a time, the bug is invisible.** Attention is a weighted sum, and the order of its terms does not matter.
# In a chunk the mask goes by column: query 3 loses old key 2 and sees future key 4.
#
# Four bugs:
#
# 1. new keys before old ones
# 2. no mask at all in a cached step
# 3. the mask counts queries from 0, as SDPA's `is_causal=True` does
# 4. K is kept in place of V

# %%
predict("bugs_that_single_tokens_miss")

# %% [markdown]
# **Takeaway.** Test a cache with chunks of more than one token.

# %% [markdown]
# ## 4.5 How much faster? (optional)
#
# Count before you measure. Let D be d_model. For T_q new tokens and T_k keys:
#
# - four projections: each new token times a (D, D) matrix, four times;
# - scores and mixing: each new query meets T_k keys in all heads (D numbers together), and T_k values. Masked pairs are counted too.

# %%
def multiply_adds(T_q, T_k, D):
    return 4 * T_q * D * D + 2 * T_q * T_k * D


T, D = 256, 256
work_without = sum(multiply_adds(t, t, D) for t in range(1, T + 1))    # everything again for every token
work_cached = sum(multiply_adds(1, t, D) for t in range(1, T + 1))     # one query, t keys
print(f"without a cache: {work_without:>14,} multiply-adds for {T} tokens")
print(f"with a cache:    {work_cached:>14,}")
print(f"ratio:           {work_without / work_cached:>14.0f}")
assert work_without > 100 * work_cached

# %% [markdown]
# For one token at position t that is O(t D² + t² D) without a cache and **O(D² + t D) with it**. For a whole sequence of T tokens in one pass, the
# projections take 4 T D², scores and mixing 2 T² D: equal at **T = 2 D**.
#
# Now time it. Both ways read the same tokens, prepared in advance.

# %%
def timed(attention, seconds):
    """The same module, noting how long each call took."""

    def call(*args, **kwargs):
        start = time.perf_counter()
        result = attention(*args, **kwargs)
        seconds.append(time.perf_counter() - start)
        return result

    return call


attention = yours("MultiHeadAttentionWithCache")(D, 8)
x = torch.randn(1, T, D)                                               # (B, T, d_model)
seconds_without, seconds_cached = [], []
with torch.no_grad():
    attention(x)                                                       # a first call, to warm up
    again = timed(attention, seconds_without)
    last_rows = [again(x[:, :t])[0][:, -1:] for t in range(1, T + 1)]  # (B, 1, d_model) each
    stepwise = yours("attend_in_chunks")(timed(attention, seconds_cached), x, [1] * T)         # (B, T, d_model)

assert_close(torch.cat(last_rows, dim=1), stepwise)
print(f"without a cache: {sum(seconds_without):.2f} s   with a cache: {sum(seconds_cached):.2f} s   "
      f"ratio: {sum(seconds_without) / sum(seconds_cached):.0f}")

# %%
show(plot_token_times(seconds_without, seconds_cached))

# %% [markdown]
# **Takeaway.** Without a cache, the time of a token grows with its position. With one, it hardly grows over these 256
# tokens. The ratio is smaller than that of the multiply-adds, because each step also pays overhead and reads every weight (4.9).
#
# The cache buys more for longer sequences: on two-core machines, one layer in `benchmarks/cache.py` was 4 to 14 times faster with it for
# 128 tokens, 6 to 11 times for 256 and 12 to 40 times for 512. (Times vary with what else a machine does; the counts above do not.)

# %% [markdown]
# ## 4.6 What it costs: memory (optional)

# %%
predict("cache_of_a_70b")

# %% [markdown]
# The cache spends memory to save arithmetic. Measure one: three layers, one K and one V per layer, in 2-byte numbers.

# %%
B, H, T, d_head = 2, 4, 100, 8
cache = [torch.zeros(B, H, T, d_head, dtype=torch.bfloat16) for layer in range(3) for kind in "KV"]
weighed = sum(tensor.nbytes for tensor in cache)
print(len(cache), "tensors,", weighed, "bytes")

# %% [markdown]
# ### Exercise: `kv_cache_bytes`
#
# Real caches are too large to build just to measure them.

# %% nbgrader={"grade": false, "grade_id": "kv_cache_bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    """Bytes of the keys and values of a whole model: an int.

    num_kv_heads:     heads that are kept, which may be fewer than the query heads (see 4.8)
    bytes_per_value:  2 for bfloat16 and float16, 4 for float32
    """
    ### BEGIN SOLUTION
    values_per_token = num_layers * num_kv_heads * head_dim * 2                # keys, and as many values
    return batch_size * seq_len * values_per_token * bytes_per_value
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_kv_cache_bytes", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("kv_cache_bytes", kv_cache_bytes).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("kv_cache_bytes", kv_cache_bytes).points
### END HIDDEN TESTS

# %% [markdown]
# First the small cache from above, then real models: layers, *query* heads, *kv* heads, head size.

# %%
cache_bytes = yours("kv_cache_bytes")
assert cache_bytes(2, 3, 4, 100, 8) == weighed

published = {                    # layers, query heads, kv heads, head_dim
    "GPT-2 small": (12, 12, 12, 64),
    "Llama-2-7B": (32, 32, 32, 128),
    "Llama-2-70B": (80, 64, 8, 128),
    "Llama-3-8B": (32, 32, 8, 128),
    "Llama-3-70B": (80, 64, 8, 128),
    "Mistral-7B": (32, 32, 8, 128),
}
per_token = {name: cache_bytes(1, layers, kv_heads, 1, head_dim)
             for name, (layers, heads, kv_heads, head_dim) in published.items()}
for name, size in per_token.items():
    print(f"{name:14} {size / 2**10:7.1f} KiB for one token in bfloat16")

# %% [markdown]
# **KiB or kB?** A kibibyte is 1024 bytes, a kilobyte 1000; a GiB is 7 % more than a GB. Say which one you mean.
#
# Now the question from above, with 8192 tokens:

# %%
layers, heads, kv_heads, head_dim = published["Llama-3-70B"]
as_built = cache_bytes(1, layers, kv_heads, 8192, head_dim)
if_all_heads = cache_bytes(1, layers, heads, 8192, head_dim)
for name, size in (("8 kv heads, as published", as_built), ("64 heads, if none shared", if_all_heads)):
    print(f"{name:26} {size / 2**30:5.1f} GiB = {size / 1e9:5.2f} GB")
assert as_built == 2.5 * 2**30
assert if_all_heads == 20 * 2**30

# %% [markdown]
# The 70B models have 64 query heads but only **8 kv heads**: eight query heads share one (4.8). With 64 in the formula
# you get 20 GiB; the truth is **2.5 GiB**, or 320 KiB per token.
#
# DeepSeek-V3 caches no heads at all: in each of its 61 layers, 512 numbers from which all keys and values can be computed, and 64 that
# carry the position (part 7).

# %%
deepseek = 61 * (512 + 64) * 2
wrong = cache_bytes(1, layers, heads, 1, head_dim)
drawn = {**per_token, "DeepSeek-V3": deepseek, "a 70B, if 64 heads": wrong}
show(plot_cache_memory(drawn, dashed=["a 70B, if 64 heads"]))

# %% [markdown]
# **Takeaway.** A cache grows in proportion to sequence length and batch size. Model size is not what counts: Llama-2-**7B**
# caches more than Llama-2-**70B**, because its heads share nothing.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 4.7 A growing cache copies; a static one doesn't (optional)
#
# `torch.cat` makes a new tensor and copies everything into it, old keys included, at every step. Count the bytes written
# for K alone, with D = 512 in float32:

# %%
def bytes_written_by_cat(T, D, bytes_per_value=4):
    total = 0
    for t in range(1, T + 1):
        total += t * D * bytes_per_value                # the new K has t rows
    return total


for T in (512, 1024, 2048):
    grown, in_place = bytes_written_by_cat(T, 512), T * 512 * 4
    print(f"T = {T:4}   cat writes {grown / 1e6:5.0f} MB   in place {in_place / 1e6:3.1f} MB   "
          f"ratio {grown / in_place:6.1f}")
assert bytes_written_by_cat(1024, 512) / (1024 * 512 * 4) == (1024 + 1) / 2

# %% [markdown]
# Twice the length, four times the copying. The fix: **reserve memory for the longest sequence once, and write each new key in
# place.** In `benchmarks/cache.py` that was 2 to 7, 5 to 20 and 12 to 35 times faster than `cat` at these three lengths.
# What the cache returns is a *view*, a window onto the same memory:

# %%
memory = torch.zeros(6, 2)                              # room for 6 tokens
so_far = memory[:3]                                     # a view of the first three
memory[1] = 7.0
print(so_far.tolist(), "the same memory:", so_far.data_ptr() == memory.data_ptr())

# %% [markdown]
# ### Exercise: `StaticKVCache`
#
# - `update` writes the new keys and values after the old ones, and returns views of everything so far.
# - Tokens that do not fit raise `ValueError`, **before** anything is written: a later update that fits must still work.
# - Write under `torch.no_grad()`.

# %% nbgrader={"grade": false, "grade_id": "StaticKVCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class StaticKVCache:
    """Room for the keys and values of at most max_len tokens, reserved once."""

    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        ### BEGIN SOLUTION
        room = (batch_size, num_heads, max_len, d_head)
        self.k = torch.zeros(room, dtype=dtype, device=device)
        self.v = torch.zeros(room, dtype=dtype, device=device)
        self.length, self.max_len = 0, max_len
        ### END SOLUTION

    def update(self, k, v):
        """Write T new tokens.

        k, v:    (B, H, T, d_head)
        returns  k_all, v_all, (B, H, T_so_far, d_head) each: views of the reserved memory
        raises   ValueError if they do not fit; then nothing has changed
        """
        ### BEGIN SOLUTION
        end = self.length + k.shape[2]
        if end > self.max_len:
            raise ValueError(f"{k.shape[2]} tokens after {self.length} do not fit into {self.max_len}")
        with torch.no_grad():
            self.k[:, :, self.length:end] = k
            self.v[:, :, self.length:end] = v
        self.length = end
        return self.k[:, :, :end], self.v[:, :, :end]
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_StaticKVCache", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("StaticKVCache", StaticKVCache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("StaticKVCache", StaticKVCache).points
### END HIDDEN TESTS

# %% [markdown]
# Feed it 1024 tokens. Where are its keys after every step?

# %%
new_k, new_v = torch.randn(2, 1, 8, 1024, 64)                          # (B, H, T, d_head) each, D = 512
static, places = yours("StaticKVCache")(1, 8, 1024, 64), set()
for t in range(1024):
    k_all, v_all = static.update(new_k[:, :, t:t + 1], new_v[:, :, t:t + 1])       # (B, H, t + 1, d_head)
    places.add(k_all.data_ptr())
assert torch.equal(k_all, new_k)                                       # (B, H, T, d_head)
assert torch.equal(v_all, new_v)
print(f"{k_all.shape[2]} tokens kept; their keys lay in {len(places)} place")

# %% [markdown]
# The same in a picture, with room for four tokens:

# %%
cache_theatre(max_len=4)

# %% [markdown]
# The price: it reserves room for the longest sequence even if this one stays short, and it can run out. So servers hand out small *pages* of,
# say, 16 tokens.
#
# **Break it.** The returned tensors are views. Write nines into one, then feed the cache a third token:

# %%
static = yours("StaticKVCache")(1, 1, 3, 2)
view, _ = static.update(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))            # (1, 1, 2, 2)
view[:] = 9.0
k_all, _ = static.update(torch.ones(1, 1, 1, 2), torch.ones(1, 1, 1, 2))           # (1, 1, 3, 2)

# %%
predict("a_view_written_into")

# %%
print(k_all[0, 0].tolist())

# %% [markdown]
# A view shares the cache's memory: read it, don't write to it.

# %% [markdown]
# ## 4.8 Fewer heads to keep: grouped queries (optional)
#
# Does every head need its own keys and values? In **grouped-query attention** (GQA), a group of query heads reads the same kv head. With only one kv
# head it is called **multi-query attention** (MQA). With as many kv heads as query heads it is the attention you know (MHA).
#
# On paper: 6 query heads, 2 kv heads. A group has 6 / 2 = 3 query heads, and neighbours belong together: query head h reads kv head `h // 3`. In the second
# picture they are dealt out in turn:

# %%
axes = plt.subplots(1, 2, figsize=(8, 2.4), layout="constrained")[1]
plot_kv_groups([h // 3 for h in range(6)], 2, ax=axes[0]).set_title("neighbours share: h // 3, right")
plot_kv_groups([h % 2 for h in range(6)], 2, ax=axes[1]).set_title("in turn: h % 2, wrong")
show(axes)

# %% [markdown]
# **Takeaway.** Both run, and both have the right shapes. A model trained with the crossing lines would be just as good,
# but published models were trained with the straight ones.

# %%
predict("kv_head_that_is_read")

# %% [markdown]
# ### Exercise: `GroupedQueryAttentionWithCache`
#
# Like your `MultiHeadAttentionWithCache`, with three differences: `k_proj` and `v_proj` are narrower, the cache holds
# `num_kv_heads` heads, and each kv head must serve all the query heads of its group. **Put K and V into the cache before
# you repeat them for the groups.**

# %% nbgrader={"grade": false, "grade_id": "GroupedQueryAttentionWithCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class GroupedQueryAttentionWithCache(nn.Module):
    """Causal attention with a cache, in which groups of query heads share a kv head.

    d_model, num_heads:  d_head = d_model // num_heads
    num_kv_heads:        a divisor of num_heads; query head h reads kv head h // (num_heads // num_kv_heads)
    layers:              q_proj, out_proj from d_model to d_model; k_proj, v_proj to num_kv_heads * d_head
    """

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        if d_model % num_heads or num_heads % num_kv_heads:
            raise ValueError(f"{d_model}, {num_heads}, {num_kv_heads}: the shares are not equal")
        self.num_heads, self.num_kv_heads, self.d_head = num_heads, num_kv_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        # first gap: k_proj and v_proj
        ### BEGIN SOLUTION
        self.k_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        self.v_proj = nn.Linear(d_model, num_kv_heads * self.d_head, bias=False)
        ### END SOLUTION
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        """One step: read T new tokens.

        x:                 (B, T, d_model)
        cache_k, cache_v:  (B, num_kv_heads, T_cached, d_head); or None
        returns            output (B, T, d_model), two caches (B, num_kv_heads, T_cached + T, d_head)
        """
        B, T, d_model = x.shape
        Q = self.q_proj(x).view(B, T, self.num_heads, self.d_head).transpose(1, 2)  # (B, H, T, d_head)
        # second gap: K and V, (B, H_kv, T, d_head) each
        ### BEGIN SOLUTION
        shape = (B, T, self.num_kv_heads, self.d_head)
        K = self.k_proj(x).view(shape).transpose(1, 2)                              # (B, H_kv, T, d_head)
        V = self.v_proj(x).view(shape).transpose(1, 2)                              # (B, H_kv, T, d_head)
        ### END SOLUTION
        if cache_k is not None:
            K, V = torch.cat([cache_k, K], dim=2), torch.cat([cache_v, V], dim=2)   # (B, H_kv, T_k, d_head)
        T_k = K.shape[2]
        # third gap: keys and values for every query head, (B, H, T_k, d_head) each
        ### BEGIN SOLUTION
        group = self.num_heads // self.num_kv_heads
        keys, values = (shared.repeat_interleave(group, dim=1) for shared in (K, V))    # (B, H, T_k, d_head)
        ### END SOLUTION
        scores = Q @ keys.transpose(-2, -1) / math.sqrt(self.d_head)                # (B, H, T, T_k)
        if is_causal:
            future = torch.ones(T, T_k, dtype=torch.bool, device=x.device).triu(T_k - T + 1)
            scores = scores.masked_fill(future, -math.inf)                          # (B, H, T, T_k)
        heads = scores.softmax(dim=-1) @ values                                     # (B, H, T, d_head)
        return self.out_proj(heads.transpose(1, 2).reshape(B, T, d_model)), K, V

# %% nbgrader={"grade": true, "grade_id": "test_GroupedQueryAttentionWithCache", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("GroupedQueryAttentionWithCache", GroupedQueryAttentionWithCache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("GroupedQueryAttentionWithCache", GroupedQueryAttentionWithCache).points
### END HIDDEN TESTS

# %% [markdown]
# MHA, GQA and MQA, side by side. With as many kv heads as heads, the grouped class must give MHA's output:

# %%
grouped = yours("GroupedQueryAttentionWithCache")
x = torch.randn(2, 6, 48)                                              # (B, T, d_model)
full = yours("MultiHeadAttentionWithCache")(48, 6)
same = grouped(48, 6, 6)
same.load_state_dict(full.state_dict())
with torch.no_grad():
    assert_close(same(x)[0], full(x)[0])                               # (B, T, d_model)
    for name, kv_heads in (("MHA", 6), ("GQA", 2), ("MQA", 1)):
        layer = grouped(48, 6, kv_heads)
        _, k, v = layer(x)
        size = k.nbytes + v.nbytes
        numbers = sum(p.numel() for p in layer.parameters())
        print(f"{name}  kv heads {kv_heads}   cache {tuple(k.shape)}   {size:5} bytes   {numbers} parameters")
        assert size == cache_bytes(2, 1, kv_heads, 6, 8, 4)

# %% [markdown]
# Take a 70B model, 80 layers with 64 query heads of size 128, and move *kv heads* from 64 (MHA) to 8 and to 1 (MQA). Which numbers drop to 1/64, and
# which don't even halve?

# %%
cache_theatre(layers=80, heads=64, head_dim=128, kv_heads=64)

# %% [markdown]
# **What GQA saves, and what it doesn't.** The cache shrinks by a factor of the group size, and K and V are cheaper to
# compute. The scores are not: every query head still meets every key. On a GPU that waits for memory, a
# cache one eighth the size is read in an eighth of the time, if the kernel doesn't copy shared heads.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 4.9 Prefill computes, decode waits (optional)
#
# Why is a cached step slower than its multiply-add count suggests? Because of the bytes it must fetch. Operations per byte moved between
# memory and processor are called the **arithmetic intensity**.
#
# Count both for one attention layer with D = 4096 in bfloat16. Operations: two for each multiply-add of 4.5, without the
# masked ones. Bytes: the layer's four matrices, once for the whole batch, and the keys and values of every sequence.
#
# By their data sheets, an NVIDIA A100 (80 GB) does 312 · 10¹² operations and moves 2.039 · 10¹² bytes per second, an H100 989 and 3.35:
# 153 and 295 operations while one byte arrives. (For a B200 it is 281.) Work with a lower intensity waits for bytes: it is **memory-bound**.
# Work with a higher one waits for arithmetic: it is **compute-bound**.

# %%
def operations_per_byte(T_q, T_k, batch=1, D=4096, kv_share=1.0):
    """kv_share: kv / query heads. In causal prefill, queries meet half the keys on average."""
    met = T_k if T_q == 1 else T_k / 2
    weights = (2 + 2 * kv_share) * D * D
    operations = 2 * batch * (T_q * weights + 2 * T_q * met * D)
    cached = 2 * batch * T_k * D * kv_share
    passing = 2 * batch * T_q * D                        # the tokens come in and go out
    return operations / (2 * (weights + cached + passing))


work = {
    "decode, batch of 1": operations_per_byte(1, 4096),
    "decode, batch of 64": operations_per_byte(1, 4096, batch=64),
    "the same, 1/8 of the kv heads": operations_per_byte(1, 4096, batch=64, kv_share=1 / 8),
    "prefill, 4096 tokens": operations_per_byte(4096, 4096),
}
for name, intensity in work.items():
    print(f"{name:30} {intensity:7.1f} operations per byte, {'memory' if intensity < 153 else 'compute'}-bound on an A100")
assert round(operations_per_byte(64, 64)) == 63
assert round(operations_per_byte(1, 512, batch=256, kv_share=1 / 64)) == 185
show(plot_roofline(work, operations=312e12, bandwidth=2.039e12))

# %% [markdown]
# **Takeaway.** Reading a prompt of 4096 tokens uses each fetched weight 4096 times: compute-bound. Decode uses it once per sequence: memory-bound, at 1
# operation per byte. In this layer a larger batch takes decode to 3 and no further, because every sequence brings its own cache.
#
# Exceptions: a prompt of 64 tokens is memory-bound (63), and on an A100 decoding 256 short sequences whose 64 query heads share one kv
# head is compute-bound: `operations_per_byte(1, 512, batch=256, kv_share=1/64)` is 185. On an H100 even that waits for memory.

# %% [markdown]
# ## 4.10 Left padding, and what it does to the second layer (optional)
#
# A batch of prompts of different lengths is often padded **on the left**, so that all of them end where the next tokens are appended. Here T = 5, and
# example 1 has only three real tokens.

# %%
lengths = torch.tensor([5, 3])                                         # (B,)
padding = torch.arange(5) < (5 - lengths)[:, None]                     # (B, T), True = padding, on the left
mask = yours("create_causal_mask")(5) | padding[:, None]               # (B, T_q, T_k)
axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")[1]
for b, ax in enumerate(axes):
    plot_mask(mask[b], ax=ax).set_title(f"example {b}, length {int(lengths[b])}")
show(axes)

# %% [markdown]
# The first two rows of example 1 have no open key (1.10). Now two bare layers, without projections, one on top of the
# other: each adds its attention output to the residual stream (3.6).

# %%
predict("rows_left_after_two_layers")

# %%
def bare_layer(x, softmax):                                            # (B, T, d), (scores, mask) -> weights
    scores = x @ x.mT / math.sqrt(x.shape[-1])                         # (B, T, T)
    return x + softmax(scores, mask) @ x                               # (B, T, d)


def ordinary(scores, mask):
    return scores.masked_fill(mask, -math.inf).softmax(dim=-1)         # (B, T, T)


x = torch.randn(2, 5, 4)                                               # (B, T, d)
once = bare_layer(x, ordinary)
twice = bare_layer(once, ordinary)
careful = bare_layer(bare_layer(x, yours("masked_softmax")), yours("masked_softmax"))
pictures = {"ordinary softmax, layer 1": once, "ordinary softmax, layer 2": twice,
            "masked_softmax, layer 2": careful}
axes = plt.subplots(1, 3, figsize=(10.5, 2.4), layout="constrained")[1]
limit = careful[:, :, 0].abs().max().item()                            # one scale for all three
for ax, (name, output) in zip(axes, pictures.items()):
    plot_scores(output[:, :, 0], limit=limit, ax=ax).set(xlabel="position", ylabel="example", title=name)
show(axes)

# %%
print("NaN rows of example 1:", int(once[1].isnan().any(-1).sum()), "after layer 1,",
      int(twice[1].isnan().any(-1).sum()), "after layer 2")
assert not twice[0].isnan().any()
assert not careful.isnan().any()

# %% [markdown]
# **Takeaway.** In layer 1 the NaN is at padded positions, where nobody reads it. In layer 2 those positions are *keys and values*. Their weight is 0, and 0
# times NaN is NaN, so **every** row of that example is lost.
#
# The fix is the softmax of 1.10. Two more things change with left padding. **Positions:** the first real token is
# at position 0, whatever column it is in. **The cache:** it contains the padding's keys, so every later step,
# decoding included, needs the padding mask.

# %% [markdown]
# ## 4.11 Compare with the world (optional)
#
# SDPA takes whatever keys you pass it. Let it do the last chunk, with the keys and values that your layer returned.
# `causal_lower_right` is its mask for queries at the end.

# %%
from torch.nn.attention.bias import causal_lower_right

attention = yours("MultiHeadAttentionWithCache")(12, 3)
split, merge = yours("split_heads"), yours("merge_heads")
x = torch.randn(2, 7, 12)                                              # (B, T, d_model)
with torch.no_grad():
    _, k, v = attention(x[:, :4])                                      # prefill, 4 tokens
    output, k, v = attention(x[:, 4:], k, v)                           # a chunk of 3
    Q = split(attention.q_proj(x[:, 4:]), 3)                           # (B, H, T_q, d_head)
    right = F.scaled_dot_product_attention(Q, k, v, attn_mask=causal_lower_right(3, 7))
    trap = F.scaled_dot_product_attention(Q, k, v, is_causal=True)     # (B, H, T_q, d_head)
    assert_close(attention.out_proj(merge(right)), output)
    print(f"lower right:    largest difference {(attention.out_proj(merge(right)) - output).abs().max():.1e}")
    print(f"is_causal=True: largest difference {(attention.out_proj(merge(trap)) - output).abs().max():.1e}")

# %% [markdown]
# The `transformers` library calls the two kinds of caches `DynamicCache` and `StaticCache`; the latter returns the
# whole buffer, so that shapes never change, and a mask hides the unfilled part. With fewer queries than keys, SDPA's
# `is_causal=True` begins at the top left, FlashAttention since 2.1 at the bottom right.

# %% [markdown]
# ## 4.12 Recall (optional)
#
# Answer aloud, in two sentences, before you choose.

# %%
predict("why_no_queries_are_kept")

# %%
predict("masks_of_decode_and_chunk")

# %%
predict("prefill_and_decode_bound_by")

# %%
predict("cache_in_gib")

# %%
predict("cache_after_a_beam_step")

# %% [markdown]
# ## 4.13 From memory (optional)
#
# No hints, no scrolling.

# %% nbgrader={"grade": false, "grade_id": "MultiHeadAttentionWithCache_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttentionWithCache_from_memory(nn.Module):
    """q_proj, k_proj, v_proj, out_proj without bias; the cache comes in and goes out."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=False))
        ### END SOLUTION

    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        ### BEGIN SOLUTION
        Q, K, V = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
                   for layer in (self.q_proj, self.k_proj, self.v_proj))           # (B, H, T, d_head)
        if cache_k is not None:
            K, V = torch.cat((cache_k, K), dim=2), torch.cat((cache_v, V), dim=2)  # (B, H, T_k, d_head)
        T, T_k = Q.shape[2], K.shape[2]
        open_keys = torch.ones(T, T_k, dtype=torch.bool, device=x.device).tril(T_k - T)
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=open_keys if is_causal else None)
        return self.out_proj(heads.transpose(1, 2).flatten(2)), K, V               # (B, T, d_model)
        ### END SOLUTION

# %%
check("MultiHeadAttentionWithCache", MultiHeadAttentionWithCache_from_memory)

# %% [markdown]
# If that went well: `GroupedQueryAttentionWithCache`, in a new cell.
#
# ## Next
#
# What does a trained head *do* with all this? **Part 5** trains your own layer and looks. Open `05_visualization.ipynb`.

# %%
progress()
