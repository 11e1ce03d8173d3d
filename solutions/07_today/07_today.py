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
# # 7. Today: what has changed around attention
#
# <!-- minutes -->
#
# The formula you built, `softmax(Q Kᵀ / √d_head) V`, is still in use in 2026, though no longer in every layer. What has changed is
# mostly around it.
#
# **By the end you can build the main changes, say what each saves and costs, and do the arithmetic on parameters, bytes and speed
# that interviews ask for.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import plot_mask
from course_utils.figures.costs import plot_roofline
from course_utils.figures.masks import plot_cached_mask
from course_utils.figures.pages import plot_pages
from course_utils.figures.show import show
from course_utils.figures.weights import plot_scores
from course_utils.touch.online import read_blocks
from course_utils.touch.ring import fill_ring
from course_utils.touch.rope import turn_pairs

import math
from functools import partial

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-5, atol=1e-5)

# %% [markdown]
# ## 7.1 What changed, and two predictions
#
# | question | as you built it | in models since 2024 | here |
# |---|---|---|---|
# | How does a token say where it is? | a vector is added, once | queries and keys are *rotated* in each layer (Llama-3, Qwen3) or in three of four (SmolLM3, Llama 4) | 7.2 |
# | What does a cache keep? | a key and a value per head | one of each per group of heads (Llama-3, Qwen3); one short vector for all (DeepSeek-V3, Mistral 4) | 7.3, 7.8 |
# | How is it stored? | in one piece | in blocks that requests share (vLLM, a server) | 7.4 |
# | Where are the scores? | in a (T, T) table | nowhere: made block by block (FlashAttention) | 7.5 |
# | Which keys does a query meet? | all earlier ones | in some layers the nearest (Gemma-3, gpt-oss); a selection (DeepSeek-V3.2) | 7.7, "more pieces" |
# | Which layers have a softmax? | all | one in four (Qwen3-Next, Qwen3.5) | "more pieces" |
# | What is beside it? | LayerNorm, GELU (part 6) | RMSNorm, also of queries and keys (Qwen3); SwiGLU | 7.3 |

# %%
predict("faster_gpu_for_one_request")

# %%
predict("tables_of_positions_end")

# %% [markdown]
# ## 7.2 RoPE: positions as angles
#
# Without a mask, attention is blind to order: shuffled tokens give shuffled outputs. A causal mask helps a little: a head
# that spreads its weight evenly gives the first token 1/n, which reveals n. The first Transformer added a vector to each token, before
# the first layer, that said "I am number 7". GPT-2 does the same with a learned table of 1024 rows.
#
# What matters is often *how far apart* two tokens are: "the word before", not "word 512". **Rotary position embedding** (RoPE) adds
# nothing. It rotates each query and each key by an angle proportional to its position, just before the scores. Positions then enter a
# score only through the angle *between* the two, that is, through their distance in the text.
#
# ### On paper: two features
#
# Take d_head = 2, and rotate by 1 radian (57.3°) per position. Query and key are both the arrow [1, 0], so after the rotation the query at
# position m is [cos m, sin m], and the key at position n is [cos n, sin n]:
#
# | query at | key at | rotated query | rotated key | query · key |
# |---|---|---|---|---|
# | 2 | 0 | [−.416, .909] | [1, 0] | −.416 |
# | 3 | 1 | [−.990, .141] | [.540, .841] | −.416 |
# | 13 | 11 | [.907, .420] | [.004, −1.000] | −.416 |
#
# Always the same distance, 2, and always the same score, cos 2 = −.416. A rotation preserves length.
#
# A head has more than two features. They are taken in **pairs**, and each pair j = 0, 1, …, d_head / 2 − 1 rotates at its own speed:
#
# ```
#   angle of pair j at position p  =  p · base^(−2j / d_head)         base = 10 000
#   a, b  →  a · cos(angle) − b · sin(angle),   a · sin(angle) + b · cos(angle)
# ```
#
# Pair 0 rotates by 1 radian per token. In a head of 128 the last pair is 8660 times slower; with d_head = 8, as below, 1000 times. Fast pairs
# tell neighbours apart, and slow ones can still tell, after thousands of tokens, which of two keys is farther away.
#
# Which features make a pair? Here feature j of the first half and feature j of the second: the **half-split** convention. For d_head =
# 6: (0, 3), (1, 4), (2, 5). The simplest loop, for one head:

# %%
def turn_by_loop(x, positions, base=10000.0):                          # x: (T, d_head)
    T, d_head = x.shape
    turned = torch.empty_like(x)
    for t in range(T):
        for j in range(d_head // 2):
            angle = float(positions[t]) * base ** (-2 * j / d_head)
            a, b = x[t, j], x[t, j + d_head // 2]
            turned[t, j] = a * math.cos(angle) - b * math.sin(angle)
            turned[t, j + d_head // 2] = a * math.sin(angle) + b * math.cos(angle)
    return turned                                                      # (T, d_head)


arrow = torch.tensor([[1.0, 0.0]])                                     # (T, d_head) = (1, 2)
for m, n in ((2, 0), (3, 1), (13, 11)):
    query, key = turn_by_loop(arrow, [m]), turn_by_loop(arrow, [n])
    print(f"query at {m:2}, key at {n:2}: {(query @ key.T).item():.3f}")
    assert abs((query @ key.T).item() - math.cos(2)) < 1e-5

# %% [markdown]
# ### Exercise: `apply_rope`
#
# - The angles of all positions and pairs are one table, (T, d_head / 2). You need no loop.
# - `positions` is an argument, because a layer with a cache does not start at 0.
# - With `positions` (B, T), each text has its own positions, and all its heads share them.
# - Compute the angles in float32 or better: you will see below what bfloat16 does to them.

# %% nbgrader={"grade": false, "grade_id": "apply_rope", "locked": false, "schema_version": 3, "solution": true, "task": false}
def apply_rope(x, positions, base=10000.0):
    """Turn pairs of features by angles that grow with the position (RoPE, half-split convention).

    x:          (B, H, T, d_head), queries or keys; d_head is even
    positions:  (T,) or (B, T) integers, the position of each token in its text
    base:       pair j turns by position * base ** (-2 * j / d_head)
    returns     (B, H, T, d_head), dtype and device of x
    """
    ### BEGIN SOLUTION
    d_head = x.shape[-1]
    pairs = torch.arange(d_head // 2, device=x.device)
    speeds = base ** (-2 * pairs / d_head)                     # (d_head / 2,), float32
    angles = positions[..., None] * speeds                     # (T, d_head / 2) or (B, T, d_head / 2)
    if positions.dim() == 2:
        angles = angles[:, None]                               # (B, 1, T, d_head / 2): the same for all heads
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)                         # (B, H, T, d_head / 2) each
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_apply_rope", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("apply_rope", apply_rope).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("apply_rope", apply_rope).points
### END HIDDEN TESTS

# %% [markdown]
# Yours, compared with the loop:

# %%
rope = yours("apply_rope")
ones = torch.tensor([1.0, 1, 1, 1, 0, 0, 0, 0]).expand(1, 1, 8, 8)     # (B, H, T, d_head), the same at all positions
turned = rope(ones, torch.arange(8))                                   # (B, H, T, d_head)
assert_close(turned[0, 0], turn_by_loop(ones[0, 0], range(8)))
assert_close(turned.norm(dim=-1), ones.norm(dim=-1))                   # lengths are preserved

# %% [markdown]
# Rotate the pairs yourself. Query and key start as [1, 0] in each of four pairs. Move one, then both:

# %%
turn_pairs()

# %% [markdown]
# **Takeaway.** Each circle is a clock. Pair 0 completes a turn in about six tokens; pair 3 hardly moves. Moving both keeps
# every angle between them, and so the score.
#
# **Only the offset counts.** Now the same query and the same key at every position. Without positions all scores would be equal. With RoPE
# each diagonal has one value, because a diagonal is one offset, query position minus key position:

# %%
q, k = torch.randn(2, 1, 1, 1, 8).expand(2, 1, 1, 7, 8)                # (B, H, T, d_head), one vector repeated
positions = torch.arange(7)
scores = rope(q, positions) @ rope(k, positions).mT                    # (B, H, T, T)
show(plot_scores(scores[0, 0]))

for shift in (1, 100, 5000):
    moved = rope(q, positions + shift) @ rope(k, positions + shift).mT
    print(f"all positions {shift:4} later: scores differ by at most {(moved - scores).abs().max():.1e}")
    assert_close(moved, scores, atol=5e-3)

# %% [markdown]
# **Takeaway.** Shift the whole text, and no score changes: only distances count. The small differences are rounding.
#
# **Break it: angles in bfloat16.** A bfloat16 number has 8 significant bits.

# %%
far = torch.arange(256, 264)
print("positions as bfloat16:", far.bfloat16().int().tolist())
print("so the angles of pair 0 repeat, and neighbours cannot be told apart")
assert far.bfloat16().unique().numel() < 8

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ### In the cache: rotated keys
#
# A key's position never changes, as long as nothing is dropped and renumbered. So **rotate it once, then keep it**: the cache holds rotated keys. A query is rotated
# by its own position when it arrives. Values are usually not rotated, since they take no part in the scores.

# %%
predict("new_token_at_position_zero")

# %%
T, cached = 6, 4
Q, K, V = torch.randn(3, 1, 2, T, 8)                                   # (B, H, T, d_head) each
positions = torch.arange(T)
whole = F.scaled_dot_product_attention(rope(Q, positions), rope(K, positions), V, is_causal=True)

kept_K, kept_V = rope(K[:, :, :cached], positions[:cached]), V[:, :, :cached]      # a prefill of 4
for name in ("counted on", "always 0"):
    keys, values, rows = kept_K, kept_V, []
    for t in range(cached, T):                                         # then one token at a time
        position = torch.tensor([t if name == "counted on" else 0])    # (1,)
        keys = torch.cat([keys, rope(K[:, :, t:t + 1], position)], dim=2)          # (B, H, t + 1, d_head)
        values = torch.cat([values, V[:, :, t:t + 1]], dim=2)                      # (B, H, t + 1, d_head)
        rows.append(F.scaled_dot_product_attention(rope(Q[:, :, t:t + 1], position), keys, values))
    difference = (torch.cat(rows, dim=2) - whole[:, :, cached:]).abs().max().item()
    print(f"positions {name:15} differ from one pass by {difference:.1e}")
    assert (difference < 1e-5) == (name == "counted on")

# %% [markdown]
# ### The other convention
#
# RoPE's authors pair *neighbours*: (0, 1), (2, 3), (4, 5). So do Meta's own code for Llama, Cohere's models and some GLM models.
# Llama 1 to 3 in the `transformers` library pair the halves. Mixing them up raises no error, and shifting the text still changes no score.
# The model just doesn't work.

# %%
def interleaved_rope(x, positions, base=10000.0):
    """Pairs (2j, 2j + 1), as complex numbers."""
    d_head = x.shape[-1]
    per_token = base ** (-torch.arange(0, d_head, 2) / d_head)         # (d_head / 2,)
    turns = torch.exp(1j * positions[..., None] * per_token)           # (T, d_head / 2), or (B, T, d_head / 2)
    turns = turns if positions.dim() == 1 else turns[:, None]          # (B, 1, T, d_head / 2)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())  # (B, H, T, d_head / 2)
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


order = torch.cat([torch.arange(0, 8, 2), torch.arange(1, 8, 2)])      # evens first, then odds
half = rope(Q, positions) @ rope(K, positions).mT                      # (B, H, T, T)
neighbours = interleaved_rope(Q, positions) @ interleaved_rope(K, positions).mT
reordered = rope(Q[..., order], positions) @ rope(K[..., order], positions).mT
print("features in order", order.tolist())
print(f"two conventions, the same Q and K:  scores differ by {(half - neighbours).abs().max():.2f}")
print(f"Q and K reordered for the halves:   scores differ by {(reordered - neighbours).abs().max():.1e}")
assert_close(reordered, neighbours)

# %% [markdown]
# **Takeaway.** The conventions only number the features differently. Reorder the rows of W_Q and W_K (and of their biases) within each head, once, and weights for one
# work with the other. `check` knows both, and says which one it got:

# %%
check("apply_rope", interleaved_rope)

# %% [markdown]
# **The base.** A larger base makes the slow pairs slower. How many tokens until the slowest pair of a head of 128 completes a turn?

# %%
for name, base in (("RoPE's first paper", 1e4), ("Llama-3", 5e5), ("Qwen3", 1e6)):
    print(f"{name:24} base {base:9,.0f}: {2 * math.pi * base ** (126 / 128):11,.0f} tokens")

# %% [markdown]
# Longer contexts need a larger base, or smaller positions: Gemma-3, from 4B on, divides those of its global layers by 8. SmolLM3 and Llama 4
# leave RoPE out of every fourth layer. Such a layer sees order only through the causal mask and what the layers below have written. Qwen3.5
# rotates only a quarter of each head's features (*partial* RoPE).

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.3 Grouped queries and the roofline
#
# **Grouped queries.** In the layers you built, every head has its own keys and values, and the cache keeps them all. In
# **grouped-query attention** (GQA; 4.8 builds it), neighbouring query heads share a *kv head*: query head h reads kv head `h // (H // H_kv)`.
# Llama-3-8B has 32 query heads and 8 kv heads, so its cache is a quarter of the size:
#
# ```
#   bytes per token  =  2 (K and V) · layers · kv heads · d_head · bytes per number
# ```
#
# One kv head for all is **multi-query attention** (MQA). The scores cost as much as before: every query head still meets every key.

# %%
H, kv_heads, T, d_head = 6, 2, 5, 4
Q, (K, V) = torch.randn(1, H, T, d_head), torch.randn(2, 1, kv_heads, T, d_head)   # K and V: (B, H_kv, T, d_head)
keys, values = (shared.repeat_interleave(H // kv_heads, dim=1) for shared in (K, V))     # (B, H, T, d_head)
together = F.scaled_dot_product_attention(Q, keys, values, is_causal=True)         # (B, H, T, d_head)
for h in range(H):
    own = h // (H // kv_heads)
    assert_close(together[:, h], F.scaled_dot_product_attention(Q[:, h], K[:, own], V[:, own], is_causal=True))
    print(f"query head {h} reads kv head {own}")

# %% [markdown]
# **The roofline** (4.9). A step reads weights and cache from memory, and computes with them. It takes at least as long as the slower of
# the two. Its operations (*FLOPs*) per byte moved are its **arithmetic intensity**. A machine's operations per second, divided by its bytes
# per second, is its **ridge point**. Below it a step waits for bytes: it is **memory-bound**. Above it, it is **compute-bound**.
#
# | data sheet, dense | 10¹² operations/s (bfloat16) | 10¹² bytes/s | memory | ridge point |
# |---|---|---|---|---|
# | A100 (2020) | 312 | 2.039 | 80 GB | 153 |
# | H100 (2022) | 989 | 3.35 | 80 GB | 295 |
# | B200 (2024) | 2250 | 8 | 180 GB | 281 |
#
# A weight of 2 bytes costs 2 operations per token. So decoding one request has an intensity of 1, and reading a prompt of
# 1000 tokens about 1000: each weight that arrives serves all of them.
#
# ### The arithmetic that interviews ask for
#
# "How many parameters?" "How much memory?" "How fast at best?" The skill is to get the units right. In Llama-3-8B, the **embedding** is a table with a row per token, looked
# up at the start; the **read-out** is a second such table, whose product with the last vector is the logits. The MLP is **gated** (SwiGLU):
# `down(silu(gate(x)) * up(x))`, with *silu(z) = z · sigmoid(z)*. Norms are RMSNorms, which only scale, by one number per feature. By its configuration:

# %%
layers, d, hidden, vocabulary, heads, kv_heads, head_dim = 32, 4096, 14336, 128256, 32, 8, 128
attention = 2 * d * heads * head_dim + 2 * d * kv_heads * head_dim     # W_Q and W_O; W_K and W_V are narrower
mlp = 3 * d * hidden                                                   # gate, up and down
norms = 2 * d                                                          # one number per feature, twice
parameters = layers * (attention + mlp + norms) + d + 2 * vocabulary * d           # embedding and read-out
print(f"{parameters:,} parameters; of a layer's, {attention / (attention + mlp):.0%} are attention's")
assert parameters == 8_030_261_248

weights = 2 * parameters                                               # bytes, in bfloat16
per_token = 2 * layers * kv_heads * head_dim * 2                       # bytes of cache
print(f"weights {weights / 1e9:.1f} GB; cache {per_token / 2**10:.0f} KiB a token, "
      f"{8192 * per_token / 2**30:.0f} GiB for 8192 tokens")
multiplied = parameters - vocabulary * d                               # the embedding is looked up, one row a token
for name, memory, bandwidth in (("A100", 80e9, 2.039e12), ("B200", 180e9, 8e12)):
    seconds = 2 * multiplied / bandwidth
    print(f"{name}: room for {int((memory - weights) // (8192 * per_token)):3} requests of 8192 tokens; "
          f"{1e3 * seconds:.1f} ms to read the weights, so at most {1 / seconds:.0f} tokens a second for one request")

# %% [markdown]
# The rules behind these lines:
#
# | what | rule |
# |---|---|
# | operations per token, forward | 2 for each weight that is multiplied (the embedding is looked up) |
# | operations in training | three times as many: the backward pass costs about two forward passes |
# | bytes | numbers times bits / 8; GB are 10⁹, GiB are 2³⁰ |
#
# One decode step for several requests reads the weights *once*, and every request's own cache. At what batch size does it stop
# waiting for memory?

# %%
def decode_intensity(requests, tokens):
    return requests * 2 * multiplied / (2 * multiplied + requests * tokens * per_token)


work = {f"{requests} × {tokens}": decode_intensity(requests, tokens)
        for requests, tokens in ((1, 2048), (64, 2048), (512, 128), (32, 8192))}
for name, intensity in work.items():
    print(f"{name:8} tokens: {intensity:6.1f} operations per byte")
axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")[1]
plot_roofline(work, operations=312e12, bandwidth=2.039e12, ax=axes[0]).set_title("A100: ridge at 153")
plot_roofline(work, operations=2250e12, bandwidth=8e12, ax=axes[1]).set_title("B200: ridge at 281")
show(axes)

# %% [markdown]
# **Takeaway.** The longer the caches, the less a larger batch helps, because each request has its own. At 2048 tokens a step always
# waits for memory: the intensity stays below 60, whatever the batch. (Scores and mixing, left out here, add 7 %, and 29 % at 8192 tokens.)
#
# A narrower cache helps: with `kv_cache_dtype="fp8"`, vLLM stores 8-bit floats: half the bytes, but rounded. The scale
# that brings the numbers into their range is 1 unless you calibrate it, so measure what your model loses.
#
# **Most of these questions draw new numbers each time.** Type the result, or the arithmetic, such as `2 * 80 * 128`.

# %%
predict("parameters_of_a_decoder")

# %%
predict("bytes_of_weights")

# %%
predict("cache_of_one_token")

# %%
predict("operations_of_training")

# %%
predict("ridge_point")

# %%
predict("intensity_of_a_batch")

# %%
predict("tokens_a_second_at_best")

# %%
predict("largest_batch")

# %% [markdown]
# **Several GPUs.** In **tensor parallelism**, every GPU holds some heads of every layer: the rows of W_Q, W_K and W_V that compute them, and the columns of W_O
# that read them. Their contributions are added up at the end (an *all-reduce*). Two GPUs with two heads each:

# %%
d_model, H, gpus = 12, 4, 2
W_q, W_k, W_v, W_o = torch.randn(4, d_model, d_model) / math.sqrt(d_model)         # (out, in) each
x = torch.randn(2, 5, d_model)                                         # (B, T, d_model)


def heads_of(W_q, W_k, W_v, W_o, num_heads):
    """The contribution of these heads to the output: (B, T, d_model)."""
    Q, K, V = (F.linear(x, W).unflatten(-1, (num_heads, -1)).transpose(1, 2) for W in (W_q, W_k, W_v))
    merged = F.scaled_dot_product_attention(Q, K, V, is_causal=True).transpose(1, 2).flatten(2)
    return F.linear(merged, W_o)                                       # W_o: (d_model, features of these heads)


share = d_model // gpus                                                # features of one GPU's heads
parts = [heads_of(*(W[g * share:(g + 1) * share] for W in (W_q, W_k, W_v)),
                  W_o[:, g * share:(g + 1) * share], H // gpus) for g in range(gpus)]
assert_close(sum(parts), heads_of(W_q, W_k, W_v, W_o, H))              # (B, T, d_model)
print("the sum over GPUs is the output of the whole layer")

# %%
predict("cache_on_each_gpu")

# %%
predict("more_gpus_than_kv_heads")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.4 Paged caches: blocks and tables
#
# Memory reserved for the longest possible request is mostly wasted. So servers cut memory into **blocks** of, say, 16 tokens, hand them
# out as a request grows, wherever one is free, and give each request a **table** that lists its blocks in order.
#
# Token t is in block `table[t // block_size]`, at place `t % block_size`.

# %%
predict("block_of_a_token")

# %% [markdown]
# ### Exercise: `gather_paged`
#
# Gather the keys of one request in order.

# %% nbgrader={"grade": false, "grade_id": "gather_paged", "locked": false, "schema_version": 3, "solution": true, "task": false}
def gather_paged(blocks, block_table, length):
    """The tokens of one request, in their order, out of the blocks that the table names.

    blocks       (num_blocks, block_size, H, d_head), the memory that all requests share
    block_table  (n,) whole numbers: token t is in block block_table[t // block_size], at place
                 t % block_size. Entries that `length` tokens do not need may be anything; -1 marks "none"
    length       how many tokens the request has, at least 1
    returns      (H, length, d_head)
    """
    ### BEGIN SOLUTION
    t = torch.arange(length, device=blocks.device)                         # (length,)
    block_size = blocks.shape[1]
    tokens = blocks[block_table[t // block_size], t % block_size]          # (length, H, d_head)
    return tokens.transpose(0, 1)                                          # (H, length, d_head)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_gather_paged", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("gather_paged", gather_paged).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("gather_paged", gather_paged).points
### END HIDDEN TESTS

# %% [markdown]
# ### A shared beginning
#
# Many requests begin with the same system prompt, or the conversation so far. Their first blocks would hold equal keys and
# values, so one copy is enough: **prefix caching**. A server names each *full* block by a hash of its tokens **and of the name
# before**. Barring collisions, equal names mean that everything up to there is equal.

# %%
def block_names(tokens, block_size):
    """The names of the full blocks, from the first on."""
    names = [0]
    for end in range(block_size, len(tokens) + 1, block_size):
        names.append(hash((names[-1], *tokens[end - block_size : end])))
    return names[1:]


system = [5, 1, 8, 2, 7, 3, 9, 4]                                      # two blocks of four tokens
for other in (system[:4] + [7, 3, 9, 0], [0] + system[1:]):
    same = [a == b for a, b in zip(block_names(system, 4), block_names(other, 4))]
    print(other, "equal names:", same)

# %% [markdown]
# The last one has the same second block after a different first one, and rightly another name: from the second layer on its keys
# were computed from other tokens. Only a prefix can be shared.
#
# Blocks, tables and names. Freed blocks keep their names until they are used again:

# %%
class PagedCache:
    """Keys and values (side by side in one tensor) of many requests, in blocks of one shared memory."""

    def __init__(self, num_blocks, block_size, H, d_head):
        self.blocks = torch.zeros(num_blocks, block_size, H, 2 * d_head, dtype=torch.float64)
        self.free = list(range(num_blocks))
        self.count = [0] * num_blocks                                  # how many tables list each block
        self.names, self.tables, self.tokens = {}, {}, {}              # {name: block}; {request: list} twice

    def start(self, request, prompt):
        """A new request; returns how many tokens of its prompt are in the cache already."""
        table, size = [], self.blocks.shape[1]
        for name in block_names(prompt[:-1], size):                    # the last token's output is needed: read it
            if name not in self.names:
                break
            table.append(self.names[name])
        for block in table:
            if self.count[block] == 0:
                self.free.remove(block)
            self.count[block] += 1
        self.tables[request], self.tokens[request] = table, prompt[: size * len(table)]
        return len(self.tokens[request])

    def append(self, request, token, k, v):
        """One more token: k and v are (H, d_head)."""
        table, tokens, size = self.tables[request], self.tokens[request], self.blocks.shape[1]
        entry, place = divmod(len(tokens), size)
        if entry == len(table):                                        # no block with room
            if not self.free:
                raise MemoryError("all blocks are in use")
            block = self.free.pop(0)
            self.names = {name: named for name, named in self.names.items() if named != block}
            self.count[block] = 1
            table.append(block)
        self.blocks[table[entry], place] = torch.cat([k, v], dim=-1)   # (H, 2 * d_head)
        tokens.append(token)
        if place == size - 1:                                          # full: from now on it can be shared
            self.names.setdefault(block_names(tokens, size)[-1], table[entry])

    def end(self, request):
        """The request is done: blocks that no other table lists are free again."""
        for block in self.tables.pop(request):
            self.count[block] -= 1
            if self.count[block] == 0:
                self.free.append(block)
        del self.tokens[request]

    def keys_and_values(self, request):
        both = gather(self.blocks, torch.tensor(self.tables[request]), len(self.tokens[request]))
        return both.chunk(2, dim=-1)                                   # twice (H, length, d_head)


gather = yours("gather_paged")

# %% [markdown]
# Ann's and Ben's prompts begin with the same 8 tokens. `read` computes only what is not in the cache:

# %%
H, d_head = 3, 4
cache = PagedCache(num_blocks=6, block_size=4, H=H, d_head=d_head)


def key_and_value(tokens):
    """Stands in for a deep layer: k and v of the last token depend on all tokens. (2, H, d_head)."""
    generator = torch.Generator().manual_seed(hash(tuple(tokens)) % 2**32)
    return torch.randn(2, H, d_head, dtype=torch.float64, generator=generator)


def read(request, prompt):
    cached = cache.start(request, prompt)
    for t in range(cached, len(prompt)):
        cache.append(request, prompt[t], *key_and_value(prompt[: t + 1]))
    print(f"{request}: {cached:2} of {len(prompt)} tokens were there; table {cache.tables[request]}; free {cache.free}")


prompts = {"Ann": [*system, 6, 6, 1], "Ben": [*system, 2, 5]}
for name, prompt in prompts.items():
    read(name, prompt)
assert cache.count == [2, 2, 1, 1, 0, 0]
show(plot_pages(cache.tables, 6))

# %% [markdown]
# **Takeaway.** A request wastes less than one block, and a common beginning is stored and computed once, which shortens the **time
# to first token**. Nobody writes into a full block again, so sharing it is safe. vLLM shares full blocks only, unless
# told otherwise; TensorRT-LLM also reuses part of a block, by copying it.
#
# Attention over what a table lists equals attention over a dense cache, and a freed block can be found again:

# %%
for name, prompt in prompts.items():
    k, v = torch.stack([key_and_value(prompt[: t + 1]) for t in range(len(prompt))], dim=2)        # (H, T, d_head)
    query = torch.randn(H, 1, d_head, dtype=torch.float64)             # one new token's, (H, 1, d_head)
    paged = F.scaled_dot_product_attention(query, *cache.keys_and_values(name))
    assert_close(paged, F.scaled_dot_product_attention(query, k, v), rtol=1e-12, atol=1e-12)

cache.end("Ann")
cache.end("Ben")
assert sorted(cache.free) == list(range(6))
read("Cid", [*system, 3])
assert cache.tables["Cid"][:2] == [0, 1]

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.5 Online softmax: exact, without building the table
#
# For T tokens, each head has a table of T · T scores, and one of weights.

# %%
predict("bytes_of_the_scores")

# %% [markdown]
# A softmax needs the maximum of the whole row, then its sum. So it seems that a whole row of scores must exist at once.
# It need not.
#
# ### On paper: four keys in two blocks
#
# One query. Its scores are 1, 3 | 2, 5, in two blocks of two keys. The values are 10, 20 | 30, 40. We read one block, forget its scores, and read
# the next. We carry three things: **m**, the largest score so far; **l**, the sum of exp(score − m);
# and **o**, that sum weighted by the values.
#
# **Block 1.** m = 3. The exponentials are e⁻² = .135 and e⁰ = 1, so l = 1.135 and o = .1353 · 10 + 1 · 20 = 21.353.
#
# **Block 2** has a 5. Everything so far was measured against 3, and must now be measured against 5: multiply it by e³⁻⁵ = .135. That turns l into
# .154 and o into 2.890. Now add the new block, e⁻³ = .050 and e⁰ = 1:
#
# | | l | o |
# |---|---|---|
# | carried, rescaled | .154 | 2.890 |
# | key with score 2 | + .050 | + .0498 · 30 |
# | key with score 5 | + 1 | + 1 · 40 |
# | in the end | 1.203 | 44.383 |
#
# Divide once, at the end: 44.383 / 1.2034 = **36.88**. Nothing was approximated: e^(s − 3) · e^(3 − 5) *is* e^(s − 5).

# %%
scores, values = torch.tensor([1.0, 3, 2, 5]), torch.tensor([10.0, 20, 30, 40])    # (T_k,) each
m, l, o = torch.tensor(-math.inf), torch.tensor(0.0), torch.tensor(0.0)
for s, v in zip(scores.split(2), values.split(2)):                     # (2,) each, one block
    new_m = torch.maximum(m, s.max())
    carried, new = torch.exp(m - new_m), torch.exp(s - new_m)          # a number, (2,)
    l, o, m = l * carried + new.sum(), o * carried + (new * v).sum(), new_m
    print(f"m = {m:.0f}   l = {l:.3f}   o = {o:.3f}")
assert_close(o / l, scores.softmax(dim=0) @ values)
print(f"o / l = {o / l:.2f}")

# %% [markdown]
# Why does m start at −∞? Then the first factor is e^(−∞) = 0, and the first block needs no special rule (unless a mask hides all of
# it: −∞ − (−∞) is NaN).
#
# Try other blocks. What if the largest score comes first, or all scores are near 1000?

# %%
read_blocks()

# %% [markdown]
# ### Exercise: `online_softmax_attention`
#
# - All queries at once, keys in blocks. m and l are one number per query, o is one row per query.
# - Never make a tensor as large as all scores, (T_q, T_k): the check watches the size of every tensor.
# - Keep m, l and o in float32 if the inputs are narrower: in bfloat16, 256 + 1 is 256.

# %% nbgrader={"grade": false, "grade_id": "online_softmax_attention", "locked": false, "schema_version": 3, "solution": true, "task": false}
def online_softmax_attention(Q, K, V, block_size):
    """Exact attention that reads the keys in blocks. No mask.

    Q           (..., T_q, d_head)
    K, V        (..., T_k, d_head)
    block_size  how many keys are read at a time; the last block may be shorter
    returns     (..., T_q, d_head), dtype of Q

    No tensor as large as all scores, (T_q, T_k), is made, not even for one query. Scores may be as large as 10 000.
    The maximum, the sum and the output are kept in float32, or in float64 for float64 inputs.
    """
    ### BEGIN SOLUTION
    d_head, T_k = Q.shape[-1], K.shape[-2]
    wide = torch.promote_types(Q.dtype, torch.float32)                     # float32 for bfloat16 and float16
    largest = torch.full_like(Q[..., :1], -math.inf, dtype=wide)           # (..., T_q, 1)
    total = torch.zeros_like(largest)                                      # (..., T_q, 1)
    output = torch.zeros_like(Q, dtype=wide)                               # (..., T_q, d_head)
    for start in range(0, T_k, block_size):
        k = K[..., start : start + block_size, :]                          # (..., block, d_head)
        v = V[..., start : start + block_size, :].to(wide)                 # (..., block, d_head)
        scores = (Q @ k.transpose(-2, -1)).to(wide) / math.sqrt(d_head)    # (..., T_q, block)
        new = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))    # (..., T_q, 1)
        factor = torch.exp(largest - new)                                  # (..., T_q, 1), at most 1
        p = torch.exp(scores - new)                                        # (..., T_q, block)
        total = total * factor + p.sum(dim=-1, keepdim=True)
        output = output * factor + p @ v
        largest = new
    return (output / total).to(Q.dtype)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_online_softmax_attention", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("online_softmax_attention", online_softmax_attention).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("online_softmax_attention", online_softmax_attention).points
### END HIDDEN TESTS

# %% [markdown]
# **Compare with SDPA.** The same numbers, whatever the block size:

# %%
online = yours("online_softmax_attention")
Q, K, V = torch.randn(3, 2, 3, 50, 8)                                  # (B, H, T, d_head) each
whole = F.scaled_dot_product_attention(Q, K, V)
for block_size in (1, 7, 50, 64):
    assert_close(online(Q, K, V, block_size), whole)
    print(f"blocks of {block_size:2}: largest difference {(online(Q, K, V, block_size) - whole).abs().max():.1e}")
large = 100 * Q.double(), 100 * K.double(), V.double()
assert_close(online(*large, 7), F.scaled_dot_product_attention(*large))
print(f"scores up to {(large[0] @ large[1].mT).abs().max() / math.sqrt(8):.0f}, in float64: still the same")

# %% [markdown]
# Now count memory. A *dispatch mode* sees the result of every PyTorch operation. This one notes the largest:

# %%
class LargestResult(TorchDispatchMode):
    """Records the size of the largest tensor that any operation returns."""

    numbers = 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(tensor, torch.Tensor):
                self.numbers = max(self.numbers, tensor.numel())
        return result


def plain_attention(Q, K, V):
    return (Q @ K.mT / math.sqrt(Q.shape[-1])).softmax(dim=-1) @ V     # (B, H, T, d_head)


for T in (256, 512, 1024, 2048):
    Q, K, V = torch.randn(3, 1, 1, T, 16)                              # (B, H, T, d_head) each
    with torch.no_grad(), LargestResult() as table:
        plain_attention(Q, K, V)
    with torch.no_grad(), LargestResult() as blocks:
        online(Q, K, V, 64)
    print(f"T = {T:4}   largest tensor: plain {table.numbers:9,} numbers, in blocks {blocks.numbers:7,}")
    assert table.numbers == T * T > blocks.numbers

# %% [markdown]
# **Takeaway.** Twice the length: four times the table, but only twice the largest block. This is the idea of **FlashAttention**. Plain attention does 4 · T² · d_head operations per head, and moves a table at least four times, 8 · T² bytes at 2 bytes a number. That is d_head / 2
# operations per byte, 64 for d_head = 128, below every ridge point of 7.3: it waits for memory. In blocks, scores stay next to the arithmetic
# units (in *SRAM*, not in the large memory, *HBM*): attention gets *faster* without computing less.

# %% [markdown]
# ### Two halves, one result
#
# Keys may also be split among the processors of a GPU (**Flash-Decoding**: one query alone would keep few of its 100 or more busy), or travel from GPU to GPU (**ring attention**). Each
# worker returns attention over its own keys, and the **log-sum-exp** of each query's scores, `lse = m + log(l)`. That is enough to
# merge two results: each counts in proportion to exp(lse).
#
# On paper: half 1 has scores 1 and 3 and values 10 and 20, so out = 18.81 and lse = 3.127. Half 2 has scores 2 and 5 and values 30 and 40, so out =
# 39.53 and lse = 5.049. Their shares are e^3.127 and e^5.049 over their sum, .128 and .872, and the merged output is .128 · 18.81 + .872 · 39.53 =
# **36.88**, as above.
#
# ### Exercise: `merge_partials`
#
# - An lse may be in the thousands: subtract something before exp.
# - A query may see no key in a half, as under a causal mask: its lse there is −∞ and its output 0. If it sees none in either, return 0 and −∞. No
#   NaN, not even in the gradients.

# %% nbgrader={"grade": false, "grade_id": "merge_partials", "locked": false, "schema_version": 3, "solution": true, "task": false}
def merge_partials(out_1, lse_1, out_2, lse_2):
    """Attention over two sets of keys, from attention over each of them.

    out_1, out_2  (B, H, T_q, d_head), each divided by its own sum of exponentials
    lse_1, lse_2  (B, H, T_q), the logarithms of these sums; -inf where a query sees none of the keys
    returns       out (B, H, T_q, d_head) and lse (B, H, T_q) of all keys, in the inputs' dtype; 0 and -inf where a query
                  sees no key at all
    """
    ### BEGIN SOLUTION
    largest = torch.maximum(lse_1, lse_2)                                  # (B, H, T_q)
    largest = largest.masked_fill(largest == -math.inf, 0)                 # -inf - -inf would be NaN
    weight_1, weight_2 = torch.exp(lse_1 - largest), torch.exp(lse_2 - largest)
    total = weight_1 + weight_2                                            # at least 1, or 0 where no key is seen
    divisor = total.clamp(min=1)
    out = (weight_1[..., None] * out_1 + weight_2[..., None] * out_2) / divisor[..., None]
    lse = torch.where(total > 0, largest + divisor.log(), -math.inf)       # (B, H, T_q)
    return out, lse
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_merge_partials", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("merge_partials", merge_partials).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("merge_partials", merge_partials).points
### END HIDDEN TESTS

# %% [markdown]
# Four workers with a quarter of the keys each, merged in any order:

# %%
merge = yours("merge_partials")


def partial_attention(Q, K, V):
    """(out, lse) of attention over these keys alone."""
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])                         # (B, H, T_q, T_k)
    return scores.softmax(dim=-1) @ V, scores.logsumexp(dim=-1)        # (B, H, T_q, d_head), (B, H, T_q)


Q, K, V = torch.randn(3, 2, 3, 40, 8)                                  # (B, H, T, d_head) each
parts = [partial_attention(Q, k, v) for k, v in zip(K.split(10, dim=-2), V.split(10, dim=-2))]
out, lse = merge(*merge(*parts[2], *parts[0]), *merge(*parts[1], *parts[3]))
assert_close(out, F.scaled_dot_product_attention(Q, K, V))
print(f"four parts merged: largest difference {(out - F.scaled_dot_product_attention(Q, K, V)).abs().max():.1e}")

# %% [markdown]
# **The sink of gpt-oss.** A softmax must give all its weight to some key. In gpt-oss each head has a learned number, its *sink*, that acts like
# a second half whose values are 0 and whose lse is that number: the output becomes `out * sigmoid(lse - sink)`, which may be nearly 0.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.6 The backward pass, without the scores (optional)
#
# For a loop over blocks, autograd keeps the exponentials of every block, together as large as all scores. Instead, **keep one number per
# query, and recompute the scores.** The number is the log-sum-exp, L: the weights of any block are `W = exp(scores - L)`.
#
# Say `dO` is the gradient of the output `O = W V`. Two rules are enough:
#
# - for a product: `dV = Wᵀ dO` and `dW = dO Vᵀ`;
# - for a softmax, row by row: `dS = W * (dW - (W * dW).sum())`.
#
# The sum in the second rule runs over all keys, which no block has. But it is `Σ_j W_j (dO · V_j) = dO · Σ_j W_j V_j = dO · O`, and O was kept. So
# each block can be finished by itself.

# %%
def key_blocks(T_k, block_size):
    return [slice(i, i + block_size) for i in range(0, T_k, block_size)]


class RecomputedAttention(torch.autograd.Function):
    """Attention over blocks of keys that keeps Q, K, V, the output and one number a query for later."""

    @staticmethod
    def forward(ctx, Q, K, V, block_size):
        blocks = key_blocks(K.shape[-2], block_size)
        output, L = partial_attention(Q, K[..., blocks[0], :], V[..., blocks[0], :])
        for block in blocks[1:]:
            output, L = merge(output, L, *partial_attention(Q, K[..., block, :], V[..., block, :]))
        L = L[..., None]                                                      # (..., T_q, 1)
        ctx.save_for_backward(Q, K, V, output, L)
        ctx.block_size = block_size
        return output

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dO):
        Q, K, V, output, L = ctx.saved_tensors                                # L (..., T_q, 1)
        scale = math.sqrt(Q.shape[-1])
        dO_O = (dO * output).sum(dim=-1, keepdim=True)                        # (..., T_q, 1)
        dQ, dK, dV = torch.zeros_like(Q), torch.empty_like(K), torch.empty_like(V)
        for block in key_blocks(K.shape[-2], ctx.block_size):
            k, v = K[..., block, :], V[..., block, :]                         # (..., block, d_head)
            W = torch.exp(Q @ k.mT / scale - L)                               # (..., T_q, block), made again
            dS = W * (dO @ v.mT - dO_O) / scale                               # (..., T_q, block)
            dQ += dS @ k
            dK[..., block, :] = dS.mT @ Q
            dV[..., block, :] = W.mT @ dO
        return dQ, dK, dV, None

# %% [markdown]
# `gradcheck` moves every entry of Q, K and V a little, and compares. Autograd through plain attention must agree, too.

# %%
Q, K, V = (torch.randn(1, 2, T, 3, dtype=torch.float64, requires_grad=True) for T in (4, 5, 5))    # (B, H, T, d_head)
assert torch.autograd.gradcheck(lambda Q, K, V: RecomputedAttention.apply(Q, K, V, 2), (Q, K, V))

dO = torch.randn(1, 2, 4, 3, dtype=torch.float64)                             # any gradient at the output
plain, recomputed = plain_attention(Q, K, V), RecomputedAttention.apply(Q, K, V, 2)
wanted = torch.autograd.grad(plain, (Q, K, V), dO)
for name, own, of_autograd in zip("QKV", torch.autograd.grad(recomputed, (Q, K, V), dO), wanted):
    print(f"d{name} {tuple(own.shape)}: largest difference {(own - of_autograd).abs().max():.0e}")
    assert_close(own, of_autograd, rtol=1e-12, atol=1e-12)

# %% [markdown]
# What does each way keep for the backward pass? A hook sees every tensor that PyTorch saves, Q, K and V included.

# %%
def kept_numbers(attend, *inputs):
    """How many numbers are in the memory that autograd keeps for the backward pass."""
    kept = {}

    def note(tensor):
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = (tensor, storage.nbytes() // tensor.element_size())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        _ = attend(*inputs)                                                   # keeps the graph alive
    return sum(numbers for _, numbers in kept.values())


def sum_over_blocks(Q, K, V):
    """Not attention, just a loop over blocks like the one in yours: exponentials, mixed and added up."""
    return sum(torch.exp(Q @ k.mT) @ v for k, v in zip(K.split(32, dim=-2), V.split(32, dim=-2)))


ways = {
    "plain attention": plain_attention,
    "a loop over blocks": sum_over_blocks,
    "recomputed": lambda Q, K, V: RecomputedAttention.apply(Q, K, V, 32),
}
kept = {}
for T in (128, 256, 512):
    inputs = [torch.randn(1, 1, T, 16, requires_grad=True) for _ in range(3)]  # (B, H, T, d_head)
    kept[T] = [kept_numbers(attend, *inputs) for attend in ways.values()]
    print(f"T = {T}: " + ", ".join(f"{name} {n:,}" for name, n in zip(ways, kept[T])))
    assert min(kept[T][:2]) > T * T                                           # as many as scores, and more
    assert kept[T][2] == 4 * T * 16 + T                                       # Q, K, V, O and L

# %% [markdown]
# **Takeaway.** Plain attention keeps T² numbers and more, and so does a loop over blocks under autograd.
# Recomputing keeps `4 T d_head + T`: the scores are computed twice and never kept, as in FlashAttention.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.7 Sliding windows, sinks, and a cache that never grows (optional)
#
# In a layer with a **sliding window** of W tokens, a query meets its own key and the W − 1 before it. Gemma-3, from 4B on, has five such
# layers, with W = 1024, for each one that sees everything. In gpt-oss every second layer has W = 128. A trap: FlashAttention's
# `window_size` does *not* count the query itself.
#
# Give a window to a model trained without one, and it can break down as soon as the first tokens drop out: many heads put much
# of their weight on them, whatever those tokens are. Keeping the first four tokens repairs that (beyond the trained
# length, only if positions are counted within the cache, unlike in our ring). So: a window, and some **sinks**. (gpt-oss has a learned number per head instead: the end of 7.5.)
#
# ### Exercise: `sliding_window_mask`
#
# - As in `create_causal_mask_with_cache`, the queries are the *last* T_q positions: query i is at T_k − T_q + i.
# - `window=1` leaves a query nothing but its own key (and the sinks).
# - A sink is open to every query that does not come before it.

# %% nbgrader={"grade": false, "grade_id": "sliding_window_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sliding_window_mask(seq_len_q, seq_len_k, window, sinks=0, device=None):
    """The mask of causal attention to the last `window` tokens, and to the first `sinks`.

    seq_len_q, seq_len_k:  T_q <= T_k; the queries are the last T_q positions
    window:                how many positions a query sees, its own included; at least 1
    sinks:                 how many positions at the start of the text stay visible
    returns                (T_q, T_k) bool, True = masked
    """
    ### BEGIN SOLUTION
    keys = torch.arange(seq_len_k, device=device)                              # (T_k,)
    queries = torch.arange(seq_len_k - seq_len_q, seq_len_k, device=device)[:, None]  # (T_q, 1)
    future = keys > queries                                                    # (T_q, T_k)
    too_far_back = (keys <= queries - window) & (keys >= sinks)                # (T_q, T_k)
    return future | too_far_back
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_sliding_window_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("sliding_window_mask", sliding_window_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("sliding_window_mask", sliding_window_mask).points
### END HIDDEN TESTS

# %%
window_mask = yours("sliding_window_mask")
axes = plt.subplots(1, 3, figsize=(10.5, 3.3), layout="constrained")[1]
plot_mask(window_mask(7, 7, 3), ax=axes[0]).set_title("window 3")
plot_mask(window_mask(7, 7, 3, sinks=2), ax=axes[1]).set_title("window 3, 2 sinks")
plot_cached_mask(window_mask(3, 7, 3, sinks=1), 4, ax=axes[2]).set_title("4 cached; window 3, 1 sink")
show(axes)

# %% [markdown]
# **Takeaway.** A window is a band along the diagonal. Sinks are columns at the left that stay open.
#
# **Stacked windows** look farther back.

# %%
predict("tokens_behind_three_windows")

# %% [markdown]
# Multiplying 0/1 matrices counts the paths from key to query:

# %%
open_entries = (~window_mask(16, 16, 4)).long()                        # (T, T), 1 = may attend
ways = open_entries
for layers in (1, 2, 3):
    print(f"{layers} layer{'s' * (layers > 1)}: the last token depends on {int((ways[-1] > 0).sum())} tokens")
    ways = ways @ open_entries                                         # (T, T)

# %% [markdown]
# Each layer adds W − 1 tokens. But distant tokens arrive as a summary, not word by word.

# %%
predict("cache_with_windows")

# %% [markdown]
# ### The ring
#
# A cache keeps the last W tokens in W slots: token p goes into slot p mod W, where it replaces token p − W, which no query will need
# again. Sinks have their own slots. With two sinks and W = 4, token p goes into slot (p − 2) mod 4:

# %%
fill_ring(window=4, sinks=2)

# %% [markdown]
# **Takeaway.** Dark slots are new, light ones were kept. Token 6 takes the place of token 2, so the ring is no longer in the order of the text. Does that matter?
# Attention is a sum over keys, in any order, *if* every key was rotated by its own position before it was kept. A mask, however, goes by columns.
# So your cache returns everything in the order of the positions, and says which they are.
#
# ### Exercise: `RingKVCache`
#
# - There are `sinks + window` places, reserved once. Token p < sinks stays in place p forever; all others share the places after the sinks: token p
#   is at `sinks + (p - sinks) % window`.
# - More tokens may arrive at once than fit into the window: only the last ones stay (and, at the start of a text, the sinks).
# - Return everything in the order of positions, nothing twice. Write under `torch.no_grad()`, as in `StaticKVCache`.
#
# The check sees what `update` returns, not whether your memory grows.

# %% nbgrader={"grade": false, "grade_id": "RingKVCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class RingKVCache:
    """Keys and values of the first `sinks` tokens and of the last `window`, in memory that never grows."""

    def __init__(self, batch_size, num_heads, window, d_head, sinks=0, dtype=torch.float32, device="cpu"):
        ### BEGIN SOLUTION
        room = (batch_size, num_heads, sinks + window, d_head)
        self.k = torch.zeros(room, dtype=dtype, device=device)
        self.v = torch.zeros(room, dtype=dtype, device=device)
        self.window, self.sinks, self.seen = window, sinks, 0
        ### END SOLUTION

    def update(self, k, v):
        """Take in T new tokens; T may be larger than the window.

        k, v:    (B, H, T, d_head)
        returns  k_all, v_all, (B, H, T_all, d_head) each, and positions, (T_all,): the first `sinks` tokens
                 ever seen and the last `window`, in the order of their positions

        k and v are copied: the caller may overwrite them afterwards. The result is valid until the next
        update.
        """
        ### BEGIN SOLUTION
        before, self.seen = self.seen, self.seen + k.shape[2]
        first = min(self.sinks, self.seen)
        kept = [*range(first), *range(max(first, self.seen - self.window), self.seen)]  # T_all positions
        places = [n if n < self.sinks else self.sinks + (n - self.sinks) % self.window for n in kept]
        old = sum(n < before for n in kept)                    # so many of them have been written before
        new = [n - before for n in kept[old:]]                 # where the others stand in k and v
        with torch.no_grad():
            self.k[:, :, places[old:]] = k[:, :, new]
            self.v[:, :, places[old:]] = v[:, :, new]
        return self.k[:, :, places], self.v[:, :, places], torch.tensor(kept, device=self.k.device)
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_RingKVCache", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("RingKVCache", RingKVCache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("RingKVCache", RingKVCache).points
### END HIDDEN TESTS

# %% [markdown]
# In use: one layer with RoPE writes 24 tokens, with two sinks and a window of 4. Compared with the whole text under your mask:

# %%
T, W, sinks = 24, 4, 2
Q, K, V = torch.randn(3, 1, 2, T, 8)                                   # (B, H, T, d_head) each
positions = torch.arange(T)
open_keys = ~window_mask(T, T, W, sinks)                               # (T, T), True = attend, for SDPA
whole = F.scaled_dot_product_attention(rope(Q, positions), rope(K, positions), V, attn_mask=open_keys)

ring, rows, most = yours("RingKVCache")(1, 2, W, 8, sinks=sinks), [], 0
for t in range(T):
    now = slice(t, t + 1)
    keys, values, kept = ring.update(rope(K[:, :, now], positions[now]), V[:, :, now])
    rows.append(F.scaled_dot_product_attention(rope(Q[:, :, now], positions[now]), keys, values))
    most = max(most, keys.shape[2])
assert_close(torch.cat(rows, dim=2), whole)                            # (B, H, T, d_head)
print(f"{T} tokens written, at most {most} kept; in the end these: {kept.tolist()}")

# %% [markdown]
# No mask was needed: the ring holds only what this query sees. **A chunk is different**: its first query needs keys that its last
# token replaces. So attend to the old content and the new keys together, under your mask, and update afterwards.

# %%
predict("slot_of_a_token")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 7.8 MLA: one short vector for all heads (optional)
#
# **Multi-head latent attention** (MLA, from DeepSeek-V2) keeps neither keys nor values. Each token is projected *down* to a
# short vector, its **latent**, and only that is cached. The keys and values of all heads are computed from it by projecting *up*:
#
# ```
#   latent  c = down_proj(x)                 (B, T, d_latent)          kept
#   K = k_up(c),  V = v_up(c)                (B, T, H · d_head)        made when needed, split into heads
# ```

# %%
predict("bytes_of_a_latent")

# %% [markdown]
# ### Exercise: `LatentAttentionWithCache`
#
# The plain form, like your `MultiHeadAttentionWithCache` of part 4, with something else in the cache. (DeepSeek also normalises the latent with an
# RMSNorm; we leave that out.)

# %% nbgrader={"grade": false, "grade_id": "LatentAttentionWithCache", "locked": false, "schema_version": 3, "solution": true, "task": false}
class LatentAttentionWithCache(nn.Module):
    """Causal multi-head attention whose cache holds one short latent for each token.

    d_model, num_heads:  d_head = d_model // num_heads
    d_latent:            length of a latent
    layers, no biases:   q_proj and out_proj (d_model, d_model), down_proj (d_latent, d_model),
                         k_up and v_up (d_model, d_latent)
    """

    def __init__(self, d_model, num_heads, d_latent):
        super().__init__()
        ### BEGIN SOLUTION
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.down_proj = nn.Linear(d_model, d_latent, bias=False)
        self.k_up = nn.Linear(d_latent, d_model, bias=False)
        self.v_up = nn.Linear(d_latent, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x, cache=None):
        """One step: read T new tokens.

        x        (B, T, d_model)            the new tokens only
        cache    (B, T_cached, d_latent)    left as it is; or None
        returns  output (B, T, d_model), new_cache (B, T_cached + T, d_latent): what down_proj gave, old
                 before new
        """
        ### BEGIN SOLUTION
        latents = self.down_proj(x)                                            # (B, T, d_latent)
        if cache is not None:
            latents = torch.cat([cache, latents], dim=1)                       # (B, T_k, d_latent)
        Q = self.split(self.q_proj(x))                                         # (B, H, T, d_head)
        K = self.split(self.k_up(latents))                                     # (B, H, T_k, d_head)
        V = self.split(self.v_up(latents))                                     # (B, H, T_k, d_head)
        T, T_k = Q.shape[2], K.shape[2]
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)              # (B, H, T, T_k)
        query = T_k - T + torch.arange(T, device=x.device)[:, None]            # (T, 1), positions
        key = torch.arange(T_k, device=x.device)                               # (T_k,)
        weights = scores.masked_fill(key > query, -math.inf).softmax(dim=-1)   # (B, H, T, T_k)
        merged = (weights @ V).transpose(1, 2).flatten(2)                      # (B, T, d_model)
        return self.out_proj(merged), latents

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, self.d_head)).transpose(1, 2)  # (B, H, T, d_head)
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_LatentAttentionWithCache", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("LatentAttentionWithCache", LatentAttentionWithCache).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("LatentAttentionWithCache", LatentAttentionWithCache).points
### END HIDDEN TESTS

# %% [markdown]
# ### The trick: never make the keys
#
# The plain form recomputes the keys of *all* cached tokens in every step. But look at one head. Its part of `k_up`'s
# weight is U, of shape (d_head, d_latent), and a key is k = U c. So a score is
#
# ```
#   q · k  =  q · (U c)  =  (Uᵀ q) · c
# ```
#
# Project the *query* instead, once: it then meets the cached latents directly.
#
# ### Exercise: `absorb_key_projection`

# %% nbgrader={"grade": false, "grade_id": "absorb_key_projection", "locked": false, "schema_version": 3, "solution": true, "task": false}
def absorb_key_projection(q, k_up_weight):
    """Queries that score the cached latents directly, as if they met the keys made of them.

    q            (B, H, T, d_head)
    k_up_weight  (H * d_head, d_latent): head h has the rows h * d_head to (h + 1) * d_head
    returns      (B, H, T, d_latent), not scaled
    """
    ### BEGIN SOLUTION
    B, H, T, d_head = q.shape
    each_head = k_up_weight.view(H, d_head, -1)                            # (H, d_head, d_latent)
    return q @ each_head                                                   # (B, H, T, d_latent)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_absorb_key_projection", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("absorb_key_projection", absorb_key_projection).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("absorb_key_projection", absorb_key_projection).points
### END HIDDEN TESTS

# %% [markdown]
# ### Two ways to the same output
#
# In the *absorbed* form, queries score latents, the weights mix latents, and only the mixture goes through each head's rows
# of `v_up`. In effect it is multi-query attention: the latent is the one key and value of all heads.

# %%
d_model, num_heads, d_latent = 24, 4, 5                                # d_head = 6
layer = yours("LatentAttentionWithCache")(d_model, num_heads, d_latent).double()
absorb = yours("absorb_key_projection")


def absorbed_step(layer, x, cache):
    """One new token x (B, 1, d_model) after cached ones. Only the cache of the layer's own step is used."""
    latents = layer(x, cache)[1]                                       # (B, T_k, d_latent)
    q = layer.q_proj(x).unflatten(-1, (num_heads, -1)).transpose(1, 2)  # (B, H, 1, d_head)
    scores = absorb(q, layer.k_up.weight) @ latents[:, None].mT        # (B, H, 1, T_k)
    weights = (scores / math.sqrt(q.shape[-1])).softmax(dim=-1)        # sqrt(d_head), as before
    mixed = weights @ latents[:, None]                                 # (B, H, 1, d_latent)
    v_up = layer.v_up.weight.unflatten(0, (num_heads, -1))             # (H, d_head, d_latent)
    heads = mixed @ v_up.mT                                            # (B, H, 1, d_head)
    return layer.out_proj(heads.transpose(1, 2).flatten(2)), latents   # (B, 1, d_model)


x = torch.randn(2, 7, d_model, dtype=torch.float64)                    # (B, T, d_model)
with torch.no_grad():
    _, cache = layer(x[:, :4])                                         # prefill: four latents
    absorbed_cache = cache
    for t in range(4, 7):
        naive, cache = layer(x[:, t : t + 1], cache)
        absorbed, absorbed_cache = absorbed_step(layer, x[:, t : t + 1], absorbed_cache)
        assert_close(absorbed, naive, rtol=1e-12, atol=1e-12)
        assert_close(absorbed_cache, cache, rtol=1e-12, atol=1e-12)
        difference = (absorbed - naive).abs().max().item()
        print(f"token {t}: cache {tuple(cache.shape)}, outputs differ by {difference:.0e}")
    assert_close(naive, layer(x)[0][:, -1:], rtol=1e-12, atol=1e-12)   # and both equal one pass over all

# %% [markdown]
# Now count this layer's bytes per token (2 a number), and multiply-adds at the sizes of DeepSeek-V3: 128 heads of 128, and latents of 512
# numbers. Left out are `q_proj`, `down_proj` and `out_proj`, the same in both forms, and the separate key for RoPE.

# %%
def cache_numbers(layer, T):
    """How many numbers per token the layer's cache holds."""
    with torch.no_grad():
        return layer(torch.zeros(1, T, d_model, dtype=torch.float64))[1].numel() // T


def naive_work(T_q, T_k, H, d_head, d_latent):
    return 2 * T_k * d_latent * H * d_head + 2 * T_q * T_k * H * d_head  # make K and V; then score and mix


def absorbed_work(T_q, T_k, H, d_head, d_latent):
    return 2 * T_q * d_latent * H * d_head + 2 * T_q * T_k * H * d_latent  # absorb and undo; score and mix


full, latent = 2 * d_model, cache_numbers(layer, 7)
print(f"a token: K and V {2 * full} bytes, latent {2 * latent} bytes, {full / latent:.1f} times less")
assert latent == d_latent
work = {}
for name, T_q in (("one new token", 1), ("a whole prompt", 1000)):
    work[name] = [count(T_q, 1000, 128, 128, 512) / 1e6 for count in (naive_work, absorbed_work)]
    naive, absorbed = work[name]
    print(f"{name:15} of 1000: naive {naive:>7,.0f}, absorbed {absorbed:>7,.0f} million multiply-adds")
assert work["one new token"][0] > 100 * work["one new token"][1]
assert work["a whole prompt"][0] < work["a whole prompt"][1]

# %% [markdown]
# **Takeaway.** In a decode step, the absorbed form projects one query and one mixture, not all latents. For a whole prompt both
# project equally many, and the naive dot products are shorter: naive for prefill, absorbed for decoding.

# %%
predict("why_rope_needs_its_own_key")

# %% [markdown]
# That is why DeepSeek-V2 and V3 keep, besides the latent's 512 numbers, 64 more: one rotated key for all heads, left unabsorbed.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## In a few lines each: more pieces (optional)
#
# **Gated linear layers: a memory that does not grow.** Three of four layers of Qwen3-Next keep no keys and values, just one matrix S per
# head, (d_v, d_k), that maps keys to values. Each token first decays S by a gate, S ← α S, then
# corrects what S returns for its key, by the *delta rule*: S ← S + β (v − S k) kᵀ. With keys of length 1 and β = 1, S k is then
# exactly v. Keys that are not orthogonal disturb each other. (The fourth layer is attention.)

# %%
S, keys = torch.zeros(2, 3), torch.eye(3)                              # (d_v, d_k), three keys
values = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
for k, v in zip((keys[0], keys[1], keys[0]), values, strict=True):     # the last one writes key 0 again
    S = 0.5 * S                                                        # α = 0.5; a model computes it per token
    S = S + torch.outer(v - S @ k, k)                                  # β = 1
print("key 0:", (S @ keys[0]).tolist(), " key 1, decayed once:", (S @ keys[1]).tolist(), " numbers kept:", S.numel())

# %% [markdown]
# **Selected keys.** In DeepSeek-V3.2 a small *indexer* scores all earlier tokens with queries and keys of its own, and each query meets
# only the 2048 that it ranks highest. The cache keeps all. With 3 of up to 8:

# %%
Q, K = torch.randn(2, 1, 1, 8, 4)                                      # (B, H, T, d) each, of an indexer
ranks = (Q @ K.mT).masked_fill(torch.ones(8, 8).triu(1).bool(), -math.inf)   # (B, H, T, T)
chosen = torch.zeros(1, 1, 8, 8, dtype=torch.bool).scatter(-1, ranks.topk(3).indices, True) & (ranks > -math.inf)
print("keys of each query:", chosen.sum(-1).flatten().tolist())

# %% [markdown]
# **Experts.** In many models the MLP is split into *experts*, and a router sends each token to a few: in gpt-oss-120b to 4 of 128, in
# DeepSeek-V3 to 8 of 256 (and to one that is shared). So a token *multiplies* few weights, but a batch *reads* nearly all. If routing
# were uniform and independent:

# %%
for tokens in (1, 16, 64, 256):
    print(f"{tokens:3} tokens read {1 - (1 - 4 / 128) ** tokens:4.0%} of 128 experts, and each uses {4 / 128:.0%}")

# %% [markdown]
# **Speculative decoding.** A small model drafts a few tokens, and the large one reads all of them in one step. A drafted token x is
# accepted with probability min(1, p(x) / q(x)), where p is the large model's probability and q the draft's. Otherwise, drop it
# and the rest; draw one from max(0, p − q), scaled to sum to 1. If all are accepted, the same step gives one more token, drawn from p. The tokens
# are then distributed exactly as the large model alone would write them, and several tokens share one reading of the weights:

# %%
p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.2, 0.6])
accepted = torch.minimum(p, q)  # q · min(1, p / q)
left = (p - q).clamp(min=0)
result = accepted + (1 - accepted.sum()) * left / left.sum()
print(f"accepted: {accepted.sum():.2f}   the result is p: {torch.allclose(result, p)}")

# %% [markdown]
# ## 7.9 Recall (optional)
#
# Answer aloud before you choose.

# %%
predict("what_rope_turns")

# %%
predict("why_flash_is_faster")

# %%
predict("window_and_chunk")

# %%
predict("what_paging_saves")

# %%
predict("mla_against_gqa")

# %% [markdown]
# ## 7.10 From memory (optional)
#
# No hints, no scrolling.

# %% nbgrader={"grade": false, "grade_id": "online_softmax_attention_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
def online_softmax_attention_from_memory(Q, K, V, block_size):
    """Q (..., T_q, d_head), K and V (..., T_k, d_head) -> (..., T_q, d_head); the keys are read in blocks."""
    ### BEGIN SOLUTION
    d_head, wide = Q.shape[-1], torch.promote_types(Q.dtype, torch.float32)
    Q, K, V, narrow = Q.to(wide), K.to(wide), V.to(wide), Q.dtype
    largest = torch.full_like(Q[..., :1], -math.inf)                   # (..., T_q, 1)
    total, mixed = torch.zeros_like(largest), torch.zeros_like(Q)      # (..., T_q, 1), (..., T_q, d_head)
    for start in range(0, K.shape[-2], block_size):
        keys, values = (X[..., start:start + block_size, :] for X in (K, V))           # (..., block, d_head)
        block_scores = Q @ keys.mT / d_head**0.5                                       # (..., T_q, block)
        now = torch.maximum(largest, block_scores.amax(dim=-1, keepdim=True))          # (..., T_q, 1)
        factor, fresh = (largest - now).exp(), (block_scores - now).exp()
        total = factor * total + fresh.sum(dim=-1, keepdim=True)
        mixed = factor * mixed + fresh @ values
        largest = now
    return (mixed / total).to(narrow)
    ### END SOLUTION

# %%
check("online_softmax_attention", online_softmax_attention_from_memory)

# %% [markdown]
# ## Next
#
# Come back tomorrow and try 7.3's questions again: they will draw new numbers. Part 8 is interview practice.

# %%
progress()
