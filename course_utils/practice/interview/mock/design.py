"""The questions about design and cost, for ten minutes with paper. Every number in an answer is computed
here, with serving.py, from published sizes."""

from .item import Item, by_name
from .serving import (
    A100,
    GB,
    GIB,
    KIB,
    LLAMA_2_7B,
    LLAMA_3_8B,
    LLAMA_3_70B,
    MS,
    TWO_BYTES,
    step_seconds,
    texts_beside_weights,
)

SILENT = "after a minute of silence"
NO_NUMBERS = "if no number has come after three minutes"
ONE_SIDED = "if only one of memory, bandwidth and arithmetic has come up"
SENIOR = ("senior",)


def users_of_a_70b():
    """100 users with 32k tokens each: what limits, and how many GPUs."""
    model, users, tokens, gpus, used = LLAMA_3_70B, 100, 32 * 1024, 8, 0.9
    weights, each = TWO_BYTES * model.parameters, tokens * model.cache_per_token()
    fit = texts_beside_weights(model, tokens, machines=gpus, used=used)
    replicas = -(-users // fit)
    here = -(-users // replicas)
    step = step_seconds(model, here, tokens, machines=gpus)
    alone = step_seconds(model, 0, 0, machines=gpus)
    prefill = model.prefill_operations(tokens)
    half = prefill / (gpus * A100.operations * 0.5)
    return Item(
        "users_of_a_70b",
        "100 users of a 70B model",
        f"Serve a 70B model (80 layers, 64 query heads, 8 kv heads of 128 features, bfloat16) to {users} "
        "users at a time, with contexts of 32k tokens. GPUs have 80 GB and read 2 TB a second. What "
        "limits you, and what do you buy?",
        f"Weights: {model.parameters / 1e9:.1f} billion times 2 bytes are {weights / GB:.0f} GB. Cache of "
        f"a token: 2 * 80 * 8 * 128 * 2 bytes are {model.cache_per_token() / KIB:.0f} KiB; of 32,768 "
        f"tokens {each / GIB:.0f} GiB; of {users} users {users * each / GB:,.0f} GB, "
        f"{users * each / weights:.1f} times the weights. So the caches are the limit.\nOne replica on "
        f"{gpus} GPUs has {100 * used:.0f} % of 640 GB, less the weights: room for {fit} users, so "
        f"{replicas} replicas, {replicas * gpus} GPUs. With {here} users a replica, a step reads weights "
        f"and caches, at least {step * MS:.0f} ms ({alone * MS:.1f} ms of it the weights): at most "
        f"{1 / step:.0f} tokens a second for each user. Arithmetic waits.\nPrefill is the other way round: "
        f"a full context takes {prefill / 1e15:.1f} · 10¹⁵ operations, {half:.1f} s on {gpus} GPUs at "
        "half their speed.\nThe first thing to ask is whether all users really hold 32k: if the mean is "
        "8k, paged caches fit four times as many. Then: an 8-bit cache halves it, shared beginnings are "
        "held once; both have a price in quality or in bookkeeping.",
        (
            f"weights {weights / GB:.0f} GB, cache 320 KiB a token, 10 GiB a user",
            f"the caches, {users * each / GB / 1000:.1f} TB, are the limit: capacity, then bandwidth",
            f"{replicas} replicas of {gpus} GPUs, or another count with its reasons",
            f"a step of about {step * MS:.0f} ms, as all caches are read",
            "asks for the real lengths; paging, fewer bits, shared beginnings",
            "prefill is a cost of its own: seconds for a full context",
        ),
        (
            (
                "And with 64 kv heads?",
                f"Eight times the cache: {8 * each / GIB:.0f} GiB a user. That is why such models share "
                "heads.",
            ),
            (
                "Why eight GPUs to a replica and not sixteen?",
                "8 kv heads split evenly over 8. Over 16 each would be held twice, and the sums of every "
                "layer cross a slower link.",
            ),
            (
                "A user waits for the first token while others write. What do you do?",
                "Cut the prefill into chunks that run with decode steps, or do it on GPUs of its own.",
            ),
        ),
        (
            (SILENT, "What has to be in memory, for the model and for each user?"),
            (NO_NUMBERS, "How many bytes does one token leave in the cache?"),
            (ONE_SIDED, "It fits. How long does a step take now?"),
        ),
        "07, section 7.7 (The arithmetic that interviews ask for)",
        SENIOR,
    )


def one_long_context():
    """An 8B model, 128k tokens, 20 ms a token on one GPU."""
    model, tokens, budget = LLAMA_3_8B, 128 * 1024, 20
    one, two = (step_seconds(model, n, tokens) * MS for n in (1, 2))
    weights, cache = TWO_BYTES * model.multiplied, tokens * model.cache_per_token()
    return Item(
        "one_long_context",
        "20 ms a token at 128k",
        "An 8B model (32 layers, 8 kv heads of 128 features, bfloat16) on one GPU with 80 GB and 2 TB a "
        f"second. The product promises {budget} ms a token with 128k tokens of context. For how many users "
        "at a time does it hold?",
        f"A step reads the weights, {weights / GB:.0f} GB without the embedding, and each user's cache: "
        f"128 KiB a token, {cache / GIB:.0f} GiB or {cache / GB:.1f} GB for 131,072.\nOne user: at least "
        f"{one:.1f} ms; two: {two:.1f} ms. So it holds for one user, with little to spare, although the "
        f"memory has room for {texts_beside_weights(model, tokens)}: bandwidth limits before capacity "
        f"does.\nAn 8-bit cache makes a step for two {(weights + cache) / A100.bandwidth * MS:.1f} ms, "
        f"which holds; 8-bit weights alone give {(weights / 2 + 2 * cache) / A100.bandwidth * MS:.1f} ms "
        "for two. Two GPUs halve what each reads. A window bounds the cache, and forgets. These are lower "
        "bounds: a real step reaches perhaps 70 to 80 % of the bandwidth, so even one user has to be "
        "measured.",
        (
            f"weights {weights / GB:.0f} GB and cache {cache / GB:.0f} GB are both read in each step",
            f"one user about {one:.0f} ms, two about {two:.0f} ms",
            "bandwidth limits, not capacity",
            "fewer bits in the cache help more than in the weights, for two users",
            "says that it is a lower bound",
        ),
        (
            (
                "Would a GPU with twice the arithmetic help?",
                "Not decode: it waits for memory. Prefill would be faster.",
            ),
            (
                "And speculative decoding?",
                "Several proposed tokens are checked in one step that reads all once: more tokens for "
                "each reading, if proposals are often right.",
            ),
        ),
        (
            (SILENT, "What is read from memory for one new token?"),
            (NO_NUMBERS, "How many bytes has a cache of 131,072 tokens?"),
            (ONE_SIDED, "Does a second user fit into memory? And into 20 ms?"),
        ),
        "07, section 7.7 (The arithmetic that interviews ask for)",
        SENIOR,
    )


def a_quarter_of_the_cache():
    """Four ways to a smaller cache, with their prices."""
    model, window, tokens = LLAMA_2_7B, 4096, 32 * 1024
    kib = model.cache_per_token() / KIB
    grouped, eight_bits = model.cache_per_token(kv_heads=8) / KIB, model.cache_per_token(1) / KIB
    latent = model.layers * (512 + 64) * TWO_BYTES / KIB
    return Item(
        "a_quarter_of_the_cache",
        "A quarter of the cache",
        "A 7B model (32 layers, 32 heads of 128 features, no shared kv heads, bfloat16) is to hold four "
        "times as many texts of 32k tokens in the same memory for caches. Which ways are there, how much "
        "does each bring, and what is its price?",
        f"It keeps 2 * 32 * 32 * 128 * 2 bytes, {kib:.0f} KiB a token.\n8 kv heads: {grouped:.0f} KiB, a "
        f"factor of {kib / grouped:.0f}, but the model has to be trained or converted and trained on. "
        f"8-bit values: {eight_bits:.0f} KiB, a factor of {kib / eight_bits:.0f}, no training, errors to "
        f"be measured; 4 bits give 4.\nA window of 4096 tokens: a factor of {tokens // window} at 32k, "
        "constant beyond, and nothing older is read directly; layers with and without a window can "
        f"alternate.\nA latent of 512 and 64 turned features a layer: {latent:.0f} KiB, a factor of "
        f"{kib / latent:.0f}, a new architecture.\nWithout touching the model: paging, if texts are shorter "
        "than what is reserved, and shared beginnings.\nI measure first how full the reserved memory is; "
        "then 8 bits and paging, as they need no training; grouped queries with the next model.",
        (
            f"{kib:.0f} KiB a token today",
            "grouped queries: 4, needs training",
            "8 bits: 2, 4 bits: 4, errors to be measured",
            "a window: bounded, and what is older is not read",
            "paging and sharing change no number of the model",
            "an order: what can be done tomorrow, what with the next model",
        ),
        (
            (
                "Which of these make a step of decoding faster?",
                "All that shrink what is read: heads, bits, window, latent. Paging only makes room.",
            ),
            (
                "How would you measure the price of 8 bits?",
                "The loss on long texts and tasks that look far back, against the same model with 16; "
                "single outputs differ anyway.",
            ),
        ),
        (
            (SILENT, "Write the product that makes the bytes of a token. Which factors can shrink?"),
            (NO_NUMBERS, "What is each factor worth?"),
            (
                "if quality has not come up",
                "Which of these can be switched on without training, and what could go wrong?",
            ),
        ),
        "04, section 4.8 (Fewer heads to keep: grouped queries)",
        SENIOR,
    )


def where_time_goes():
    """8192 tokens in, 500 out, on one GPU."""
    model, tokens, new = LLAMA_3_8B, 8192, 500
    prefill = model.prefill_operations(tokens) / A100.operations
    step = step_seconds(model, 1, tokens)
    many = step_seconds(model, 32, tokens)
    share = new * step / (new * step + prefill)
    weights, cache = TWO_BYTES * model.multiplied, tokens * model.cache_per_token()
    return Item(
        "where_time_goes",
        "Where the time of a request goes",
        "An 8B model (32 layers, width 4096, 8 kv heads of 128 features, bfloat16) on one GPU: 312 * "
        f"10^12 operations and 2.039 · 10¹² bytes a second. A request brings {tokens} tokens and wants "
        f"{new}. How long does each phase take at best, and what would you improve first?",
        f"Prefill: 2 operations for each of {model.multiplied / 1e9:.1f} billion weights and {tokens} "
        f"tokens, and causal attention on top, together {model.prefill_operations(tokens) / 1e12:.0f} * "
        f"10^12: {prefill:.2f} s at full speed.\nDecode: a step reads {weights / GB:.0f} GB of weights and "
        f"{cache / GB:.1f} GB of cache, {step * MS:.1f} ms, so {new} steps take {new * step:.1f} s: "
        f"{100 * share:.0f} % of the time.\nDecode waits for memory, and nearly all that it reads are "
        "weights: so other requests should decode in the same step. With 32 of them a step takes "
        f"{many * MS:.0f} ms, {many / step:.0f} times as long, for {32 / many:,.0f} tokens a second in "
        f"place of {1 / step:.0f}. The caches are then {100 * 32 * cache / (weights + 32 * cache):.0f} % "
        "of what is read.\nFor one user alone: 8-bit weights, or speculative decoding.",
        (
            f"prefill about {prefill:.1f} s, compute-bound",
            f"a step about {step * MS:.0f} ms, memory-bound; {new * step:.0f} s in all",
            "most of the time is decode: batch it",
            "with a batch the caches become the larger part",
            "says that these are lower bounds",
        ),
        (
            (
                "Half of the requests share a beginning of 6000 tokens. What changes?",
                "Its keys and values are computed once and held once: prefill shrinks, and there is room "
                "for more texts.",
            ),
            (
                "Which number does the user notice first?",
                "The time to the first token: waiting in line and prefill. Then the time between tokens.",
            ),
        ),
        (
            (SILENT, "Take the two phases apart: what does each wait for?"),
            (NO_NUMBERS, "How many bytes does one step read?"),
            (ONE_SIDED, "What if 32 requests decode together?"),
        ),
        "07, section 7.7 (The arithmetic that interviews ask for)",
        SENIOR,
    )


def reserved_or_paged():
    """How many texts fit when room for the longest is reserved, and when it is handed out in blocks."""
    model, longest, mean, block = LLAMA_3_8B, 8192, 1000, 16
    token = model.cache_per_token()
    blocks = -(-mean // block)
    free = 0.9 * A100.memory - TWO_BYTES * model.parameters
    reserved, paged = int(free // (longest * token)), int(free // (blocks * block * token))
    return Item(
        "reserved_or_paged",
        "Reserved or paged",
        "An 8B model (32 layers, 8 kv heads of 128 features, bfloat16) on a GPU with 80 GB, of which 90 % "
        f"may be used. Texts have at most {longest} tokens and {mean} on average. How many fit if each "
        f"reserves the longest, how many with blocks of {block} tokens? What else changes?",
        f"{0.9 * A100.memory / GB:.0f} GB less {TWO_BYTES * model.parameters / GB:.0f} GB of weights leave "
        f"{free / GB:.0f} GB.\nA token takes {token / KIB:.0f} KiB, {longest} tokens "
        f"{longest * token / GIB:.0f} GiB: {reserved} texts.\nWith blocks a text of {mean} tokens takes "
        f"{blocks} blocks, {blocks * block} tokens or {blocks * block * token / 1e6:.0f} MB: {paged} "
        f"texts, {paged / reserved:.0f} times as many. The last block is partly empty, about half of it. "
        "The price: a table for each text, reads that jump from block to block, and a rule for the moment "
        "in which no block is free, as nobody knows how long a text gets: let new ones wait, put one "
        "aside and compute it again, or move its cache out.\nIn return, texts that begin alike can share "
        "blocks. And with so many texts a step reads more caches: it gets slower for each user, so "
        "admission has a limit in time too.",
        (
            f"about {free / GB:.0f} GB for caches, {token / KIB:.0f} KiB a token",
            f"{reserved} against about {paged}",
            "waste is half a block a text",
            "what happens when blocks run out",
            "more texts make each step slower",
        ),
        (
            (
                "A step with all of them: how long?",
                f"It reads weights and {paged} caches of {mean} tokens, at least "
                f"{step_seconds(model, paged, mean) * MS:.0f} ms on an A100 (2.039 · 10¹² bytes a second).",
            ),
            (
                "Blocks of 1 token, or of 512?",
                "1 wastes nothing and has long tables and small reads; 512 wastes about 256 a text, a "
                "quarter here.",
            ),
        ),
        (
            (SILENT, "How many bytes has one token, and one text?"),
            (NO_NUMBERS, "What is left of 80 GB beside the weights?"),
            (
                "if only the advantage has come up",
                "All blocks are taken and every text wants another one. Now?",
            ),
        ),
        "07, section 7.5 (Paged caches: blocks and tables)",
        SENIOR,
    )


DESIGN = by_name(
    users_of_a_70b(),
    one_long_context(),
    a_quarter_of_the_cache(),
    where_time_goes(),
    reserved_or_paged(),
)
