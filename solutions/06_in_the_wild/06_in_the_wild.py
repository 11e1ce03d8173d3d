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
# # 6. In the wild: a decoder that speaks
#
# <!-- minutes -->
#
# So far your attention stood alone. In a language model it is one half of a **block**, and blocks are
# stacked. Here you build the block, and a whole decoder is put together around your own layers. It learns
# from a text for about a minute, and then it writes.
#
# **At the end you will have a small language model on your own attention and your own cache, you will know
# what its numbers are worth, and how it answers several prompts of different lengths at once.**

# %% tags=["setup"]
from course_utils import check, hint, predict, progress, yours, check_shape, plot_mask
from course_utils.figures.show import show
from course_utils.figures.training import plot_losses, plot_table
from course_utils.wild.bpe import Tokenizer, learn_merges, merge
from course_utils.wild.decoder import Decoder, Size
from course_utils.wild.measure import (
    bigram_bits, bits_per_character, letters_as_tokens, longest_copy, word_share,
)
from course_utils.wild.text import prose
from course_utils.wild.train import SIZE, has_checkpoint, load_checkpoint, new_decoder, train

import copy
import math
import time
from collections import Counter
from functools import partial

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
assert_close = partial(torch.testing.assert_close, rtol=1e-4, atol=1e-4)

# %% [markdown]
# The whole way of a text through the model, with shapes. B texts, T tokens, V tokens in the vocabulary:
#
# ```
#   tokens                                    (B, T)              whole numbers below V
#   a vector for each token and position      (B, T, d_model)     the residual stream begins
#   block:  stream + attention(norm(stream))  (B, T, d_model)     tokens look at earlier tokens
#           stream + MLP(norm(stream))        (B, T, d_model)     each token thinks for itself
#   ... more blocks ...
#   norm, and a logit for each token          (B, T, V)           which token comes next?
# ```
#
# **Takeaway.** Only the attention moves anything from one token to another. All else works on each token
# by itself.

# %% [markdown]
# ## 6.1 Predict
#
# Two questions before anything is built.

# %%
predict("share_of_attention_in_a_block")

# %%
predict("one_logit_apart_at_half_the_temperature")

# %% [markdown]
# ## 6.2 A text, and tokens made of pairs
#
# A model needs a text to learn from. Every Python brings one: the pages that `help()` shows. Nothing is
# downloaded. We keep the prose, and hold every tenth paragraph back: on these the model is measured, and it
# never learns from them. Manuals say many things twice, in nearly the same words. That would leak: so a
# paragraph is left out if it shares 30 characters in a row with one before it.

# %%
training_text, held_out_text = prose()
shared = longest_copy(held_out_text.splitlines(), training_text)
print(f"{len(training_text):,} characters to learn from, {len(held_out_text):,} held out; the longest run of "
      f"characters that stands in both is {shared!r}\n")
print(held_out_text[:300], "...")
assert len(shared) < 30

# %% [markdown]
# **What is a token?** It could be a character. Then a model spends its effort on spelling, and after a
# minute it writes no words. It could be a word. Then it cannot write a name it has never seen. Models use
# something between: **byte pairs**. Begin with single bytes. Find the pair of neighbours that occurs most
# often, make it one new token, and do it again.
#
# On paper: `ababc abc`, with letters for bytes.
#
# | step | tokens | most frequent pair |
# |---|---|---|
# | 0 | a b a b c   a b c | a b, 3 times |
# | 1 | ab ab c   ab c | ab c, twice |
# | 2 | ab abc   abc | |
#
# The same as the plainest loop. (The space is a border: pairs are counted within words only.)

# %%
words = [list("ababc"), list("abc")]
for step in range(2):
    pairs = Counter(pair for word in words for pair in zip(word, word[1:]))
    best, times = pairs.most_common(1)[0]
    words = [merge(word, best, "".join(best)) for word in words]
    print(f"{' '.join(best)!r:7} {times} times  ->  {words}")
assert words == [["ab", "abc"], ["abc"]]

# %% [markdown]
# `learn_merges` is this loop on the whole training text, with one trick for speed: after a merge, only the
# words that contain the pair are counted again. Tokens 0 to 255 are the bytes, so that any text has tokens.

# %%
start = time.perf_counter()
tokenizer = Tokenizer(learn_merges(training_text, SIZE.vocab - 256))
training, held_out = tokenizer.encode(training_text), tokenizer.encode(held_out_text)
print(f"{len(tokenizer)} tokens after {time.perf_counter() - start:.1f} s; the training text is "
      f"{len(training):,} tokens, {len(training_text) / len(training):.2f} characters each")
print("the first merges:", [tokenizer.decode([t]) for t in range(256, 272)])
print("the last merges: ", [tokenizer.decode([t]) for t in range(len(tokenizer) - 8, len(tokenizer))])
for text in ("The default argument", " unbelievable"):
    print([tokenizer.decode([token]) for token in tokenizer.encode(text)])
assert tokenizer.decode(held_out) == held_out_text

# %% [markdown]
# Frequent words are one token, with the space before them. Rare ones fall into pieces.
#
# **How good is a model?** Give it a text it has not seen, and ask at each place which chance it gave to the
# token that really came. A chance of 1/2 costs 1 **bit**, 1/4 costs 2, 1/1024 costs 10: `-log2(p)`. The fewer
# bits in all, the better the model.

# %%
predict("bits_of_a_long_token")

# %% [markdown]
# Divided by characters and not by tokens, models with different tokens can be compared. Here are two models
# that only count pairs, **bigrams**: how often did each character (or token) follow each other one?

# %%
(letters, held_letters), alphabet = letters_as_tokens(training_text, held_out_text)
rivals = {
    "pairs of characters": bigram_bits(letters, held_letters, alphabet, len(held_out_text)),
    "pairs of tokens": bigram_bits(training, held_out, len(tokenizer), len(held_out_text)),
}
for name, bits in rivals.items():
    print(f"{name:20} {bits:.2f} bits a character")

# %% [markdown]
# The second one is a strong rival: a token remembers several characters. But it sees one token back, and no
# further. Your attention looks back at all of them.

# %% [markdown]
# ## 6.3 The block
#
# A block has two halves. Each reads the residual stream through a norm, and **adds** what it finds:
#
# ```
#   x = x + attention(norm_1(x))          mixes tokens
#   x = x + down(gelu(up(norm_2(x))))     the MLP: wider, bent, narrow again, for each token alone
# ```
#
# - `nn.LayerNorm` moves the features of each token to mean 0 and variance 1, then scales and shifts each
#   feature by two learned numbers.
# - **GELU** is a bent line: `x` times the chance that a normal random number is below `x`. Without a bend,
#   `up` and `down` could be multiplied into one matrix.
# - The norm stands *before* each half, and nothing stands on the stream itself. This is called **pre-norm**,
#   and GPT-2 does it so. The first transformer had the norm after the sum, *post-norm*.
#
# ### Exercise: `DecoderBlock`
#
# The attention comes in ready-made: any module that is called and answers like your
# `MultiHeadAttentionWithCache`. The caches are its business. You pass them in, and hand on what comes out.

# %% nbgrader={"grade": false, "grade_id": "DecoderBlock", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock(nn.Module):
    """Attention and an MLP, each with a norm before it and a residual around it (pre-norm).

    attention:  a module that is called and answers as MultiHeadAttentionWithCache does:
                attention(x, cache_k, cache_v) -> (output, new_cache_k, new_cache_v)
    d_model:    features of a token
    d_hidden:   features between the two layers of the MLP

    Members: norm_1, norm_2 (nn.LayerNorm), attention (the module that comes in), up and down (nn.Linear with
    biases). The MLP's activation is the exact GELU, nn.functional.gelu as it is by default; its tanh formula
    is another function, up to 0.0005 away, which the check refuses.
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
# The easiest block to understand adds nothing. Set the last matrix of each half to zero, and the stream runs
# through untouched. Training starts near this point, and each half learns what to add.

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
# Now the decoder. `Decoder` stacks your blocks, with a table of token vectors and one of position vectors
# below, and a norm on top. The logits are made with the token table once more: a logit is the last vector
# times the vector of a token. (So GPT-2 does it; many later models have a second table.) Where are its
# numbers?

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
# The MLPs have twice as many weights as the attention: 8 D² in a block against 4 D², question A.
#
# The cache runs through all blocks: one `(keys, values)` for each. Reading in two pieces, with the cache of
# the first, gives the logits of one pass. **Close, not equal**, as in part 4:

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
# Somebody leaves the sums out: `x = attention(norm_1(x))`, then `x = down(gelu(up(norm_2(x))))`. Take twelve
# fresh blocks, and let random token vectors run through them.

# %%
predict("without_residuals")

# %%
def without_residual(block, x):
    attended = block.attention(block.norm_1(x))[0]                     # (B, T, d_model)
    return block.down(F.gelu(block.up(block.norm_2(attended))))        # (B, T, d_model)


def alike(x):
    """Mean cosine between the vectors of two tokens of the same text, each as it differs from feature to feature."""
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
# **Takeaway.** Attention averages. Without residuals, averages of averages are taken, and soon all tokens
# have the same vector: what they were is lost. The residual keeps each token's own vector on the stream.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.4 It speaks
#
# Training asks, for each place of a random piece of the text, for the next token, and changes all numbers a
# little so that the token that really came gets a better chance. The causal mask makes this cheap: one pass
# over 64 tokens answers 64 questions, and none can look at its answer. (What the optimizer does with the
# gradients is the same as in part 5.)
#
# A trained model lies beside the course. `TRAIN = True` trains one on this page, in about a minute on two
# cores that do nothing else. A notebook that runs alone, as in Colab, does not have the file, and trains.

# %%
TRAIN = not has_checkpoint()

# %%
if TRAIN:
    torch.set_num_threads(2)
    model = new_decoder(block_class, attention_class)
    wall, cpu = time.perf_counter(), time.process_time()
    losses = train(model, training)
    print(f"trained in {time.perf_counter() - wall:.0f} s; {time.process_time() - cpu:.0f} s of work on all cores")
    show(plot_losses({"this model": losses}))
    torch.set_num_threads(1)
else:
    model, tokenizer = load_checkpoint(block_class, attention_class)   # its vocabulary comes with it
    training, held_out = tokenizer.encode(training_text), tokenizer.encode(held_out_text)
    print("the course's trained model, on your block and your attention")

# %%
bits = {**rivals, "your decoder": bits_per_character(model, held_out, len(held_out_text))}
for name, number in bits.items():
    print(f"{name:20} {number:.2f} bits a character")
assert bits["your decoder"] < bits["pairs of tokens"]
assert bits["your decoder"] < bits["pairs of characters"] - 0.8

# %% [markdown]
# Was it luck? `experiments/decoder.py` trained it from 3 seeds. On held-out text they needed 1.74 to 1.75
# bits a character, against 1.78 for pairs of tokens and 3.50 for pairs of characters. At temperature 1.2,
# with the 50 likeliest tokens, 88% to 93% of the words that they wrote occur in the text, with longest
# copies of 28 characters. Each training took 29 to 31 s of work, on one thread.
#
# ### From logits to a token
#
# The model gives a logit to each token of the vocabulary. Which one is written? Three knobs, on paper, with
# logits 2, 1 and 0:
#
# | | p of token 0 | token 1 | token 2 |
# |---|---|---|---|
# | softmax as it is: **temperature** 1 | .665 | .245 | .090 |
# | logits divided by 0.5 first: temperature 0.5 | .867 | .117 | .016 |
# | temperature 1, but only the best two may be drawn: **top-k**, k = 2 | .731 | .269 | 0 |
#
# A low temperature makes the likely tokens likelier. Temperature 0 is its limit: always the largest logit,
# nothing is left to chance (*greedy*). Top-k cuts off the long tail of unlikely tokens: there are many of
# them, and together they would be drawn often.
#
# ### Exercise: `next_token_probabilities`

# %% nbgrader={"grade": false, "grade_id": "next_token_probabilities", "locked": false, "schema_version": 3, "solution": true, "task": false}
def next_token_probabilities(logits, temperature=1.0, top_k=None):
    """The probabilities from which the next token is drawn.

    logits:       (B, vocab)
    temperature:  the logits are divided by it; 0 gives probability 1 to the largest logit (to the first of
                  equals)
    top_k:        all but the k largest get probability exactly 0; None, or a number larger than the
                  vocabulary, leaves nothing out
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
# First the table from above. Then the model's own chances after a few words:

# %%
chances = yours("next_token_probabilities")
logits = torch.tensor([[2., 1., 0.]])                                  # (B, V)
assert_close(chances(logits), torch.tensor([[0.665, 0.245, 0.090]]), atol=0.001, rtol=0)
assert_close(chances(logits, 0.5), torch.tensor([[0.867, 0.117, 0.016]]), atol=0.001, rtol=0)
assert_close(chances(logits, top_k=2), torch.tensor([[0.731, 0.269, 0.]]), atol=0.001, rtol=0)

prompt = "The return value of the"
with torch.no_grad():
    logits = model(torch.tensor([tokenizer.encode(prompt)]))[0][:, -1]             # (B, V)
best = logits[0].topk(8).indices
table = {
    f"temperature {t}": {repr(tokenizer.decode([token]))[1:-1]: chances(logits, t)[0, token].item() for token in best}
    for t in (0, 0.5, 1, 2)
}
show(plot_table(table))

# %% [markdown]
# **Takeaway.** Each row is the same eight logits at another temperature. Temperature changes how often a
# token is drawn, never which one is the likeliest.
#
# ### Exercise: `generate`
#
# Now the loop that writes. The prompt is read once, in one call: the prefill. After that, each call reads one
# token, the newest, with the cache of the call before: decode.

# %% nbgrader={"grade": false, "grade_id": "generate", "locked": false, "schema_version": 3, "solution": true, "task": false}
def generate(model, tokens, max_new_tokens, choose):
    """Let a model go on with a prompt.

    model:   model(tokens (B, T), cache=None) -> (logits (B, T, vocab), cache); with a cache it wants only the
             tokens that it has not read yet. What the cache is made of is the model's business.
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
    """Continue each of the texts, which have equally many tokens."""
    g = torch.Generator().manual_seed(seed)

    def choose(logits):                                                # (B, V) -> (B,)
        return torch.multinomial(chances(logits, temperature, top_k), 1, generator=g)[:, 0]

    prompts = torch.tensor([tokenizer.encode(text) for text in texts])             # (B, T)
    with torch.no_grad():
        return [tokenizer.decode(row) for row in yours_generate(model, prompts, new_tokens, choose).tolist()]


yours_generate = yours("generate")
for temperature in (0, 0.7, 1.5):
    print(f"--- temperature {temperature}")
    print(*write(model, [prompt], 45, temperature), sep="\n")

# %% [markdown]
# It has read one manual, for a minute. It has learned words, and which ones stand beside each other in such
# sentences. It does not know what they mean. At temperature 0 it soon walks in circles: what it wrote makes the
# same words likely again, and no chance leads out.
#
# Two numbers say more than one sample. How many of the words (of four letters and more) occur in the text it
# learned from? And how long is the longest piece that stands in that text as it is? Twenty beginnings of a
# paragraph at each temperature, with the 50 likeliest tokens to choose from:

# %%
judged = {}
for temperature in (0.5, 1.2, 2):
    samples = write(model, ["\n"] * 20, 60, temperature, top_k=50)
    share, copied = word_share(samples, training_text), longest_copy(samples, training_text)
    judged[temperature] = share, len(copied)
    print(f"temperature {temperature}: {share:.0%} of the words are real, longest copy {len(copied):2}: {copied!r}")
assert judged[1.2][0] > 0.8

# %% [markdown]
# A low temperature gives real words, and longer pieces of what was read. A high one invents words and sentences.
# Where to stand between them is a choice, and no loss tells it.

# %% [markdown]
# <!-- end of a sitting -->

# %% [markdown]
# ## 6.5 Several prompts at once
#
# First, what does the cache buy in the whole decoder? Count multiply-adds, as in 4.5: a block has 12 D² for
# each new token, and 2 D for each key that it meets; the logits have V D for each new token.

# %%
def multiply_adds(T_q, T_k, size):
    D = size.d_model
    return size.num_blocks * (12 * T_q * D * D + 2 * T_q * T_k * D) + T_q * size.vocab * D


T = SIZE.context
without = sum(multiply_adds(t, t, SIZE) for t in range(1, T + 1))      # everything again for every token
cached = sum(multiply_adds(1, t, SIZE) for t in range(1, T + 1))       # one token, t keys
print(f"{T} tokens: {without:,} multiply-adds without a cache, {cached:,} with it: {without / cached:.0f} times fewer")
assert without > 30 * cached

# %%
def no_cache(model):
    """The same model, called by `generate` in the same way, that reads everything again in each call."""
    read = []

    def forgetful(tokens, cache=None):
        read.append(tokens)
        return model(torch.cat(read, dim=1))[0], cache                 # (B, T_so_far, V)

    return forgetful


greedy = lambda logits: logits.argmax(-1)                              # (B, V) -> (B,)
prompts = torch.tensor([tokenizer.encode("\n")] * 16)                  # (B, T) = (16, 1)
results = {}
with torch.no_grad():
    for name, way in (("without a cache", no_cache(model)), ("with your cache", model)):
        start = time.perf_counter()
        results[name] = yours_generate(way, prompts, T - 1, greedy)    # (B, T)
        print(f"{name}: {16 * (T - 1) / (time.perf_counter() - start):6.0f} tokens a second, 16 texts at once")
assert torch.equal(*results.values())

# %% [markdown]
# The texts are the same. The clock gains less than the count, because small steps are mostly Python and
# reading of weights, as in 4.5.
#
# Now prompts of different lengths. To be one batch they are padded to the same width. On which side? `generate`
# takes the logits of the **last** column, and appends behind it. So the prompts must end together, and the
# padding goes to the **left**.

# %%
texts = ["A function is", "The return value of the", "If"]
rows = [tokenizer.encode(text) for text in texts]
lengths = torch.tensor([len(row) for row in rows])                     # (B,)
width = int(lengths.max())
PAD = 0                                                                # a byte that no text contains
padded = torch.tensor([[PAD] * (width - len(row)) + row for row in rows])          # (B, width)
for row in padded:
    print(" ".join(f"{'·' if t == PAD else tokenizer.decode([t]).replace(' ', '_'):>8}" for t in row.tolist()))

# %%
predict("position_behind_left_padding")

# %% [markdown]
# ### Exercise: `left_padded_positions`
#
# A prompt begins at position 0, wherever its first token stands. What the padding gets is never read, as
# long as it is a position that exists: 0.

# %% nbgrader={"grade": false, "grade_id": "left_padded_positions", "locked": false, "schema_version": 3, "solution": true, "task": false}
def left_padded_positions(lengths, max_len):
    """The position of every place in rows that are padded on the left.

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
# And the mask? Padding must never be a key (part 1, and 4.10). **Your `MultiHeadAttentionWithCache` has no
# argument for that.** So for serving we take its four layers, which hold all that was learned, and put
# another path between them. Two more of your parts find their use: `masked_softmax`, since the rows of the
# padding have no open key, and `StaticKVCache`, which reserves the room for the whole text once.

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
# The test that counts: each text of the batch must go on as it does alone.

# %%
new_tokens = 24
with torch.no_grad():
    alone = [yours_generate(model, torch.tensor([row]), new_tokens, greedy)[0] for row in rows]    # (T,) each
    logits, _ = serving(model, lengths, width, width)(padded)                      # (B, width, V)
    together = yours_generate(serving(model, lengths, width, width + new_tokens), padded, new_tokens, greedy)
    for b, row in enumerate(rows):
        by_itself = model(torch.tensor([row]))[0]                                  # (1, T, V)
        difference = (logits[b, -len(row):] - by_itself[0]).abs().max()
        print(f"logits differ by at most {difference:.1e}   {tokenizer.decode(together[b, -len(row) - new_tokens:].tolist())!r}")
        assert difference < 1e-3
        assert torch.equal(together[b, -len(row) - new_tokens:], alone[b])

# %% [markdown]
# **Break it.** The same batch without any of this: padding is read like a text, and counted in the positions.

# %%
with torch.no_grad():
    careless = model(padded)[0]                                                    # (B, width, V)
    for b, row in enumerate(rows):
        right = model(torch.tensor([row]))[0][0, -1].log_softmax(-1)               # (V,)
        wrong = careless[b, -1].log_softmax(-1)                                    # (V,)
        moved = (right.exp() - wrong.exp()).abs().sum() / 2
        print(f"{width - len(row)} places of padding: {moved:.0%} of the probability lies on other tokens")
        assert (moved < 0.001) == (len(row) == width)

# %% [markdown]
# **Takeaway.** The longest prompt is right, the padded ones are silently wrong: nothing fails, no shape is
# off, and the text still reads well. A batch is tested by comparing each row with the same text alone.

# %% [markdown]
# ## 6.6 Annotate the shapes
#
# A decoder with 3 blocks, d_model = 24, H = 4 and a vocabulary of 50. Two texts, 10 tokens cached in each, and
# 5 arrive, so `tokens` is (2, 5). Which shape has each of these?

# %%
predict("decoder_shape_of_logits")

# %%
predict("decoder_shape_of_one_cache")

# %%
predict("decoder_shape_of_the_wide_layer")

# %% [markdown]
# **Sketch it.** Close the notebook. Draw one block as a vertical line, the residual stream, with two boxes
# beside it. Where do the arrows leave the line, where do they come back, and where do the two norms stand?

# %% [markdown]
# ## 6.7 Recall
#
# Questions as an interviewer asks them. Answer aloud, in two sentences, before you choose an answer.

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
# ## 6.8 From memory
#
# No hints, no scrolling. The block once more:

# %% nbgrader={"grade": false, "grade_id": "DecoderBlock_from_memory", "locked": false, "schema_version": 3, "solution": true, "task": false}
class DecoderBlock_from_memory(nn.Module):
    """norm_1, attention (it comes in), norm_2, up, down; the caches pass through."""

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
# If that went well: `generate`, in a new cell, and `check` below it.
#
# ## Next
#
# **Part 7** is about what models of today do in another way: positions that turn, windows that slide, caches
# in pages, and keys that are never stored. Open `07_today.ipynb`.

# %%
progress()
