"""kv_cache_bytes: how much memory the keys and values of all layers take."""

from math import prod

from autograder.authoring.exercise import Exercise, call

ex = Exercise(
    "kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2)",
    {"bytes": ""},
    library="int",
    points=1,
    gradients=False,
    devices=False,
    probes=False,
    hints=[
        "How many numbers does one token keep in one layer?",
        "A key and a value of head_dim numbers for each kv head: 2 * num_kv_heads * head_dim. Then all layers, all tokens, all sequences of the batch, and the bytes of one number.",
        "It is one product of seven factors, an int.",
    ],
)


@ex.reference
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return prod((batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value)) << 1


def drawn(g):
    sizes = {
        "batch_size": (2, 9),
        "num_layers": (10, 90),
        "num_kv_heads": (3, 40),
        "seq_len": (100, 9000),
        "head_dim": (17, 200),
    }
    return {
        name: int(g.integers(*span)) | 1 for name, span in sizes.items()
    }  # odd: the product needs all its digits


@ex.case
def small_model(g):
    return call(batch_size=3, num_layers=12, num_kv_heads=5, seq_len=1000, head_dim=64)


@ex.case
def drawn_sizes(g):
    return call(**drawn(g))


@ex.edge
def four_bytes_a_value(g):
    return call(**drawn(g), bytes_per_value=4)


@ex.edge
def one_byte_a_value(g):
    return call(**drawn(g), bytes_per_value=1)


@ex.edge
def nothing_yet(g):
    return call(batch_size=1, num_layers=7, num_kv_heads=2, seq_len=0, head_dim=5)


def formula(rule):
    """An implementation from a rule on B, L, H, T, d, b."""
    return lambda batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2: rule(
        batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value
    )


ex.mistake(
    "only_keys",
    "only one of K and V is counted: both are cached, a factor of 2",
    formula(lambda B, L, H, T, d, b: B * L * H * T * d * b),
)
ex.mistake(
    "one_layer",
    "only one layer is counted: every layer has a cache of its own",
    formula(lambda B, L, H, T, d, b: 2 * B * H * T * d * b),
)
ex.mistake(
    "one_head",
    "only one head is counted: every kv head has keys and values",
    formula(lambda B, L, H, T, d, b: 2 * B * L * T * d * b),
)
ex.mistake(
    "one_sequence",
    "only one sequence is counted: every sequence of the batch has a cache",
    formula(lambda B, L, H, T, d, b: 2 * L * H * T * d * b),
)
ex.mistake(
    "bytes_per_value_ignored",
    "bytes_per_value is ignored: it is not always 2",
    formula(lambda B, L, H, T, d, b: 4 * B * L * H * T * d),
)
ex.mistake(
    "values_not_bytes",
    "these are values, not bytes: multiply by bytes_per_value",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * T * d),
)
ex.mistake(
    "bits", "these are bits: a byte has eight", formula(lambda B, L, H, T, d, b: 16 * B * L * H * T * d * b)
)
ex.mistake(
    "queries_too",
    "queries are counted too: only keys and values are cached",
    formula(lambda B, L, H, T, d, b: 3 * B * L * H * T * d * b),
)
ex.mistake(
    "one_token",
    "only one token is counted: every token so far keeps its keys and values",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * d * b),
)
ex.mistake(
    "seq_len_squared",
    "seq_len is counted twice: the cache grows with the number of tokens, not with its square (the scores do)",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * T * T * d * b),
)
ex.mistake(
    "two_counted_twice",
    "there is a factor of 2 too many",
    formula(lambda B, L, H, T, d, b: 4 * B * L * H * T * d * b),
)
