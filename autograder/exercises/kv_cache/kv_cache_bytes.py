"""kv_cache_bytes: how much memory the keys and values of all layers take."""

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
    hints=[
        "How many numbers does one token keep in one layer?",
        "A key and a value of head_dim numbers for each kv head: 2 * num_kv_heads * head_dim. Then all "
        "layers, all tokens, all sequences of the batch, and the bytes of one number.",
        "math.prod([...]) multiplies all entries of a list; seven of them here, one of which is 2 for K "
        "and V.",
        "2 * batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value",
    ],
)


@ex.reference
def kv_cache_bytes(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
    return prod((batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value)) << 1


def drawn(g):
    """Odd sizes: the product needs all its digits."""
    spans = {
        "batch_size": (2, 9),
        "num_layers": (10, 90),
        "num_kv_heads": (3, 40),
        "seq_len": (100, 9000),
        "head_dim": (17, 200),
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
    """An implementation from a rule on B, L, H, T, d, b."""
    return lambda batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2: rule(
        batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value
    )


@ex.mistake(through=formula)
def only_keys(B, L, H, T, d, b):
    """only one of K and V is counted: both are cached, a factor of 2"""
    return B * L * H * T * d * b


@ex.mistake(through=formula)
def one_layer(B, L, H, T, d, b):
    """only one layer is counted: every layer has a cache of its own"""
    return 2 * B * H * T * d * b


@ex.mistake(through=formula)
def one_head(B, L, H, T, d, b):
    """only one head is counted: every kv head has keys and values"""
    return 2 * B * L * T * d * b


@ex.mistake(through=formula)
def one_sequence(B, L, H, T, d, b):
    """only one sequence is counted: every sequence of the batch has a cache"""
    return 2 * L * H * T * d * b


@ex.mistake(through=formula)
def bytes_per_value_ignored(B, L, H, T, d, b):
    """bytes_per_value is ignored: it is not always 2"""
    return 4 * B * L * H * T * d


@ex.mistake(through=formula)
def values_not_bytes(B, L, H, T, d, b):
    """these are values, not bytes: multiply by bytes_per_value"""
    return 2 * B * L * H * T * d


@ex.mistake(through=formula)
def bits(B, L, H, T, d, b):
    """these are bits: a byte has eight"""
    return 16 * B * L * H * T * d * b


@ex.mistake(through=formula)
def queries_too(B, L, H, T, d, b):
    """queries are counted too: only keys and values are cached"""
    return 3 * B * L * H * T * d * b


@ex.mistake(through=formula)
def one_token(B, L, H, T, d, b):
    """only one token is counted: every token so far keeps its keys and values"""
    return 2 * B * L * H * d * b


@ex.mistake(through=formula)
def seq_len_squared(B, L, H, T, d, b):
    """seq_len is counted twice: the cache grows with the number of tokens, not with its square (the scores
    do)"""
    return 2 * B * L * H * T * T * d * b


@ex.mistake(through=formula)
def two_counted_twice(B, L, H, T, d, b):
    """there is a factor of 2 too many"""
    return 4 * B * L * H * T * d * b
