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
# # 6. In the wild: a model that writes, and other people's weights
#
# <!-- minutes -->
#
# In a language model, attention is one half of a **block**, and blocks are stacked. Here you build the block, and a whole decoder
# around your own layers. Trained on Python code, it then writes its own.
#
# **By the end you will have a small language model built on your own attention and cache, and have found the head that copies
# names. You will also have loaded other people's weights and masks, including GPT-2's, into your layer.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, due, save_progress, load_progress
from course_utils import explore_heads
from course_utils.figures.layouts import plot_fused_layouts
from course_utils.figures.show import show
from course_utils.figures.training import plot_by_context, plot_losses, plot_table
from course_utils.wild import is_within_reach, load_gpt2
from course_utils.wild.bpe import Tokenizer, learn_merges, merge
from course_utils.wild.checkpoint import shapes_of
from course_utils.wild.decoder import attention_weights, without_head
from course_utils.wild.measure import bits_at, longest_copy, ngram_bits_at, parses, words_at
from course_utils.wild.others import library, onnx_attention
from course_utils.wild.serving import attend, context_first, plan, positions, slot_mapping, unpack_qkv
from course_utils.wild.text import python_code
from course_utils.wild.train import SIZE, has_checkpoint, load_checkpoint, new_decoder, train

import copy
import json
import math
import pickle
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from IPython.display import display
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-4, atol=1e-4)

# %% [markdown]
# How a text goes through the model. B texts, T tokens, V tokens in the vocabulary:
#
# ```
#   tokens                                    (B, T)              integers below V
#   a vector for each token and position      (B, T, d_model)     the residual stream begins
#   block:  stream + attention(norm(stream))  (B, T, d_model)     tokens look at earlier tokens
#           stream + MLP(norm(stream))        (B, T, d_model)     each token on its own
#   ... more blocks ...
#   norm, and a logit for each token          (B, T, V)           which token comes next?
# ```
#
# **Takeaway.** Only attention moves anything from one token to another. Everything else works on each token by itself.

# %% [markdown]
# ## 6.1 Predict

# %%
predict("share_of_attention_in_a_block")

# %%
predict("one_logit_apart_at_half_the_temperature")

# %% [markdown]
# ## 6.2 A text, and tokens made of pairs
#
# A model needs text to learn from, and every Python installation has some: the source of its standard library. We take its functions
# and classes, strip comments and docstrings, and indent with tabs. The model never learns from 14 modules, among them `heapq`, `csv`
# and `textwrap`. They are **held out**, and the model is measured on them.

# %%
training_text, held_out_text = python_code()
print(f"{len(training_text):,} characters to learn from, {len(held_out_text):,} held out:\n")
print(held_out_text[:400], "...")

# %% [markdown]
# **What is a token?** A character? Then the model spends its effort on spelling. A word? Then it cannot write a name it has never
# seen. Models use something in between: **byte pairs**. Start with single bytes. Find the most frequent pair of neighbours,
# make it one new token, and repeat.
#
# On paper, for `ababc abc`, with letters for bytes. Pairs are counted within words only; `|` is the border between words. (A
# real tokenizer gives a word the space before it, which we leave out here.)
#
# | step | tokens | most frequent pair |
# |---|---|---|
# | 0 | a b a b c \| a b c | a b, 3 times |
# | 1 | ab ab c \| ab c | ab c, twice |
# | 2 | ab abc \| abc | |
#
# The simplest loop:

# %%
words = [list("ababc"), list("abc")]
for new in ("ab", "abc"):
    pairs = Counter(pair for word in words for pair in zip(word, word[1:]))
    best, times = pairs.most_common(1)[0]
    words = [merge(word, best, new) for word in words]
    assert new == "".join(best)
    print(f"{' '.join(best)!r:7} {times} times  ->  {words}")
assert words == [["ab", "abc"], ["abc"]]

# %% [markdown]
# `learn_merges` runs this loop on the whole training text, which takes a while. Tokens 0 to 255 are the bytes, so any text can be tokenized.

# %%
start = time.perf_counter()
tokenizer = Tokenizer(learn_merges(training_text, SIZE.vocab - 256))
training, held_out = tokenizer.encode(training_text), tokenizer.encode(held_out_text)
print(f"{len(tokenizer)} tokens after {time.perf_counter() - start:.1f} s; the training text is "
      f"{len(training):,} tokens, {len(training_text) / len(training):.2f} characters each")
print("the first merges:", [tokenizer.decode([t]) for t in range(256, 272)])
print("the last merges: ", [tokenizer.decode([t]) for t in range(len(tokenizer) - 8, len(tokenizer))])
for text in ("\treturn self.name", " unbelievable"):
    print([tokenizer.decode([token]) for token in tokenizer.encode(text)])
assert tokenizer.decode(held_out) == held_out_text

# %% [markdown]
# Frequent words are one token, including the space before them, and so is a new line with its tabs. Rare words are split.
#
# **How good is a model?** Give it a text it has not seen, and look at the probability it gave to each actual next token. A
# probability of 1/2 costs 1 **bit**, 1/4 costs 2, 1/1024 costs 10: `-log2(p)`. The fewer bits in total, the better the model.

# %%
predict("bits_of_a_long_token")

# %% [markdown]
# Divide by characters rather than tokens, and you can compare models with different tokenizers. In 6.4 all models read the same
# tokens, so bits per token will do.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.3 The block
#
# A block has two halves. Each reads the residual stream through a norm, and **adds** its result:
#
# ```
#   x = x + attention(norm_1(x))          mixes tokens
#   x = x + down(gelu(up(norm_2(x))))     the MLP: wider, a nonlinearity, narrow again, for each token alone
# ```
#
# - `nn.LayerNorm` shifts and scales the features of each token to mean 0 and variance 1, then scales and shifts each feature by
#   two learned numbers.
# - **GELU** is a smooth nonlinearity: `x` times the probability that a standard normal number is below `x`. Without one, `up` and
#   `down` would collapse into a single matrix.
# - The norm comes *before* each half, and the stream itself is not normalised until the last norm, before the logits. This is called **pre-norm**, as in GPT-2. The
#   first transformer had the norm after the sum, *post-norm*.
#
# ### Exercise: `DecoderBlock`
#
# The attention is passed in: any module with the interface of your `MultiHeadAttentionWithCache`. It looks
# after the caches: pass them in, and return what it returns.

# %% nbgrader={"grade": false, "grade_id": "DecoderBlock", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock(nn.Module):
    """Attention and an MLP, each with a norm before it and a residual around it (pre-norm).

    attention:  a module with the interface of MultiHeadAttentionWithCache:
                attention(x, cache_k, cache_v) -> (output, new_cache_k, new_cache_v)
    d_model:    features of a token
    d_hidden:   features between the two layers of the MLP

    Members: norm_1, norm_2 (nn.LayerNorm with its default eps, 1e-5), attention (the module passed in,
    not a copy), up and down (nn.Linear with biases). The MLP's activation is the exact GELU,
    nn.functional.gelu's default; its tanh approximation, up to 0.0005 away, fails the check.
    """

    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = attention
        self.norm_2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_hidden)
        self.down = nn.Linear(d_hidden, d_model)
        ### END SOLUTION

    def forward(self, x, cache_k=None, cache_v=None):
        """
        x:        (B, T, d_model)
        cache_k:  (B, H, T_cached, d_head) or None; cache_v the same
        returns   (x, new_cache_k, new_cache_v): x (B, T, d_model), the caches as the attention gives them,
                  (B, H, T_cached + T, d_head)
        """
        ### BEGIN SOLUTION
        attended, new_cache_k, new_cache_v = self.attention(self.norm_1(x), cache_k, cache_v)
        x = x + attended  # (B, T, d_model)
        hidden = nn.functional.gelu(self.up(self.norm_2(x)))  # (B, T, d_hidden)
        x = x + self.down(hidden)  # (B, T, d_model)
        return x, new_cache_k, new_cache_v
        ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_DecoderBlock", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("DecoderBlock", DecoderBlock).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("DecoderBlock", DecoderBlock).points
### END HIDDEN TESTS

# %% [markdown]
# The easiest block to understand adds nothing. Set the last matrix of each half to zero, and the stream runs through untouched:

# %%
block_class, attention_class = yours("DecoderBlock"), yours("MultiHeadAttentionWithCache")
block = block_class(attention_class(12, 3), 12, 48)                    # d_model = 12, H = 3, d_hidden = 48
x = torch.randn(2, 5, 12)                                              # (B, T, d_model)
with torch.no_grad():
    for silent in (block.attention.out_proj.weight, block.down.weight, block.down.bias):
        silent.zero_()
    y, keys, values = block(x)                                         # (B, T, d_model)
check_shape(keys, "B H T d_head", B=2, H=3, T=5, d_head=4)
assert torch.equal(y, x)
print("a block whose halves add nothing gives back its input")

# %% [markdown]
# Now the decoder. `Decoder` stacks your blocks on top of token and position **embeddings** (tables with a vector per token or position),
# and ends with a norm. It uses the token table once more for the logits: a logit is the last vector times a token's vector. GPT-2 does it this
# way; many later models have a second table. Where are its parameters?

# %%
fresh = new_decoder(block_class, attention_class)
belongs = {".attention.": "attention", ".up.": "MLP", ".down.": "MLP", "norm": "norms",
           "tokens": "tables of tokens and positions", "positions": "tables of tokens and positions"}
parts = Counter()
for name, parameter in fresh.named_parameters():
    parts[next(part for mark, part in belongs.items() if mark in name)] += parameter.numel()
print(SIZE)
for kind, numbers in parts.most_common():
    print(f"{kind:32} {numbers:8,}")
D = SIZE.d_model
assert parts["attention"] == SIZE.num_blocks * 4 * D * D
assert parts["MLP"] == SIZE.num_blocks * (8 * D * D + 5 * D)           # 5 D of them are biases

# %% [markdown]
# The MLPs have twice as many weights as the attention: 8 D² per block against 4 D², question A.
#
# The cache holds one `(keys, values)` for each block. Reading a text in two pieces, the second with the first's cache, gives the
# logits of one pass. **Close, not equal**, as in part 4:

# %%
tokens = torch.randint(SIZE.vocab, (2, 20))                            # (B, T)
with torch.no_grad():
    whole, _ = fresh(tokens)                                           # (B, T, V)
    first, cache = fresh(tokens[:, :13])
    second, cache = fresh(tokens[:, 13:], cache)
pieces = torch.cat([first, second], dim=1)                             # (B, T, V)
check_shape(pieces, "B T V", B=2, T=20, V=SIZE.vocab)
print(f"caches: {len(cache)}, keys {tuple(cache[0][0].shape)}; "
      f"largest difference of a logit {(pieces - whole).abs().max():.1e}")
assert_close(pieces, whole)

# %% [markdown]
# ### Break it: no residual
#
# Suppose you leave out the sums: `x = attention(norm_1(x))`, then `x = down(gelu(up(norm_2(x))))`. Take twelve fresh blocks, and
# run random token vectors through them.

# %%
predict("without_residuals")

# %%
def without_residual(block, x):
    attended = block.attention(block.norm_1(x))[0]                     # (B, T, d_model)
    return block.down(F.gelu(block.up(block.norm_2(attended))))        # (B, T, d_model)


def alike(x):
    """Mean cosine similarity of two tokens' vectors in one text, after subtracting each vector's mean."""
    unit = F.normalize(x - x.mean(-1, keepdim=True), dim=-1)           # (B, T, d_model)
    T = x.shape[1]
    return ((unit @ unit.mT).sum((1, 2)) - T).mean().item() / (T * (T - 1))


torch.manual_seed(0)
deep = [block_class(attention_class(D, 4), D, 4 * D) for layer in range(12)]
start_at = torch.randn(4, 16, D)                                       # (B, T, d_model)
similar = {"with residuals": [], "without": []}
with torch.no_grad():
    kept = lost = start_at
    for block in deep:
        kept, lost = block(kept)[0], without_residual(block, lost)     # (B, T, d_model)
        similar["with residuals"].append(alike(kept))
        similar["without"].append(alike(lost))
for name, values in similar.items():
    print(f"{name:15}", "after 1, 2, 4, 12 blocks:", *(f"{values[n - 1]:6.3f}" for n in (1, 2, 4, 12)))
assert similar["without"][11] > 0.99
assert similar["with residuals"][11] < 0.5

# %% [markdown]
# **Takeaway.** Fresh attention averages. Without residuals, it averages averages, and soon all vectors are nearly the same. The
# residual stream keeps tokens distinct.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.4 It speaks
#
# Training asks for the next token at each position of a random piece of the text, and nudges all parameters so that the actual
# next token gets a higher probability. The causal mask makes this cheap: one pass over T tokens answers T questions,
# and none can see its answer. The *loss* is 6.2's cost per token in *nats* (natural logarithm): 1 bit is 0.69 nats. e to the loss is the
# **perplexity**.
#
# A trained, larger model comes with the course: 3 blocks, d_model 128, 128 positions. It learned for 15 minutes, from nearly all of
# Python's library, but not from the held-out modules. `TRAIN = True` trains a smaller one on this page, in half a minute to two. A
# notebook run on its own, as in Colab, doesn't have the file, so it trains the smaller one instead.

# %%
TRAIN = not has_checkpoint()

# %%
if TRAIN:
    model = new_decoder(block_class, attention_class)
    wall, cpu = time.perf_counter(), time.process_time()
    losses = train(model, training)
    print(f"trained in {time.perf_counter() - wall:.0f} s; {time.process_time() - cpu:.0f} s of CPU time")
    show(plot_losses({"this model": losses}))
else:
    model, tokenizer = load_checkpoint(block_class, attention_class)   # its vocabulary comes with it
    training, held_out = tokenizer.encode(training_text), tokenizer.encode(held_out_text)
    print("the course's trained model, on your block and your attention")

# %% [markdown]
# How good is it? Our baselines merely count, on 6.2's text (the shipped model read more). A **bigram** model counts how often each
# token follows each other token, a **trigram** model how often it follows a pair. Unseen n-grams get a little probability, by a
# standard rule (Kneser-Ney smoothing). All three predict the same tokens, every 16th of the held-out text. The decoder sees only the last token before each, then the last two, the last four, and so on:

# %%
context = model.size.context
places = torch.arange(context - 1, len(held_out), 16)                  # (N,), the tokens that all predict
lengths = [2**n for n in range(context.bit_length() - 1)] + [context - 1]
bits = {length: bits_at(model, held_out, places, length) for length in lengths}    # (N,) each
levels = {
    name: ngram_bits_at(training, held_out, places, len(tokenizer), n).mean().item()
    for name, n in (("bigram", 2), ("trigram", 3))
}


def means(some):                                                       # some of the N tokens
    return {length: costs[some].mean().item() for length, costs in bits.items()}


everything = means(slice(None))
show(plot_by_context({"your decoder": everything}, levels))
print({length: round(number, 2) for length, number in everything.items()})
assert everything[lengths[-1]] < everything[8] < everything[1]
assert everything[lengths[-1]] < levels["bigram"]

# %% [markdown]
# **Takeaway.** With one token of context, counting is better. The decoder wins because it can use more: the shipped model from four
# tokens on, the small one from about 16.
#
# Why? A guess: a name that was used thirty tokens ago is likely to be used again. If so, a long context helps with words that
# **already in it**, and hardly with others. The same tokens, as far as they are words or parts of words:

# %%
again, new = words_at(tokenizer, held_out, places, context - 1)        # (N,) each, bool
split_up = {"words already in the context": means(again), "other words": means(new)}
show(plot_by_context(split_up, {}))
saved = {name: costs[4] - costs[lengths[-1]] for name, costs in split_up.items()}
for name, number in saved.items():
    print(f"{name}: {number:.2f} bits saved from 4 tokens of context to {context - 1}")
assert saved["words already in the context"] > 2 * saved["other words"]

# %% [markdown]
# **Takeaway.** The guess was right, and the earlier uses are the cause: replace them with other words, and nearly all of the shipped
# model's saving is gone. Replace as many *other* words, and nearly all of it stays (`experiments/decoder.py`).

# %% [markdown]
# ### From logits to a token
#
# The model gives each token of the vocabulary a logit. Which one do we output? Two knobs, on paper, with logits 2, 1 and 0:
#
# | | p of token 0 | token 1 | token 2 |
# |---|---|---|---|
# | softmax as it is: **temperature** 1 | .665 | .245 | .090 |
# | logits divided by 0.5 first: temperature 0.5 | .867 | .117 | .016 |
# | temperature 1, but only the best two may be drawn: **top-k**, k = 2 | .731 | .269 | 0 |
#
# A low temperature sharpens the distribution. Temperature 0 is the limit: always the largest logit (*greedy*). Top-k cuts off
# the long tail of unlikely tokens: each is rare, but there are so many that one of them would often be drawn.
# **Top-p** keeps the fewest tokens whose probabilities sum to p.
#
# ### Exercise: `next_token_probabilities`

# %% nbgrader={"grade": false, "grade_id": "next_token_probabilities", "locked": false, "schema_version": 3, "solution": true, "task": false}
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """The probabilities from which the next token is drawn.

    logits:       (B, vocab)
    temperature:  the logits are divided by it; 0 gives probability 1 to the largest logit (the first,
                  if tied)
    top_k:        all but the k largest get probability exactly 0 (ties with the k-th may stay or go);
                  None, or a number larger than the vocabulary, leaves nothing out
    returns       (B, vocab), rows sum to 1
    """
    ### BEGIN SOLUTION
    if temperature == 0:
        largest = logits.argmax(dim=-1, keepdim=True)  # (B, 1)
        return torch.zeros_like(logits).scatter(-1, largest, 1.0)  # (B, vocab)
    if top_k is not None:
        smallest = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]  # (B, 1)
        logits = logits.masked_fill(logits < smallest, -torch.inf)
    return torch.softmax(logits / temperature, dim=-1)  # (B, vocab)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_next_token_probabilities", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("next_token_probabilities", next_token_probabilities).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("next_token_probabilities", next_token_probabilities).points
### END HIDDEN TESTS

# %% [markdown]
# First the table from above. Then the model's own probabilities after a few words (␣ is a space, ↵ a new line, ⇥ a tab):

# %%
probabilities = yours("next_token_probabilities")
logits = torch.tensor([[2., 1., 0.]])                                  # (B, V)
assert_close(probabilities(logits), torch.tensor([[0.665, 0.245, 0.090]]), atol=0.001, rtol=0)
assert_close(probabilities(logits, 0.5), torch.tensor([[0.867, 0.117, 0.016]]), atol=0.001, rtol=0)
assert_close(probabilities(logits, top_k=2), torch.tensor([[0.731, 0.269, 0.]]), atol=0.001, rtol=0)

prompt = "def read(self, size):\n\tif"
with torch.no_grad():
    logits = model(torch.tensor([tokenizer.encode(prompt)]))[0][:, -1]             # (B, V)
best = logits[0].topk(8).indices
table = {
    tokenizer.visible(token): {f"T = {t}": probabilities(logits, t)[0, token].item() for t in (0, 0.5, 1, 2)}
    for token in best.tolist()
}
show(plot_table(table))

# %% [markdown]
# **Takeaway.** Each column shows the same eight logits at another temperature T. Temperature changes how often a token is drawn, never which
# one is most likely.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ### Exercise: `generate`
#
# Now the loop that writes. The prompt is read once, in one call: the prefill. After that, each call reads one token, the newest,
# with the cache of the previous call: decode.

# %% nbgrader={"grade": false, "grade_id": "generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def generate(model, tokens, max_new_tokens, choose):
    """Continue a prompt with a model.

    model:   model(tokens (B, T), cache=None) -> (logits (B, T, vocab), cache); with a cache it wants only the
             tokens that it has not read yet. The cache's format is up to the model.
    tokens:  (B, T), the prompts
    choose:  choose(logits (B, vocab)) -> (B,), the next token of each row
    returns  (B, T + max_new_tokens): the prompts, then the new tokens; the prompts alone for 0

    The model reads the prompt in one call, and after that only the newest token, with the cache of the call
    before. It does not read the last new token.
    """
    ### BEGIN SOLUTION
    cache, unread = None, tokens  # (B, T)
    for _ in range(max_new_tokens):
        logits, cache = model(unread, cache)  # (B, T or 1, vocab)
        unread = choose(logits[:, -1])[:, None]  # (B, 1)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens  # (B, T + max_new_tokens)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_generate", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("generate", generate).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("generate", generate).points
### END HIDDEN TESTS

# %%
def write(model, texts, new_tokens, temperature, top_k=None, seed=0):
    """Continue texts that all have the same number of tokens."""
    g = torch.Generator().manual_seed(seed)

    def choose(logits):                                                # (B, V) -> (B,)
        return torch.multinomial(probabilities(logits, temperature, top_k), 1, generator=g)[:, 0]

    prompts = torch.tensor([tokenizer.encode(text) for text in texts])             # (B, T)
    with torch.no_grad():
        return [tokenizer.decode(row) for row in yours_generate(model, prompts, new_tokens, choose).tolist()]


yours_generate = yours("generate")
for temperature in (0, 0.7, 1.5):
    print(f"--- temperature {temperature}")
    print(*write(model, [prompt], 45, temperature), sep="\n")

# %% [markdown]
# It has learned what Python looks like, not what a program is for. At temperature 0 it soon goes round in circles: what it wrote makes
# the same tokens likely again, and without randomness it never gets out.
#
# How many of its functions does Python's own parser accept? And how long is the longest piece copied from 6.2's
# text? Twenty samples at each temperature, each judged by its first function:

# %%
shares = {}
for temperature in (0.5, 1, 2):
    samples = write(model, ["def"] * 20, model.size.context - 1, temperature, top_k=50)
    shares[temperature] = sum(map(parses, samples)) / len(samples)
    copied = longest_copy(samples, training_text)
    print(f"temperature {temperature}: {shares[temperature]:.0%} can be parsed, longest copy {len(copied)} characters")
assert shares[0.5] > shares[2]

# %% [markdown]
# Low temperatures give dull text that parses more often; high ones, lively text that rarely does.

# %% [markdown]
# ### Which head copies?
#
# Which head looks at what *followed* the same token before, like the induction heads of part 5? Then type a prompt of your own.

# %%
PROMPT = "def swap(heap, first, second):\n\theap[first], heap[second] = heap[second],"
tokens = torch.tensor([tokenizer.encode(PROMPT)])                      # (B, T)
explore_heads(attention_weights(model, tokens), [tokenizer.visible(token) for token in tokens[0].tolist()])

# %% [markdown]
# A picture proves nothing, so measure, then switch the head off (*ablate* it). The induction score is a head's mean weight on keys that follow
# an earlier copy of the query's token, here on held-out code:

# %%
piece = torch.tensor([held_out[:context]])                             # (1, T)
follows = torch.eq(piece.T, piece).tril(-1).roll(1, 1)                 # (T, T): keys after an earlier copy of the query
scores = torch.cat(attention_weights(model, piece))[..., follows].sum(-1) / follows.any(1).sum()   # (blocks, H)
for block, row in enumerate(scores.tolist()):
    print(f"block {block}:", *(f"{score:.2f}" for score in row))
block, head = divmod(scores.argmax().item(), model.size.num_heads)
other = (head + 1) % model.size.num_heads
models = {"all heads": model, f"without {block}.{head}": without_head(model, block, head),
          f"without {block}.{other}": without_head(model, block, other)}

with torch.no_grad():
    for name, changed in models.items():
        repeated, fresh_words = (bits_at(changed, held_out, places[some], context - 1).mean() for some in (again, new))
        print(f"{name:12} {repeated:.2f} bits for a word already in the context, {fresh_words:.2f} for another")
    after = {name: changed(tokens)[0][0, -1].softmax(-1) for name, changed in models.items()}      # (V,) each
best = after["all heads"].topk(6).indices.tolist()
show(plot_table({
    tokenizer.visible(token): {name: row[token].item() for name, row in after.items()} for token in best
}))

# %% [markdown]
# **Takeaway.** In the shipped model one head of twelve, head 1 of block 2 (layer 2 in the picture), does most of the copying (with heads
# below it, as in part 5). Without it, more than two thirds of the saving on words already in the context is gone, and other words cost no more. After the prompt, ` h`, the start of
# ` heap`, is no longer the best guess. Switch off the head beside it instead, and it still is.
#
# **This is what attention is for: it finds what was said before.** And the model goes on from your prompt:

# %%
print(*write(model, [PROMPT], context - tokens.shape[1], 0.7), sep="\n")

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.5 Several prompts at once (optional)
#
# First, what does the cache buy in the whole decoder? Count multiply-adds, as in 4.5: a block takes 12 D² for each new token, and
# 2 D for each key that it meets; the logits take V D for each new token.

# %%
def multiply_adds(T_q, T_k, size):
    D = size.d_model
    return size.num_blocks * (12 * T_q * D * D + 2 * T_q * T_k * D) + T_q * size.vocab * D


T = model.size.context
without = sum(multiply_adds(t, t, model.size) for t in range(1, T + 1))    # everything again for every token
cached = sum(multiply_adds(1, t, model.size) for t in range(1, T + 1))     # one token, t keys
print(f"multiply-adds for {T} tokens: {without:,} without a cache, {cached:,} with it, "
      f"{without / cached:.0f} times fewer")
assert without > 30 * cached

# %%
def no_cache(model):
    """The same model, called by `generate` in the same way, that reads everything again in each call."""
    read = []

    def forgetful(tokens, cache=None):
        read.append(tokens)
        return model(torch.cat(read, dim=1))[0], cache                 # (B, T_so_far, V)

    return forgetful


def greedy(logits):
    return logits.argmax(-1)                                           # (B, V) -> (B,)


prompts = torch.tensor([tokenizer.encode("def")] * 16)                 # (B, T) = (16, 1)
results = {}
with torch.no_grad():
    for name, way in (("without a cache", no_cache(model)), ("with your cache", model)):
        start = time.perf_counter()
        results[name] = yours_generate(way, prompts, T - 1, greedy)    # (B, T)
        print(f"{name}: {16 * (T - 1) / (time.perf_counter() - start):6.0f} tokens a second, 16 texts at once")
assert torch.equal(*results.values())

# %% [markdown]
# The outputs match. The speedup is smaller than the count suggests: small steps are mostly Python overhead and reading weights.
#
# Now prompts of different lengths. To form one batch they are padded to the same width. On which side? `generate` takes the logits
# of the **last** column and appends after it. So the prompts must end together, and the padding goes on the **left**.

# %%
texts = ["def is_empty", "def read(self, size):\n\tif", "class"]
rows = [tokenizer.encode(text) for text in texts]
lengths = torch.tensor([len(row) for row in rows])                     # (B,)
width = int(lengths.max())
PAD = 0                                                                # a byte that no text contains
padded = torch.tensor([[PAD] * (width - len(row)) + row for row in rows])          # (B, width)
for row in padded:
    print(" ".join(f"{'·' if t == PAD else tokenizer.visible(t):>8}" for t in row.tolist()))

# %%
predict("position_behind_left_padding")

# %% [markdown]
# ### Exercise: `left_padded_positions`
#
# A prompt begins at position 0, wherever its first token sits. For padding, any position that exists will do: use 0.

# %% nbgrader={"grade": false, "grade_id": "left_padded_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def left_padded_positions(lengths, max_len):
    """Positions for left-padded rows, one for each column.

    lengths:  (B,) whole numbers from 1 to max_len: a prompt of length n fills the last n places
    returns   (B, max_len) whole numbers: 0 to n - 1 for the prompt's tokens, 0 for padding
    """
    ### BEGIN SOLUTION
    place = torch.arange(max_len, device=lengths.device)         # (T,)
    padding = (max_len - lengths)[:, None]                       # (B, 1)
    return (place - padding).clamp(min=0)                        # (B, T)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_left_padded_positions", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("left_padded_positions", left_padded_positions).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("left_padded_positions", left_padded_positions).points
### END HIDDEN TESTS

# %% [markdown]
# And the mask? Padding must never be attended to (part 1, and 4.10), and **your `MultiHeadAttentionWithCache` has no argument for that.**
# So for serving we keep its four layers and rewrite what happens between them, with your `masked_softmax`, since padding's rows
# have no open key, and your `StaticKVCache`, which reserves room for the whole text once.

# %%
split, merge_heads, softmax = yours("split_heads"), yours("merge_heads"), yours("masked_softmax")
static_cache = yours("StaticKVCache")


class ServingAttention(nn.Module):
    """The four layers of a trained attention, with a static cache and a mask for padding; for one batch."""

    def __init__(self, trained, num_heads, padding):                   # padding (B, max_len), True = padding
        super().__init__()
        self.trained, self.num_heads, self.padding = trained, num_heads, padding
        B, max_len = padding.shape
        d_model = trained.q_proj.in_features
        self.cache = static_cache(B, num_heads, max_len, d_model // num_heads)

    def forward(self, x, cache_k=None, cache_v=None):
        layers = self.trained.q_proj, self.trained.k_proj, self.trained.v_proj
        Q, K, V = (split(layer(x), self.num_heads) for layer in layers)            # (B, H, T_q, d_head)
        K, V = self.cache.update(K, V)                                             # (B, H, T_k, d_head), views
        T_q, T_k = Q.shape[2], K.shape[2]
        future = torch.ones(T_q, T_k, dtype=torch.bool).triu(T_k - T_q + 1)        # (T_q, T_k)
        mask = future | self.padding[:, None, None, :T_k]                          # (B, 1, T_q, T_k)
        weights = softmax(Q @ K.mT / math.sqrt(Q.shape[-1]), mask)                 # (B, H, T_q, T_k)
        return self.trained.out_proj(merge_heads(weights @ V)), K, V


def serving(model, lengths, width, max_len):
    """The model for one batch of left-padded prompts, called as `generate` calls a model."""
    padding = torch.arange(max_len) < (width - lengths)[:, None]                   # (B, max_len)
    served = copy.deepcopy(model)
    for block in served.blocks:
        block.attention = ServingAttention(block.attention, model.size.num_heads, padding)

    def call(tokens, cache=None):
        if cache is None:
            positions = left_padded(lengths, width)                                # (B, width)
        else:
            cached = cache[0][0].shape[2]
            positions = (cached - width + lengths)[:, None]                        # (B, 1), each text's own
        return served(tokens, cache, positions)

    return call


left_padded = yours("left_padded_positions")
print(left_padded(lengths, width))

# %% [markdown]
# Each text of the batch must continue as it does alone:

# %%
new_tokens = 24
with torch.no_grad():
    alone = [yours_generate(model, torch.tensor([row]), new_tokens, greedy)[0] for row in rows]    # (T,) each
    logits, _ = serving(model, lengths, width, width)(padded)                      # (B, width, V)
    together = yours_generate(serving(model, lengths, width, width + new_tokens), padded, new_tokens, greedy)
    for b, row in enumerate(rows):
        by_itself = model(torch.tensor([row]))[0]                                  # (1, T, V)
        difference = (logits[b, -len(row):] - by_itself[0]).abs().max()
        text = tokenizer.decode(together[b, width - len(row):].tolist())
        print(f"logits differ by at most {difference:.1e}   {text!r}")
        assert difference < 1e-3
        assert torch.equal(together[b, width - len(row):], alone[b])

# %% [markdown]
# **Break it.** The same batch without any of this: padding is read like text, and counted in the positions.

# %%
with torch.no_grad():
    careless = model(padded)[0]                                                    # (B, width, V)
    for b, row in enumerate(rows):
        right = model(torch.tensor([row]))[0][0, -1].log_softmax(-1)               # (V,)
        wrong = careless[b, -1].log_softmax(-1)                                    # (V,)
        moved = (right.exp() - wrong.exp()).abs().sum() / 2
        print(f"{width - len(row)} places of padding: {moved:.0%} of the probability lies on other tokens")
        assert (moved < 0.001) == (len(row) == width)
    for way, ids in (("alone", torch.tensor([rows[-1]])), ("padded, careless", padded[-1:])):
        after = yours_generate(model, ids, 20, greedy)[0, ids.shape[1]:]
        print(f"{texts[-1]}, {way}: {tokenizer.decode(after.tolist())!r}")

# %% [markdown]
# **Takeaway.** The longest prompt is right; the padded ones are silently wrong: no shape is off, and nothing raises an error. Test
# a batch by comparing each row with the same text alone.

# %% [markdown]
# ## 6.6 One weight set, many libraries (optional)
#
# A trained layer is four weight matrices, with or without biases. Libraries store them in several ways. To move weights you must know
# two things: **where each number is**, and **what the mask means**. A mistake in either rarely raises an error. You get a model that
# writes nonsense.
#
# You load *one* set of weights into other people's layers; each must give the same numbers as yours. Where a library
# is not installed (`pip install transformers onnx flax`), the cell shows its recorded output, and says so.
#
# Many libraries multiply once instead of three times: the weights of q, k and v are **fused** into one. Here are three layouts,
# with three heads. Each block holds one head's part.

# %%
show(plot_fused_layouts(3))

# %% [markdown]
# **Takeaway.** The same nine blocks. On the left, all of q comes first, then k, then v. In the middle, head 0 is complete before head 1 begins. On
# the right the weight is transposed: a column belongs to an output.
#
# The one weight set: your layer from part 4, with biases, as in GPT-2.

# %%
d_model, num_heads, d_head = 12, 3, 4
layer = yours("MultiHeadAttentionWithCache")(d_model, num_heads)
for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
    setattr(layer, name, nn.Linear(d_model, d_model))
layer.requires_grad_(False)
parts = (layer.q_proj, layer.k_proj, layer.v_proj)
rows = torch.cat([part.weight for part in parts])                      # (3 * d_model, d_model)
shifts = torch.cat([part.bias for part in parts])                      # (3 * d_model,)

x = torch.randn(2, 5, d_model)                                         # (B, T, d_model)
wanted = layer(x)[0]                                                   # (B, T, d_model), what all must give


def compare(name, theirs):
    """Print how far another library's output is from yours."""
    difference = (torch.as_tensor(theirs) - wanted).abs().max().item()
    print(f"{name}: largest difference {difference:.1e}")
    assert difference < 1e-5, "Does your layer call self.q_proj(x)? Its weight alone leaves the bias out."


print("outputs between", " and ".join(f"{value:.2f}" for value in wanted.aminmax()))

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ### Exercise: `from_fused`
#
# Take apart a fused weight as `nn.MultiheadAttention` and nanoGPT store it, the picture's left side. With grouped heads (4.8), K and V
# have fewer rows than Q. The three weights must be copies: changing the fused one later must not change them.

# %% nbgrader={"grade": false, "grade_id": "from_fused", "locked": false, "schema_version": 3, "solution": true, "task": false}
def from_fused(weight, d_kv=None):
    """One weight with the rows of Q, then K, then V, as three weights for nn.Linear.

    weight:  (d_model + 2 * d_kv, d_model), as nn.MultiheadAttention and nanoGPT keep it
    d_kv:    how many rows K has, and V has; None: as many as Q, d_model
    returns  (W_q (d_model, d_model), W_k (d_kv, d_model), W_v (d_kv, d_model)), which share no
             memory with weight
    """
    ### BEGIN SOLUTION
    d_model = weight.shape[1]
    d_kv = d_model if d_kv is None else d_kv
    W_q, W_k, W_v = weight.clone().split([d_model, d_kv, d_kv])  # (d_model, d_model), twice (d_kv, d_model)
    return W_q, W_k, W_v
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_from_fused", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("from_fused", from_fused).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("from_fused", from_fused).points
### END HIDDEN TESTS

# %% [markdown]
# First PyTorch's own layer. Its `in_proj_weight` is the fused one, and its mask follows this course's convention, True = masked.

# %%
theirs = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
theirs.load_state_dict({
    "in_proj_weight": rows, "in_proj_bias": shifts,
    "out_proj.weight": layer.out_proj.weight, "out_proj.bias": layer.out_proj.bias,
})
future = yours("create_causal_mask")(5)                                # (T, T), True = masked
with torch.no_grad():
    compare("nn.MultiheadAttention", theirs(x, x, x, attn_mask=future, need_weights=False)[0])

unfused = yours("from_fused")(theirs.in_proj_weight.detach())          # 3 times (d_model, d_model)
assert all(torch.equal(weight, part.weight) for weight, part in zip(unfused, parts))

# %% [markdown]
# nanoGPT, a small and widely read GPT, does the same with one `nn.Linear` with 3 · d_model outputs, and splits those: output `i` is
# row `i` times x.

# %%
split, rejoin = yours("split_heads"), yours("merge_heads")
fused = nn.Linear(d_model, 3 * d_model)
fused.load_state_dict({"weight": rows, "bias": shifts})
with torch.no_grad():
    outputs = fused(x)                                                 # (B, T, 3 * d_model)
    Q, K, V = (split(outputs[..., i * d_model : (i + 1) * d_model], num_heads) for i in range(3))
    heads = F.scaled_dot_product_attention(Q, K, V, is_causal=True)    # (B, H, T, d_head)
    compare("one fused nn.Linear, as in nanoGPT", layer.out_proj(rejoin(heads)))

# %% [markdown]
# ### Exercise: `from_conv1d`
#
# GPT-2 in the `transformers` library computes `x @ weight + bias`, in a layer that it calls `Conv1D`. There a weight is (in, out), the
# transpose of what `nn.Linear` stores: the picture's right side. And GPT-2 has biases.

# %% nbgrader={"grade": false, "grade_id": "from_conv1d", "locked": false, "schema_version": 3, "solution": true, "task": false}
def from_conv1d(weight, bias):
    """GPT-2's fused projection, x @ weight + bias, as weights and biases for three nn.Linear.

    weight:  (d_model, 3 * d_model): (in, out), with the outputs for Q first, then K, then V
    bias:    (3 * d_model,)
    returns  a dict: W_q, W_k, W_v, each (d_model, d_model), and b_q, b_k, b_v, each (d_model,), which
             share no memory with weight and bias
    """
    ### BEGIN SOLUTION
    W_q, W_k, W_v = weight.T.clone().chunk(3)                    # 3 times (d_model, d_model)
    b_q, b_k, b_v = bias.clone().chunk(3)                        # 3 times (d_model,)
    return {"W_q": W_q, "W_k": W_k, "W_v": W_v, "b_q": b_q, "b_k": b_k, "b_v": b_v}
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_from_conv1d", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("from_conv1d", from_conv1d).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("from_conv1d", from_conv1d).points
### END HIDDEN TESTS

# %%
conv_weight, conv_bias = rows.T.contiguous(), shifts                   # (d_model, 3 * d_model), (3 * d_model,)
assert_close(x @ conv_weight + conv_bias, F.linear(x, rows, shifts))   # (B, T, 3 * d_model)
unfused = yours("from_conv1d")(conv_weight, conv_bias)
for letter, part in zip("qkv", parts):
    assert torch.equal(unfused[f"W_{letter}"], part.weight)
    assert torch.equal(unfused[f"b_{letter}"], part.bias)
print({name: tuple(tensor.shape) for name, tensor in unfused.items()})

# %% [markdown]
# Now GPT-2's own attention layer. It has two such weights: `c_attn`, the fused one, and `c_proj`, your `out_proj`.

# %%
predict("square_weight_untransposed")

# %%
gpt2_code = library("transformers.models.gpt2.modeling_gpt2", "gpt2_layer")
conv = {"c_attn.weight": conv_weight, "c_attn.bias": conv_bias,
        "c_proj.weight": layer.out_proj.weight.T, "c_proj.bias": layer.out_proj.bias}
if gpt2_code:
    config = gpt2_code.GPT2Config(n_embd=d_model, n_head=num_heads, attn_implementation="sdpa")
    gpt2_layer = gpt2_code.GPT2Attention(config, layer_idx=0).eval()
    gpt2_layer.load_state_dict(conv)
    with torch.no_grad():
        compare("GPT-2 in transformers", gpt2_layer(x)[0])
        gpt2_layer.load_state_dict({**conv, "c_proj.weight": layer.out_proj.weight})
        print(f"c_proj as it is in nn.Linear: largest difference {(gpt2_layer(x)[0] - wanted).abs().max():.2f}")

# %% [markdown]
# **Takeaway.** A square weight fits even if it is transposed. The shapes won't catch this, so compare numbers.
#
# ### Exercise: `from_interleaved`
#
# GPT-NeoX, an open model of 2022, goes head by head: the picture's middle. When several GPUs share a layer, each gets some heads, which in this
# layout form a single slice.

# %% nbgrader={"grade": false, "grade_id": "from_interleaved", "locked": false, "schema_version": 3, "solution": true, "task": false}
def from_interleaved(weight, num_heads):
    """GPT-NeoX's fused projection, head by head, as three weights for nn.Linear.

    weight:  (3 * d_model, d_model): the q, the k and the v rows of head 0, d_head of each, then
             those of head 1, and so on
    returns  W_q, W_k, W_v, each (d_model, d_model), the rows of head 0 first: a tuple, or one tensor of the three
    """
    ### BEGIN SOLUTION
    d_model = weight.shape[1]
    by_head = weight.reshape(num_heads, 3, -1, d_model)          # (H, 3, d_head, d_model)
    W_q, W_k, W_v = by_head.transpose(0, 1).reshape(3, d_model, d_model)
    return W_q, W_k, W_v                                         # 3 times (d_model, d_model)
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_from_interleaved", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("from_interleaved", from_interleaved).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("from_interleaved", from_interleaved).points
### END HIDDEN TESTS

# %%
blocks = [part.weight.view(num_heads, d_head, d_model) for part in parts]
by_head = torch.stack(blocks, dim=1)                                   # (H, 3, d_head, d_model)
interleaved = by_head.flatten(0, 2)                                    # (3 * d_model, d_model)
unmixed = yours("from_interleaved")(interleaved, num_heads)            # 3 times (d_model, d_model)
assert all(torch.equal(weight, part.weight) for weight, part in zip(unmixed, parts))

# %% [markdown]
# ### Break it: read one layout as the other
#
# Both fused weights are (3 · d_model, d_model), so nothing stops you from reading GPT-NeoX's with `from_fused`.

# %%
predict("interleaved_read_in_turn")

# %%
neox_code = library("transformers.models.gpt_neox.modeling_gpt_neox", "neox_layer")
additive = yours("to_additive_mask")(future)[None, None]               # (1, 1, T, T)
if neox_code:
    config = neox_code.GPTNeoXConfig(hidden_size=d_model, num_attention_heads=num_heads,
                                     attn_implementation="eager")
    neox = neox_code.GPTNeoXAttention(config, layer_idx=0).eval()
    # RoPE (part 7) rotates its queries and keys: here by angle 0, so cosine 1 and sine 0
    unturned = (torch.ones(1, 5, d_head), torch.zeros(1, 5, d_head))   # (1, T, d_head) each
    biases = torch.stack([part.bias.view(num_heads, d_head) for part in parts], dim=1).flatten()
    neox.load_state_dict({"query_key_value.weight": interleaved, "query_key_value.bias": biases,
                          "dense.weight": layer.out_proj.weight, "dense.bias": layer.out_proj.bias})
    with torch.no_grad():
        compare("GPT-NeoX in transformers", neox(x, additive, position_embeddings=unturned)[0])

# %%
wrong = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
wrong.load_state_dict({**theirs.state_dict(), "in_proj_weight": interleaved})
with torch.no_grad():
    output = wrong(x, x, x, attn_mask=future, need_weights=False)[0]
print(f"GPT-NeoX's weight read as Q, K, V in turn: largest difference {(output - wanted).abs().max():.2f}")

# %% [markdown]
# **Takeaway.** Same shape, other numbers, no error. A weight does not state its layout; the code that reads it does.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.7 Masks in four dialects (optional)
#
# The other half of moving weights is the meaning of a mask: `True` = masked, `True` = attend, numbers added to the scores, or a
# tokenizer's ones and zeros.
#
# ### Exercise: `translate_mask`
#
# Translate any of them into any other.

# %% nbgrader={"grade": false, "grade_id": "translate_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def translate_mask(mask, source, target, dtype=torch.float32):
    """The same mask in another dialect.

    "masked":    bool, True may not be attended to (this course, nn.MultiheadAttention)
    "attend":    bool, True may be attended to (scaled_dot_product_attention, Flax)
    "ones":      whole numbers, 1 may be attended to, 0 may not (the tokenizers of transformers)
    "additive":  0 may be attended to; -inf may not, nor any number at or below -1e4 that comes in

    mask:            any shape, in the dialect `source`
    source, target:  two of these names; any other name raises ValueError
    dtype:           of the result, where the target is "additive"
    returns          the shape and device of mask, in the dialect `target`. "additive" is always written with exactly
                     0 and -inf, in `dtype`, even from "additive"
    """
    ### BEGIN SOLUTION
    for name in (source, target):
        if name not in ("masked", "attend", "ones", "additive"):
            raise ValueError(f"no dialect is called {name!r}")
    if source == "additive":
        allowed = mask > -1e4
    else:
        allowed = mask == 0 if source == "masked" else mask == 1
    if target == "additive":
        return torch.zeros_like(mask, dtype=dtype).masked_fill(~allowed, -torch.inf)
    if target == "ones":
        return allowed.long()
    return ~allowed if target == "masked" else allowed
    ### END SOLUTION

# %% nbgrader={"grade": true, "grade_id": "test_translate_mask", "locked": true, "schema_version": 3, "solution": false, "task": false}
check("translate_mask", translate_mask).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("translate_mask", translate_mask).points
### END HIDDEN TESTS

# %% [markdown]
# Two texts, the second with three real tokens. Each function gets the mask in its own dialect; compare with attention written out:

# %%
translate = yours("translate_mask")
ones = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])                # (B, T), as a tokenizer gives it
padding = translate(ones, "ones", "masked")                            # (B, T)
mask = padding[:, None, None] | future                                 # (B, 1, T, T), True = masked
with torch.no_grad():
    Q, K, V = (split(part(x), num_heads) for part in parts)            # (B, H, T, d_head)
    attend_mask = translate(mask, "masked", "attend")
    added_mask = translate(mask, "masked", "additive")
    scores = (Q @ K.mT / math.sqrt(d_head)).masked_fill(mask, -math.inf)               # (B, H, T, T)
    ours = layer.out_proj(rejoin(scores.softmax(dim=-1) @ V))           # (B, T, d_model)
    by_attend = F.scaled_dot_product_attention(Q, K, V, attn_mask=attend_mask)        # (B, H, T, d_head)
    by_added = F.scaled_dot_product_attention(Q, K, V, attn_mask=added_mask)          # (B, H, T, d_head)
    results = {
        "SDPA, True = attend": layer.out_proj(rejoin(by_attend)),
        "SDPA, added": layer.out_proj(rejoin(by_added)),
        "nn.MultiheadAttention, True = masked": theirs(x, x, x, attn_mask=future, key_padding_mask=padding,
                                                       need_weights=False)[0],
    }
for name, output in results.items():
    print(f"{name:38} largest difference {(output - ours).abs().max():.1e}")
    assert_close(output, ours)

# %%
predict("mask_not_flipped_first_query")

# %%
with torch.no_grad():
    not_flipped = layer.out_proj(rejoin(F.scaled_dot_product_attention(Q, K, V, attn_mask=future)))
print(f"not flipped: largest difference {(not_flipped - wanted).abs().max():.2f}, and no error")
print("output of the last query, before W_O:", F.scaled_dot_product_attention(Q, K, V, attn_mask=future)[0, 0, -1])

# %% [markdown]
# ### Where a causal mask begins
#
# With as many queries as keys, `is_causal` is unambiguous. With a cache there are fewer queries, and the triangle can begin at the top left
# (query 0 is at position 0) or at the bottom right (the last query is at the last position). We ask the libraries themselves, with two new tokens
# after three cached ones:

# %%
from torch.nn.attention.bias import causal_lower_right

new_Q, new_K, new_V = Q[:, :, 3:], K[:, :, 3:], V[:, :, 3:]            # (B, H, 2, d_head), of the two new tokens


def finished(heads):                                                   # (B, H, T, d_head) -> (B, T, d_model)
    return layer.out_proj(rejoin(heads))


triangles = {
    "bottom right": causal_lower_right(2, 5),
    "top left": torch.ones(2, 5, dtype=torch.bool).tril(),             # (T_q, T_k), True = attend
    "no mask at all": None,
}
begins = {name: finished(F.scaled_dot_product_attention(new_Q, K, V, attn_mask=open_keys))
          for name, open_keys in triangles.items()}                    # (B, 2, d_model) each


def where(output):
    return next(name for name, other in begins.items() if torch.allclose(output, other, atol=1e-5))


print("your layer with a cache:      ", where(layer(x[:, 3:], K[:, :, :3], V[:, :, :3])[0]))
flagged = F.scaled_dot_product_attention(new_Q, K, V, is_causal=True)   # (B, H, 2, d_head)
print("SDPA, is_causal=True:         ", where(finished(flagged)))

# %%
if library("onnx", "onnx_triangles"):
    whole = {"Q": new_Q, "K": K, "V": V}
    with_past = {"Q": new_Q, "K": new_K, "V": new_V, "past_key": K[:, :, :3], "past_value": V[:, :, :3]}
    print("ONNX Attention, is_causal=1:  ", where(finished(onnx_attention(whole, is_causal=1)[0])))
    print("the same with past_key:       ", where(finished(onnx_attention(with_past, is_causal=1)[0])))

# %% [markdown]
# So one operator can give both, depending on how the old keys came in.
#
# One more trap. Some layers rely on their caller for the mask. GPT-2's attention layer in transformers once held its own causal
# mask; in 5.23 the model around it makes the mask. Called alone, two of its forms differ: *sdpa* calls PyTorch's function, *eager*
# writes out the formula.

# %%
if library("transformers.models.gpt2.modeling_gpt2", "gpt2_without_mask"):
    for form in ("sdpa", "eager"):
        config = gpt2_code.GPT2Config(n_embd=d_model, n_head=num_heads, attn_implementation=form)
        alone = gpt2_code.GPT2Attention(config, layer_idx=0).eval()
        alone.load_state_dict(conv)
        with torch.no_grad():
            output = alone(x)[0]
        everything = layer(x, is_causal=False)[0]
        seen = "the past" if torch.allclose(output, wanted, atol=1e-5) else "past and future"
        assert seen == "the past" or torch.allclose(output, everything, atol=1e-5)
        print(f"{form:6} without a mask: a query sees {seen}")

# %% [markdown]
# **Takeaway.** When you call somebody else's layer, change the last token: no earlier output may move. Then compare cached steps with
# one full pass.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.8 Shared heads, and heads as an axis (optional)
#
# **Shared heads.** In a grouped layer 6 query heads share 2 kv heads. Which query head uses which? SDPA with `enable_gqa=True`, Llama's
# `repeat_kv` and ONNX agree with what you built in 4.8: **neighbours** share. The other order, 0 1 0 1 0 1, fits every shape too.

# %%
q_weight, k_weight, v_weight = (torch.randn(out, d_model) / 3 for out in (12, 4, 4))
Q6 = split(x @ q_weight.T, 6)                                          # (B, 6, T, 2)
K2, V2 = (split(x @ weight.T, 2) for weight in (k_weight, v_weight))   # (B, 2, T, 2)
near = [shared.repeat_interleave(3, dim=1) for shared in (K2, V2)]     # (B, 6, T, 2), kv heads 0 0 0 1 1 1
far = [shared.repeat(1, 3, 1, 1) for shared in (K2, V2)]               # (B, 6, T, 2), kv heads 0 1 0 1 0 1
neighbours = F.scaled_dot_product_attention(Q6, *near, is_causal=True) # (B, 6, T, 2)


def compare_heads(name, heads):
    print(f"{name}: largest difference {(heads - neighbours).abs().max():.1e}")
    assert torch.allclose(heads, neighbours, atol=1e-5) == (name != "kv heads 0 1 0 1 0 1")


compare_heads("kv heads 0 1 0 1 0 1", F.scaled_dot_product_attention(Q6, *far, is_causal=True))
by_sdpa = F.scaled_dot_product_attention(Q6, K2, V2, is_causal=True, enable_gqa=True)
compare_heads("SDPA, enable_gqa=True", by_sdpa)

# %%
if library("onnx", "onnx_shared_heads"):
    compare_heads("ONNX Attention", onnx_attention({"Q": Q6, "K": K2, "V": V2}, is_causal=1)[0])

# %%
llama_code = library("transformers.models.llama.modeling_llama", "llama_layer")
if llama_code:
    config = llama_code.LlamaConfig(hidden_size=d_model, num_attention_heads=6, num_key_value_heads=2,
                                    attn_implementation="eager")
    llama = llama_code.LlamaAttention(config, layer_idx=0).eval()
    llama.load_state_dict({"q_proj.weight": q_weight, "k_proj.weight": k_weight, "v_proj.weight": v_weight,
                           "o_proj.weight": torch.eye(d_model)})       # W_O left out: we look at the heads
    unturned = (torch.ones(1, 5, 2), torch.zeros(1, 5, 2))             # its RoPE turns nothing here either
    with torch.no_grad():
        output = llama(x, position_embeddings=unturned, attention_mask=additive)[0]   # (B, T, d_model)
    compare_heads("Llama in transformers", split(output, 6))

# %% [markdown]
# **Heads as an axis.** Flax never merges the heads: its weight of q, called *kernel*, has an axis for the input, one for the heads,
# and one for the features of a head, in this order.

# %%
predict("flax_kernel_shape")

# %%
kernels = {}
for name, part in zip(("query", "key", "value"), parts):
    kernel = part.weight.T.reshape(d_model, num_heads, d_head)         # (in, H, d_head)
    kernels[name] = {"kernel": kernel, "bias": part.bias.view(num_heads, d_head)}
kernel = layer.out_proj.weight.T.reshape(num_heads, d_head, d_model)   # (H, d_head, out)
kernels["out"] = {"kernel": kernel, "bias": layer.out_proj.bias}
straight = torch.einsum("btc,chd->bhtd", x, kernels["query"]["kernel"]) + kernels["query"]["bias"][:, None]
assert_close(straight, Q)                                              # (B, H, T, d_head), and nothing was split

# %%
linen = library("flax.linen", "flax_layer")
if linen:
    flax_layer = linen.MultiHeadDotProductAttention(num_heads=num_heads, qkv_features=d_model)
    params = {name: {kind: tensor.numpy() for kind, tensor in pair.items()} for name, pair in kernels.items()}
    open_keys = translate(future, "masked", "attend").numpy()[None, None]         # Flax: True = attend
    output = flax_layer.apply({"params": params}, x.numpy(), x.numpy(), x.numpy(), mask=open_keys)
    compare("Flax", torch.tensor(output.tolist()))

# %% [markdown]
# **ONNX** carries a model from one program to another. Its operator `Attention` has no projections. It takes heads as (B, H, T, d_head), or
# merged, with their number.

# %%
if library("onnx", "onnx_layer"):
    merged = {"Q": rejoin(Q), "K": rejoin(K), "V": rejoin(V),             # (B, T, d_model)
              "attn_mask": translate(future, "masked", "attend")}
    output = onnx_attention(merged, q_num_heads=num_heads, kv_num_heads=num_heads)[0]
    compare("ONNX Attention", layer.out_proj(output))

# %% [markdown]
# | library | fused weight of q, k, v | boolean mask, True means |
# |---|---|---|
# | `nn.MultiheadAttention` | rows of Q, K, V | masked |
# | GPT-2, transformers | (in, out), columns of Q, K, V | model: 1 = attend; layer: attend (eager: numbers to add) |
# | GPT-NeoX, transformers | rows, head by head | model: 1 = attend; layer: attend (eager: numbers to add) |
# | Flax | three kernels, (in, H, d_head) | attend |
# | ONNX `Attention` | none | attend |

# %% [markdown]
# ## 6.9 What a server passes to attention (optional)
#
# In a single step, a server prefills some requests, or chunks of them (*chunked prefill*), and decodes one token for each of the others;
# requests come and go between steps (*continuous batching*). As a padded batch this would waste most of the
# work. So servers **pack**: the new tokens of all requests are concatenated, without padding, and a table says where each request begins.

# %%
predict("rows_without_padding")

# %% [markdown]
# The cache is cut into blocks of `block_size` tokens. A request has a **block table**: which blocks hold its tokens, in order. For each new token the
# server computes the **slot** where its key and value go, counted across all blocks.
#
# vLLM and TensorRT-LLM, two widely used servers, describe the same thing in different words:
#
# | what | vLLM | TensorRT-LLM |
# |---|---|---|
# | new tokens | q (tokens, H, d_head); k and v (tokens, kv heads, d_head) | q, k and v in one tensor, side by side |
# | which rows are whose | `query_start_loc` (B + 1): where each request begins, and the end | a tensor of lengths |
# | order of the requests | any for FlashAttention; for MLA (7.8), those that decode first | those in prefill first |
# | how much is cached | `seq_lens` (B): old and new tokens | a tensor of the past's lengths |
# | where tokens are | `block_table` (B, blocks), `slot_mapping` (tokens); slot −1: do not store | blocks that a cache manager hands out |
#
# `attend` in `course_utils/wild/serving.py` does one such step in plain PyTorch. A step by hand, with blocks of 4 tokens:

# %%
block_table = torch.tensor([[5, 2, 9], [7, 0, -1], [3, -1, -1]])       # (B, blocks), -1: no block yet
step = plan(new=[3, 1, 4], cached=[4, 5, 0], block_table=block_table)
print("query_start_loc", step.query_start_loc.tolist(), "  seq_lens", step.seq_lens.tolist())
whose = torch.repeat_interleave(step.query_start_loc.diff())           # (tokens,)
print("request ", whose.tolist())
print("position", positions(step).tolist())

# %%
predict("slot_of_a_packed_token")

# %%
print("slot    ", slot_mapping(step, block_size=4).tolist())

# %% [markdown]
# Your layer in such a server: three requests, four steps that mix prefill and decode, and each request's outputs compared with one pass over that
# request alone. The cache starts out full of NaN, so reading an unwritten slot would show.

# %%
lengths, block_size = [9, 6, 4], 4
texts = [torch.randn(n, d_model) for n in lengths]                     # (T, d_model) each
block_table = torch.tensor([[5, 2, 9], [7, 0, -1], [3, -1, -1]])
caches = [torch.full((10, block_size, num_heads, d_head), math.nan) for kind in "kv"]
cached, outputs = [0, 0, 0], [[], [], []]
for new in ([4, 5, 0], [4, 1, 0], [1, 0, 3], [0, 0, 1]):               # new tokens of each text
    running = [b for b in range(3) if new[b]]
    packed = torch.cat([texts[b][cached[b] : cached[b] + new[b]] for b in running])         # (tokens, d_model)
    step = plan([new[b] for b in running], [cached[b] for b in running], block_table[running])
    q, k, v = (part(packed).view(-1, num_heads, d_head) for part in parts)                  # (tokens, H, d_head)
    done = layer.out_proj(attend(q, k, v, *caches, step).flatten(1))                        # (tokens, d_model)
    for b, rows_of_b in zip(running, done.split([new[b] for b in running])):
        outputs[b].append(rows_of_b)
        cached[b] += new[b]
    print(f"{len(packed)} packed rows, requests {running}, slots {slot_mapping(step, block_size).tolist()}")

for b in range(3):
    assert_close(torch.cat(outputs[b]), layer(texts[b][None])[0][0])   # (T, d_model)
print("each request got what one dense pass over it alone gives")

# %% [markdown]
# The same in TensorRT-LLM's form: one tensor with q, k and v side by side, and the requests in prefill first.

# %%
qkv = F.linear(packed, rows, shifts)                                   # (tokens, 3 * d_model)
for one, other in zip(unpack_qkv(qkv, num_heads, num_heads), (q, k, v)):
    assert_close(one, other)                                           # (tokens, H, d_head)
print("four requests, of which 1 and 3 are in prefill: in the order", context_first([False, True, False, True]))

# %% [markdown]
# **Takeaway.** Only the bookkeeping of rows is new. The arithmetic is not: a request's queries meet its keys, aligned
# at the bottom right.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.10 The real thing: a GPT-2 checkpoint (optional)
#
# A GPT-2 saved by transformers is a folder: `config.json` holds the sizes, `model.safetensors` the tensors, and `tokenizer.json`,
# if it was saved, the tokens. `load_gpt2` loads it into *your* `MultiHeadAttentionWithCache`: it builds your layer with `n_embd` and
# `n_head`, replaces the four projections with biased ones, and copies in the transposed parts of the fused weight.
#
# How large is the smallest GPT-2?

# %%
small = {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12}
shapes = shapes_of({**small, "n_inner": 4 * 768})
for name in ("wte.weight", "wpe.weight", "h.0.attn.c_attn.weight", "h.0.attn.c_proj.weight", "ln_f.bias"):
    print(f"{name:24} {shapes[name]}")

# %% [markdown]
# `wte` holds a vector for each token, `wpe` one for each position. There is no separate weight for the logits: `wte` is used again. The two
# are **tied**.

# %%
predict("tied_parameters")

# %%
numbers = {name: math.prod(shape) for name, shape in shapes.items()}
total = sum(numbers.values())
print(f"{total / 1e6:.1f} million parameters, {4 * total / 1e6:.0f} MB in float32; "
      f"{sum(n for name, n in numbers.items() if '.attn.' in name) / total:.0%} of them in attention")

# %% [markdown]
# First a tiny model of our own, with random numbers. If transformers is installed, its own GPT-2 reads the same folder, and the logits must agree
# to 1e-4.

# %%
temporary = tempfile.TemporaryDirectory()                              # gone when the notebook's kernel ends
place = Path(temporary.name)
tiny = {"model_type": "gpt2", "vocab_size": 50, "n_positions": 32, "n_embd": 24, "n_layer": 2, "n_head": 3,
        "bos_token_id": 0, "eos_token_id": 0}
tokens = torch.randint(0, 50, (1, 9))                                  # (B, T)


def save(folder, config, tensors):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    safe.save_file(tensors, folder / "model.safetensors")
    return folder


safe = library("safetensors.torch", "tiny_gpt2")
if safe:
    drawn = {name: 0.5 * torch.randn(shape)
             for name, shape in shapes_of({**tiny, "n_inner": 96}).items()}
    folder = save(place / "tiny", tiny, drawn)
    tiny_gpt2 = load_gpt2(folder, yours("MultiHeadAttentionWithCache"))
    logits, cache = tiny_gpt2(tokens)                                      # (B, T, vocab), for each layer (k, v)
    print("logits", tuple(logits.shape), "  keys of layer 0", tuple(cache[0][0].shape))
    unfused = yours("from_conv1d")(drawn["h.1.attn.c_attn.weight"], drawn["h.1.attn.c_attn.bias"])
    assert torch.equal(tiny_gpt2.blocks[1].attention.k_proj.weight, unfused["W_k"])

# %%
transformers = library("transformers", "official_gpt2")
if transformers and safe:
    transformers.utils.logging.disable_progress_bar()
    official = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    with torch.no_grad():
        difference = (official(tokens).logits - logits).abs().max()
    print(f"logits between {logits.min():.1f} and {logits.max():.1f}, largest difference {difference:.1e}")
    assert difference < 1e-4

# %% [markdown]
# Now with the cache, using your `generate`. The model is untrained: its text means nothing.

# %%
def largest(logits):                                                   # (B, vocab) -> (B,)
    return logits.argmax(dim=-1)


if library("safetensors.torch", "tiny_gpt2_writes"):
    written = yours("generate")(tiny_gpt2, tokens, 6, largest)         # (B, T + 6)
    print(tiny_gpt2.decode(tokens), " -> ", tiny_gpt2.decode(written[:, 9:]))
    at_once = tiny_gpt2(written)[0][:, 8:-1].argmax(dim=-1)            # without a cache
    assert torch.equal(at_once, written[:, 9:])

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ### Two details that a checkpoint decides
#
# GPT-2 has a bias for the keys, too. What does it do?

# %%
predict("bias_of_keys")

# %%
if library("safetensors.torch", "two_details"):
    attention_class = yours("MultiHeadAttentionWithCache")
    without = load_gpt2(folder, attention_class)
    for block in without.blocks:
        block.attention.k_proj.bias.zero_()
    print(f"no biases of the keys:    logits differ by {(without(tokens)[0] - logits).abs().max():.1e}")
    for block in without.blocks:
        block.attention.q_proj.bias.zero_()
    print(f"nor of the queries:       logits differ by {(without(tokens)[0] - logits).abs().max():.1f}")
    exact_form = {**tiny, "activation_function": "gelu"}
    exact = load_gpt2(save(place / "exact", exact_form, drawn), attention_class)
    print(f"GELU exact, not by tanh:  logits differ by {(exact(tokens)[0] - logits).abs().max():.1e}")

# %%
scores = torch.tensor([1., 2., 4.])                                    # (T_k,), of one query
print("softmax of its scores:   ", scores.softmax(dim=0), "and with 7 added to each:", (scores + 7).softmax(dim=0))

# %% [markdown]
# A bias on all keys adds one number, q · b, to all scores of a query, and softmax does not see that. A bias on the queries adds something
# different for each key.
#
# GPT-2 was trained with a tanh approximation of GELU, so `load_gpt2` has its own blocks around your attention.
#
# ### What a loader must refuse
#
# A folder from the internet may be wrong, or worse.

# %%
predict("why_not_a_pickle")

# %%
def print_refusal(what, *arguments):
    """Call `what`, which must refuse, and print its error."""
    try:
        what(*arguments)
    except (ValueError, OSError) as error:
        print("-", str(error).replace(str(place) + "/", ""))
    else:
        raise AssertionError("this should have been refused")


if library("safetensors.torch", "refusals"):
    name = "h.0.ln_1.bias"
    missing = {key: tensor for key, tensor in drawn.items() if key != name}
    print_refusal(load_gpt2, save(place / "missing", tiny, missing))
    print_refusal(load_gpt2, save(place / "extra", tiny, {**drawn, "h.2.ln_1.bias": torch.zeros(24)}))
    lying_down = {**drawn, "h.0.attn.c_attn.weight": torch.zeros(72, 24)}
    print_refusal(load_gpt2, save(place / "misshaped", tiny, lying_down))
    (place / "bare").mkdir(exist_ok=True)
    print_refusal(load_gpt2, place / "bare")
    (place / "bare" / "config.json").write_text(json.dumps(tiny))
    (place / "bare" / "pytorch_model.bin").write_bytes(pickle.dumps("harmless"))
    print_refusal(load_gpt2, place / "bare")
    print_refusal(tiny_gpt2, torch.zeros(1, 33, dtype=torch.long))
    print_refusal(tiny_gpt2, torch.zeros(1, 0, dtype=torch.long))

# %% [markdown]
# ### GPT-2 itself
#
# The next cell fetches OpenAI's GPT-2 from the Hugging Face hub if you ask for it: set `WANTED = "gpt2"`, which downloads about half a
# gigabyte, once. Or set it to a folder that you have.

# %%
WANTED = None          # "gpt2" downloads half a gigabyte, once; or the path of a folder that holds a GPT-2
real = None
if WANTED and not (Path(WANTED).is_dir() or is_within_reach(WANTED)):
    print(f"{WANTED} is not a folder, and can't be fetched: that needs huggingface_hub, safetensors and a network.")
elif WANTED:
    real = load_gpt2(WANTED, yours("MultiHeadAttentionWithCache"))
    prompt = real.encode("The cat sat on the mat because the cat")
    torch.manual_seed(0)
    written = yours("generate")(real, prompt, 20, largest)             # (1, T + 20)
    print(real.decode(written))
else:
    print("With a GPT-2, this cell shows what it writes after 'The cat sat on the mat because the cat'.")

# %% [markdown]
# And its heads, in the explorer of part 5 (without a GPT-2, those of 6.4's model). Is there an induction head?

# %%
if real:
    display(explore_heads(real.attention_weights(prompt), tokens=real.words(prompt)))
else:
    start = torch.tensor([held_out[:48]])                              # (1, T)
    display(explore_heads(attention_weights(model, start), [tokenizer.visible(token) for token in held_out[:48]]))

# %% [markdown]
# **Takeaway.** The layer that you wrote in part 4 can run a published model. What it took: a transpose, a split in three, biases
# and a GELU.

# %% [markdown]
# ## 6.11 Recall (optional)
#
# Answer aloud, in two sentences, before you choose.

# %%
predict("what_pre_norm_leaves_alone")

# %%
predict("loss_of_two_vocabularies")

# %%
predict("calls_of_the_model")

# %%
predict("top_k_of_one")

# %%
predict("why_padding_on_the_left")

# %% [markdown]
# ## 6.12 From memory (optional)
#
# No hints, no scrolling. The block once more:

# %% nbgrader={"grade": false, "grade_id": "DecoderBlock_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock_from_memory(nn.Module):
    """norm_1, attention (passed in), norm_2, up, down; the caches pass through."""

    def __init__(self, attention, d_model, d_hidden):
        super().__init__()
        ### BEGIN SOLUTION
        self.attention = attention
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model) for half in range(2))
        self.up, self.down = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        ### END SOLUTION

    def forward(self, x, cache_k=None, cache_v=None):
        ### BEGIN SOLUTION
        mixed, keys, values = self.attention(self.norm_1(x), cache_k, cache_v)     # (B, T, d_model), caches
        x = x + mixed                                                              # (B, T, d_model)
        return x + self.down(F.gelu(self.up(self.norm_2(x)))), keys, values        # (B, T, d_model), caches
        ### END SOLUTION

# %%
check("DecoderBlock", DecoderBlock_from_memory)

# %% [markdown]
# If that went well: `generate`, in a new cell.
#
# ## Next
#
# **Part 7** shows what today's models do differently: positions by rotation, sliding windows, caches in pages, and keys that are never
# stored. Open `07_today.ipynb`.

# %%
progress()
