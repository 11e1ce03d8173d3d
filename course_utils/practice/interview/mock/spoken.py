"""The questions of the warm-up: each is answered aloud in about two minutes."""

from .item import Item, by_name

SILENT = "after half a minute of silence"
VAGUE = "if only words come, and no shapes"
ANY = ("intern", "new_graduate")
SPOKEN = by_name(
    Item(
        "what_attention_computes",
        "What attention computes",
        "What does attention compute? Two or three sentences, for somebody who knows matrices and has never "
        "heard of it.",
        "Each token makes a query, a key and a value. The scores are the products of every query with every "
        "key; a softmax makes weights of each query's row, which are positive and sum to 1. The output of a "
        "token is the mean of all values with these weights. So each token collects from others, and the "
        "weights depend on what the tokens are.",
        (
            "queries, keys and values are made of the tokens, by learned matrices",
            "a score for each pair of query and key",
            "softmax over the keys: each row sums to 1",
            "the output is a weighted mean of values",
        ),
        (
            (
                "What would the output be if all scores were equal?",
                "The plain mean of all values that are not masked.",
            ),
            (
                "And without the softmax?",
                "A linear mix whose weights may be negative and of any size; with it, it is a mean.",
            ),
        ),
        ((SILENT, "Say what comes out for one token, and work backwards."), (VAGUE, "Take T = 3 and d = 2.")),
        "01, section 1.2 (On paper: three tokens, two features)",
        ("intern",),
    ),
    Item(
        "rows_and_columns",
        "Rows and columns",
        "You have the table of attention weights of one head. What is a row, what is a column, and what "
        "sums to 1?",
        "Row i belongs to query i: how much it takes from each key. Column j belongs to key j: how much "
        "everybody takes from it. The softmax runs along the keys, so each row sums to 1; a column sums "
        "to anything from 0 to T. In a causal head everything above the diagonal is 0, and the first row "
        "is 1, 0, 0 and so on.",
        (
            "rows are queries, columns are keys",
            "rows sum to 1, as the softmax runs over keys",
            "columns need not sum to anything",
            "causal: the upper triangle is 0",
        ),
        (
            (
                "What does the first row of a causal head look like?",
                "A 1 and then zeros: it sees only itself.",
            ),
            (
                "Somebody took the softmax over the queries. Which test finds it?",
                "That rows sum to 1; columns do in that program. The shapes do not show it.",
            ),
        ),
        ((SILENT, "Which axis does the softmax run over?"),),
        "01, section 1.6 (The mask meets the scores)",
        ("intern",),
    ),
    Item(
        "why_causal",
        "Why a causal mask",
        "In training all tokens of the text are known. Why is the future hidden all the same, and where "
        "in the computation?",
        "The model learns to predict each next token. If position t saw token t + 1, it could copy the "
        "answer, and would have learned nothing that helps when text is made, where t + 1 does not exist "
        "yet. The mask is put on the scores, before the softmax: what is hidden becomes minus infinity "
        "and gets weight 0, and the rest of the row still sums to 1. One pass then trains all T "
        "predictions at once.",
        (
            "otherwise the answer can be copied",
            "generation has no future to look at: training has to match it",
            "before the softmax, with minus infinity",
            "all positions are trained in one pass",
        ),
        (
            (
                "Why not multiply the weights by 0 after the softmax?",
                "Rows no longer sum to 1, and the hidden scores still stand in the denominator: the "
                "future leaks.",
            ),
            (
                "Does a token see itself?",
                "Yes: its own token is the newest thing known; the first row would be empty otherwise.",
            ),
        ),
        ((SILENT, "What could position 3 do, if it saw token 4?"),),
        "01, section 1.5 (The causal mask)",
        ANY,
    ),
    Item(
        "softmax_and_shift",
        "A softmax that does not overflow",
        "What happens to a softmax if you add 1000 to all its entries, on paper and in float32?",
        "On paper nothing: the common factor e^1000 is in every exponential and in their sum, and "
        "cancels. In float32, exp of more than about 88 is infinite, and infinite by infinite is NaN. So "
        "one subtracts the largest entry first: the result is the same, the largest exponential is 1, and "
        "no sum is 0.",
        (
            "the shift cancels",
            "exp overflows in float32 (at about 88), and NaN follows",
            "subtract the maximum of the row",
            "then the sum is at least 1",
        ),
        (
            (
                "And if all entries of a row are minus infinity?",
                "The maximum is minus infinity too, and the difference NaN. Such rows need a rule of "
                "their own.",
            ),
            (
                "Why is a very negative entry no trouble?",
                "Its exponential becomes 0, which is right to within rounding.",
            ),
        ),
        ((SILENT, "Write the quotient and pull the factor out."),),
        "01, section 1.4 (Softmax, and why it needs its maximum)",
        ANY,
    ),
    Item(
        "shapes_of_a_layer",
        "The shapes of one layer",
        "Walk through one layer of multi-head self-attention by shapes alone: from (B, T, D) back to (B, "
        "T, D), with H heads.",
        "x is (B, T, D). Three projections give queries, keys and values, (B, T, D) each. Split the "
        "features and move the heads forward: (B, H, T, D / H). Queries times keys transposed: scores (B, "
        "H, T, T), divided by the root of D / H, masked, softmax over the last axis. Times values: (B, H, "
        "T, D / H). Heads back beside the features, (B, T, H, D / H), merged to (B, T, D), and the output "
        "projection keeps that.",
        (
            "(B, T, D) to (B, H, T, d_head), by a split and a transpose",
            "scores (B, H, T, T), softmax over the last axis",
            "the merge is transpose, then reshape",
            "an output projection at the end",
        ),
        (
            (
                "Why not reshape (B, T, D) to (B, H, T, d_head) at once?",
                "The shape fits, and the numbers are from other tokens: the memory runs T first.",
            ),
            ("Where are the parameters?", "In four D x D matrices, whatever H is: 4 * D * D."),
        ),
        ((SILENT, "What is the shape of the scores?"),),
        "02, section 2.10 (All heads at once)",
        ANY,
    ),
    Item(
        "why_several_heads",
        "Why several heads",
        "Why several small heads and not one wide one? What does it cost?",
        "A head makes one set of weights for each query, so one mean. With several, a token can collect "
        "different things from different places at once, and the output projection mixes them. The cost "
        "of the products is the same, as H heads have D / H features each; so are the parameters, 4 * D * "
        "D. What grows is the table of weights, H * T * T, and each head's scores have a rank of at most "
        "D / H.",
        (
            "one softmax is one pattern: several patterns at once",
            "same parameters and multiply-adds",
            "H * T * T weights",
            "too many heads: d_head becomes small, and so the rank of the scores",
        ),
        (
            (
                "Two heads learned the same. What is lost?",
                "One could be removed and W_O adjusted; the output can stay the same.",
            ),
            (
                "What does W_O do for the heads?",
                "Without it each head writes only into its own features; it adds the heads up as a mix.",
            ),
        ),
        ((SILENT, "How many means of values can one head give for a token?"),),
        "05, section 5.8 (Why several heads?)",
        ANY,
    ),
    Item(
        "why_the_root",
        "Why the scores are divided",
        "Scores are divided by the root of d_head. By what argument, and what happens if one forgets it?",
        "If the entries of q and k are independent with variance 1, their product is a sum of d_head "
        "terms and has variance d_head. Dividing by the root brings it back to 1, whatever the head's "
        "size. Without it the softmax is nearly one-hot from the start: its gradient is nearly 0, and the "
        "row learns slowly. The root of D would be wrong: the sum has d_head terms, not D.",
        (
            "variance of a product of d_head terms is d_head",
            "independent, variance 1: the assumption is said",
            "without it the softmax saturates, gradients vanish",
            "d_head and not D",
        ),
        (
            (
                "After training the entries are not independent. Does the argument still hold?",
                "It is about the start: the scale of W_Q and W_K is learned afterwards.",
            ),
        ),
        ((SILENT, "What is the variance of a sum of d independent terms?"),),
        "02, section 2.8 (Why √d_head)",
        ("new_graduate",),
    ),
    Item(
        "how_to_test_it",
        "How to test an attention layer",
        "You wrote an attention layer, and the loss goes down. How do you know that it is right?",
        "A falling loss says little: a leak from the future makes it fall faster. Compare with a slow "
        "loop, or with a library with the same weights, to within rounding. Change a later token and see "
        "that earlier outputs stay: that is causality. Uneven sizes, all different, so that a wrong axis "
        "cannot hide. Edges: one token, a row with everything masked, padding against the sentence alone. "
        "Rows of the weights sum to 1.",
        (
            "the loss is no proof, and a leak lowers it",
            "an independent reference, with a tolerance",
            "perturb the future",
            "uneven sizes, one token, padding",
        ),
        (
            (
                "B = T = 4 in your test. What may go unnoticed?",
                "A mask of the wrong rank or axis broadcasts anyway, as the sizes agree.",
            ),
            (
                "How exact can the comparison be?",
                "To rounding: other orders of summing differ by some 1e-7 in float32. So allclose, not "
                "equal.",
            ),
        ),
        ((SILENT, "Which mistake would make the loss fall faster?"),),
        "03, section 3.8 (Is it causal? Perturb the future)",
        ("new_graduate", "senior"),
    ),
    Item(
        "training_and_decoding",
        "Parallel training, one token at a time after it",
        "Training reads all positions at once, generation makes one token at a time. Why do they give the "
        "same numbers, and what can be kept from step to step?",
        "Under a causal mask the output at position t depends on tokens up to t only. So what was "
        "computed for them stays right when a token is added: their keys and values can be kept. The new "
        "token brings one query, which meets all keys kept and its own. Queries of earlier tokens are not "
        "needed again. The numbers agree to rounding, not to the bit, as sums are taken in another order.",
        (
            "causal: earlier outputs do not change",
            "keep keys and values, not queries",
            "one query against all keys",
            "equal up to rounding",
        ),
        (
            (
                "What does the mask of that one query look like?",
                "It is empty: all keys are at its position or before. Only a chunk of several needs one.",
            ),
            (
                "Would it work without a causal mask?",
                "No: every new token would change the outputs, and so the keys of later layers, of all "
                "earlier ones.",
            ),
        ),
        ((SILENT, "A token is added. Which earlier outputs change?"),),
        "04, section 4.4 (The layer that remembers)",
        ("new_graduate", "senior"),
    ),
    Item(
        "request_to_first_token",
        "From a request to its first token",
        "A request with 4000 tokens arrives at a server. What happens until the first token comes back, "
        "and what after it? What is each phase waiting for?",
        "Prefill: all 4000 tokens go through the model in one pass or a few chunks; their keys and values "
        "fill the cache, and the last position's logits give the first token. Each weight that is read "
        "serves 4000 tokens, so arithmetic is the limit. Then decode: one token a step, and each step "
        "reads all weights and the whole cache for it, so memory bandwidth is the limit. Several requests "
        "share the reading of weights, not that of caches.",
        (
            "prefill: one pass, fills the cache, compute-bound",
            "decode: one token a step, memory-bound",
            "weights are shared by a batch, caches are not",
            "time to first token and time per token are different numbers",
        ),
        (
            (
                "A long prefill arrives while others decode. What do they notice?",
                "Their next tokens wait. So prefill is cut into chunks and mixed with decode steps, or "
                "done on other GPUs.",
            ),
            (
                "Does a larger batch make decode cheaper for ever?",
                "For the weights, until arithmetic limits. The caches are read for each text: long "
                "contexts gain little.",
            ),
        ),
        ((SILENT, "How often is each weight read for the 4000 tokens?"),),
        "04, section 4.9 (Prefill is busy, decode waits)",
        ("senior",),
    ),
    Item(
        "is_flash_an_approximation",
        "What a fused attention saves",
        "A colleague says: FlashAttention is faster because it approximates attention and does fewer "
        "operations. What do you answer?",
        "Neither. It computes the same result up to rounding, with as many multiply-adds or a few more. "
        "What it saves is traffic: keys and values are read in blocks, scores live in fast memory only, "
        "and a running maximum and sum make the softmax exact without the whole row. The (T, T) table is "
        "never written. So memory is linear in T, and the time falls because the plain version waits for "
        "memory.",
        (
            "exact up to rounding",
            "operations are not fewer",
            "less traffic: the table of scores is never stored",
            "online softmax: running maximum and sum, rescaled",
        ),
        (
            (
                "And the backward pass?",
                "It keeps one number a row (the log of the sum) and computes the scores again, block by "
                "block.",
            ),
            (
                "How much does it bring for one token of decode?",
                "Little by that: the scores are one row. There it helps to split the keys among processors.",
            ),
        ),
        ((SILENT, "How large is the table of scores for 32 heads and 8192 tokens, and who reads it?"),),
        "07, section 7.4 (Online softmax: exact, and the table never exists)",
        ("senior",),
    ),
    Item(
        "throughput_fell",
        "Throughput fell",
        "Last week the largest context was raised from 8k to 32k. No request is longer than before, and "
        "the server now runs a fourth as many at a time. What do you suspect, and what do you look at?",
        "That the cache is reserved for the longest text allowed: four times the room for each request, "
        "so a fourth as many fit. I look at how much memory is reserved against how many tokens are "
        "really in it. The remedy is to hand out memory in blocks as texts grow, with a table for each "
        "text: then only the last block of a text is partly empty. Admission has to know what to do when "
        "blocks run out: wait, or put a text aside.",
        (
            "room is reserved for the longest text",
            "measure: tokens held against tokens reserved",
            "paged cache: blocks and a table for each text",
            "what happens when the blocks run out",
        ),
        (
            (
                "What does a block of 16 tokens waste on average?",
                "About half a block, 8 tokens a text, instead of all that is unused.",
            ),
            (
                "What else do tables of blocks make possible?",
                "Texts with the same beginning can share its blocks, and copy one only when they write "
                "into it.",
            ),
        ),
        ((SILENT, "What is set aside when a request is admitted?"),),
        "07, section 7.5 (Paged caches: blocks and tables)",
        ("senior",),
    ),
    Item(
        "fewer_kv_heads",
        "What grouped queries change",
        "What do grouped queries change, and what do they leave as it was? When would you not use them?",
        "Several query heads share one head of keys and values. The cache and its traffic shrink by heads "
        "/ kv heads, and W_K and W_V become narrower. The multiply-adds of scores and mix stay, as every "
        "query head still meets all keys. Decode with long contexts gains, as it waits for the cache. "
        "Prefill gains little. In a short-context or encoder model without a cache there is little to "
        "win, and the quality is a question to be measured.",
        (
            "cache smaller by heads / kv heads",
            "multiply-adds of scores and mix unchanged",
            "decode gains, prefill hardly",
            "the price in quality is measured, not known",
        ),
        (
            (
                "8 kv heads on 16 GPUs with tensor parallelism?",
                "With heads as the unit, kv heads are held twice: the cache no longer shrinks with more "
                "GPUs.",
            ),
            (
                "repeat_interleave or repeat?",
                "By the usual convention neighbouring query heads share one, so repeat_interleave; repeat "
                "pairs others.",
            ),
        ),
        ((SILENT, "Which tensors get smaller?"),),
        "04, section 4.8 (Fewer heads to keep: grouped queries)",
        ("senior", "new_graduate"),
    ),
)
