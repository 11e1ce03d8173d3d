"""kv_cache_bytes: the memory that the keys and values of all layers take."""

from math import prod

from autograder.authoring.draws import call
from autograder.authoring.exercise import Exercise

ex = Exercise(
    {"bytes": ""},
    library="int",
    points=1,
    gradients=False,
    devices=False,
    probes=False,
    hints="""
    How many numbers are cached for one token in one layer?

    A key and a value of head_dim numbers for each kv head: 2 * num_kv_heads * head_dim. Then all layers, all
    tokens, all sequences of the batch, and the bytes of one number.

    math.prod([...]) multiplies all entries of a list: here there are seven, one of them the 2 for K and V.

        2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value
    """,
)


@ex.reference
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return prod((batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value)) << 1


def drawn(g):
    """Odd sizes. Their product is above 2**24, so float32 cannot hold it exactly, and below 2**27, so an
    answer that builds a cache to measure it needs less than 1 GiB."""
    spans = {
        "batch_size": (5, 8),
        "num_layers": (13, 18),
        "num_kv_heads": (7, 10),
        "seq_len": (600, 900),
        "head_dim": (65, 100),
    }
    return {name: int(g.integers(*span)) | 1 for name, span in spans.items()}


ex.case(
    small_model=lambda g: call(batch_size=3, num_layers=12, num_kv_heads=5, seq_len=1000, head_dim=64),
    drawn_sizes=lambda g: call(**drawn(g)),
)
ex.edge(
    four_bytes_a_value=lambda g: call(**drawn(g), bytes_per_value=4),
    one_byte_a_value=lambda g: call(**drawn(g), bytes_per_value=1),
    nothing_yet=lambda g: call(batch_size=1, num_layers=7, num_kv_heads=2, seq_len=0, head_dim=5),
)


def formula(rule):
    """An implementation that returns rule(B, L, H, T, d, b)."""
    return lambda batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2: rule(
        batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value
    )


ex.wrong(
    "only_keys: only one of K and V is counted: both are cached, so there is a factor of 2",
    formula(lambda B, L, H, T, d, b: B * L * H * T * d * b),
    "one_layer: only one layer is counted: every layer has its own cache",
    formula(lambda B, L, H, T, d, b: 2 * B * H * T * d * b),
    "one_head: only one head is counted: every kv head has its own keys and values",
    formula(lambda B, L, H, T, d, b: 2 * B * L * T * d * b),
    "one_sequence: only one sequence is counted: every sequence in the batch has its own cache",
    formula(lambda B, L, H, T, d, b: 2 * L * H * T * d * b),
    "bytes_per_value_ignored: bytes_per_value is ignored: it is not always 2",
    formula(lambda B, L, H, T, d, b: 4 * B * L * H * T * d),
    "values_not_bytes: this counts values, not bytes: multiply by bytes_per_value",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * T * d),
    "bits: this counts bits: a byte has eight",
    formula(lambda B, L, H, T, d, b: 16 * B * L * H * T * d * b),
    "queries_too: queries are counted too: only keys and values are cached",
    formula(lambda B, L, H, T, d, b: 3 * B * L * H * T * d * b),
    "one_token: only one token is counted: the keys and values of every token so far are cached",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * d * b),
    "tokens_squared: seq_len counts twice, as in the table of scores: the cache holds one key and one value for each token",
    formula(lambda B, L, H, T, d, b: 2 * B * L * H * T * T * d * b),
    "two_counted_twice: there is one factor of 2 too many",
    formula(lambda B, L, H, T, d, b: 4 * B * L * H * T * d * b),
)
