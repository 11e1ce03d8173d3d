"""Online softmax: of rows of entries; and what the lesson's exercise leaves out, entries and keys of -inf."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.exercises.today.online_softmax_attention import (
    aligned_case,
    allow_scores_of_10_000,
    online,
    online_softmax_attention,
    three,
    watched,
)
from autograder.exercises.today.online_softmax_attention import ex as lesson

from .draws import eighths

AXES = {"weights": "rows n"}
LONG = 1000  # more entries than any usual block has
SENTENCES = {mistake.name: mistake.sentence for mistake in lesson.mistakes}
SENTENCES["nothing_rescaled"] = (
    "the sum is not rescaled when the maximum grows: multiply it by exp(old maximum - new maximum) before you add the next entry"
)
NAN = "NaN: as long as all that was read is -inf, the maximum is -inf too, and -inf - (-inf) is NaN. Subtract 0 there instead"


def one_by_one(
    update=lambda total, old, new, entry: total * (old - new).exp() + (entry - new).exp(), start=-torch.inf
):
    """A softmax that reads x (rows, n) one column at a time. update: the next sum."""

    def implementation(x):
        largest, total = torch.full_like(x[:, 0], start), torch.zeros_like(x[:, 0])
        for entry in x.unbind(1):
            new = torch.maximum(largest, entry)
            largest, total = new, update(total, largest, new, entry)
        return (x - largest[:, None]).exp() / total[:, None]

    return implementation


entries = Exercise(AXES, probes=False)


@entries.reference
def online_softmax(x):
    return torch.softmax(x, -1)


def rising_and_falling(g):
    return call(x=torch.arange(12.0).double() * torch.tensor([[1.0], [-1.0], [0.5]]))


entries.case(three_rows=lambda g: call(x=normal(g, 3, 7)), rising_and_falling=rising_and_falling)
entries.edge(
    one_entry=lambda g: call(x=normal(g, 4, 1)),
    far_below_zero=lambda g: call(x=normal(g, 3, 6) - torch.tensor([[2000.0], [0.0], [3000.0]])),
    large=lambda g: call(x=normal(g, 2, 5, scale=300)),
)
for name, wrong in {
    "nothing_rescaled": one_by_one(lambda total, old, new, entry: total + (entry - new).exp()),
    "rescaled_by_wrong_sign": one_by_one(
        lambda total, old, new, entry: (total * (new - old).exp()).nan_to_num(0) + (entry - new).exp()
    ),
    "maximum_starts_at_zero": one_by_one(start=0.0),
    "unstable": lambda x: x.exp() / x.exp().sum(-1, keepdim=True),
    "global_max": lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(-1, keepdim=True),
}.items():
    entries.add_mistake(name, SENTENCES[name].replace("the sum and the output are", "the sum is"), [wrong])

hidden_entries = Exercise(AXES, probes=False)
hidden_entries.reference(online_softmax)


@hidden_entries.case
def first_entries_hidden(g):
    return call(x=torch.tensor([[-torch.inf, -torch.inf, 1, 2], [0.5, -torch.inf, -torch.inf, 3]]).double())


hidden_entries.edge(many_entries=lambda g: call(x=(torch.arange(LONG) * 7 % 23).double()[None] / 8))
hidden_entries.add_mistake("nan_where_hidden", NAN, [one_by_one()])

# ---- attention: the lesson's exercise with one leading axis, as (B, T_q, d) is how people write it

attention = Exercise({"output": "B T_q d"}, probes=False)


def many_keys(g):
    """Keys and values almost repeat themselves, so that a notebook carries them in few bytes."""
    number = torch.arange(133 * 2).double()
    K, V = (((number * step % 23 + number // 32 * 5 % 7) / 8 - 1).view(1, 133, 2) for step in (7, 5))
    return call(Q=eighths(g, 1, 1, 2), K=K, V=V, block_size=16).but(too_large=133)


attention.reference(online_softmax_attention)
attention.case(
    more_keys=lambda g: three(g, 2, 4, 3, T_k=7, block_size=3),
    one_head=lambda g: watched(g, 1),
    one_query_many_keys=many_keys,
)
attention.edge(
    one_token=lambda g: three(g, 3, 1, 4, T_k=1, block_size=2),
    block_larger_than_all_keys=lambda g: three(g, 2, 4, 5, T_k=3, block_size=8),
    scores_of_10_000=lambda g: allow_scores_of_10_000(three(g, 2, 4, 3, T_k=7, block_size=2, scale=100)),
    scores_that_rise_and_fall=lambda g: aligned_case(
        g, 2, [-1.0, -0.5, 0.5, 0.0, 1.0], [1.0, 0.5, 0.0, -0.5, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0]
    ),
)
for mistake in lesson.mistakes:
    if mistake.name != "kept_in_a_narrow_dtype":
        attention.add_mistake(*mistake)


def first_keys(number):
    """An implementation that reads only the first number(T_q, block_size) keys."""

    def implementation(Q, K, V, block_size):
        keys = number(Q.shape[-2], block_size)
        return online()(Q, K[..., :keys, :], V[..., :keys, :], block_size)

    return implementation


attention.wrong(
    "as_many_keys_as_queries: it reads as many keys as there are queries: take the number of keys from K",
    first_keys(lambda T_q, block_size: T_q),
    first_keys(lambda T_q, block_size: -(-T_q // block_size) * block_size),  # whole blocks
)

hidden_keys = Exercise({"output": "B T_q d"}, probes=False)


@hidden_keys.reference
def attention_at_once(Q, K, V, block_size):
    return (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1) @ V


@hidden_keys.case
def first_block_hidden(g):
    """The first feature of all queries is 1, and that of a hidden key is -inf."""
    Q, K, V = eighths(g, 2, 3, 4), eighths(g, 2, 7, 4), eighths(g, 2, 7, 4)
    Q[..., 0], K[:, :3, 0], K[1, 5, 0] = 1, -torch.inf, -torch.inf
    return call(Q=Q, K=K, V=V, block_size=2)


hidden_keys.add_mistake("nan_where_hidden", NAN, [lambda Q, K, V, block_size: torch.full_like(Q, torch.nan)])
FORMS = {"online_entries": entries, "hidden_entries": hidden_entries}
FORMS |= {"online_attention": attention, "hidden_keys": hidden_keys}
