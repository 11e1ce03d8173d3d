"""load_torch_weights: copy torch's own attention into the learner's class."""

import torch

from autograder.authoring.exercise import Exercise, call, normal
from course_utils.model.case import Fake

WEIGHTS = ("W_q", "W_k", "W_v", "W_o")
ex = Exercise(
    "load_torch_weights(attention, torch_attention)",
    {"nothing": ""},
    container="none",
    gradients=False,
    devices=False,
    narrow=(),
    hints=[
        "in_proj_weight has 3 * d_model rows. Whose are the first d_model of them?",
        "Rows 0 to D are the query weights, D to 2D the keys', 2D to 3D the values'. nn.Linear keeps (out, in) as well, so nothing is transposed.",
        "chunk(3) cuts the rows; with torch.no_grad(): layer.weight.copy_(...) copies into a parameter that stays trainable.",
    ],
)


@ex.reference
def load_torch_weights(attention, torch_attention):
    state = {
        f"{name}.weight": rows
        for name, rows in zip(
            WEIGHTS, torch_attention.in_proj_weight.detach().split(attention.d_model), strict=False
        )
    }
    attention.load_state_dict({**state, "W_o.weight": torch_attention.out_proj.weight.detach()})


def case(g, d_model, num_heads):
    given = {"d_model": d_model, "num_heads": num_heads}
    torch_side = {
        **given,
        "in_proj": normal(g, 3 * d_model, d_model),
        "out_proj": normal(g, d_model, d_model),
    }
    return call(attention=Fake("FourLayers", given), torch_attention=Fake("TorchAttention", torch_side))


@ex.case
def three_heads(g):
    return case(g, 3 * int(g.integers(2, 8)), 3)


@ex.case
def two_heads(g):
    return case(g, 2 * int(g.integers(2, 9)), 2)


@ex.edge
def one_head(g):
    return case(g, 3, 1)


@ex.edge
def float32(g):
    return case(g, 8, 4).but(dtype="float32")


def copied(rows=lambda t: t.in_proj_weight.chunk(3), out=lambda t: t.out_proj.weight, into=WEIGHTS):
    """An implementation from the three row blocks, the output weight, and the order of the layers."""

    def implementation(attention, torch_attention):
        with torch.no_grad():
            q, k, v = rows(torch_attention)
            for name, weight in zip(into, (q, k, v, out(torch_attention)), strict=True):
                getattr(attention, name).weight.copy_(weight)

    return implementation


def shared(attention, torch_attention):
    for name, weight in zip(
        WEIGHTS, [*torch_attention.in_proj_weight.chunk(3), torch_attention.out_proj.weight], strict=True
    ):
        getattr(attention, name).weight.data = weight.data


def some_shared(*names):
    """These layers' weights are torch's own, the others are copied."""

    def implementation(attention, torch_attention):
        copied()(attention, torch_attention)
        weights = dict(
            zip(
                WEIGHTS,
                [*torch_attention.in_proj_weight.chunk(3), torch_attention.out_proj.weight],
                strict=True,
            )
        )
        for name in names:
            getattr(attention, name).weight.data = weights[name].data

    return implementation


def frozen(attention, torch_attention):
    copied()(attention, torch_attention)
    for name in WEIGHTS:
        getattr(attention, name).weight.requires_grad_(False)


def biased(attention, torch_attention):
    for name in WEIGHTS:
        setattr(
            attention,
            name,
            torch.nn.Linear(attention.d_model, attention.d_model, dtype=attention.W_q.weight.dtype),
        )
    copied()(attention, torch_attention)


def backwards(attention, torch_attention):
    with torch.no_grad():
        torch_attention.in_proj_weight.copy_(
            torch.cat([getattr(attention, name).weight for name in WEIGHTS[:3]])
        )
        torch_attention.out_proj.weight.copy_(attention.W_o.weight)


def only_output_shared(attention, torch_attention):
    copied()(attention, torch_attention)
    attention.W_o.weight = torch_attention.out_proj.weight


ex.mistake(
    "k_and_q_exchanged",
    "the row blocks are Q, K, V in this order: queries and keys are exchanged",
    copied(into=("W_k", "W_q", "W_v", "W_o")),
)
ex.mistake("v_first", "the row blocks are Q, K, V in this order", copied(into=("W_v", "W_q", "W_k", "W_o")))
ex.mistake(
    "k_and_v_exchanged",
    "the row blocks are Q, K, V in this order: keys and values are exchanged",
    copied(into=("W_q", "W_v", "W_k", "W_o")),
)
ex.mistake(
    "bias_left_on",
    "the layers are replaced by ones with a bias, which torch's attention has not here: copy into the layers that are there, or make new ones with bias=False",
    biased,
)
ex.mistake(
    "weights_transposed",
    "the weights are transposed: nn.Linear keeps (out, in), as torch's attention does",
    copied(rows=lambda t: [w.T for w in t.in_proj_weight.chunk(3)], out=lambda t: t.out_proj.weight.T),
)
ex.mistake(
    "qkv_transposed",
    "the query, key and value weights are transposed: nn.Linear keeps (out, in), as in_proj_weight does",
    copied(rows=lambda t: [w.T for w in t.in_proj_weight.chunk(3)]),
)
ex.mistake(
    "output_transposed",
    "the output weight is transposed: both sides keep (out, in)",
    copied(out=lambda t: t.out_proj.weight.T),
)
ex.mistake(
    "stacked_by_columns",
    "in_proj_weight is taken apart wrongly: Q, K and V are three blocks of rows, one after the other",
    copied(rows=lambda t: t.in_proj_weight.T.reshape(-1, t.in_proj_weight.shape[1]).chunk(3)),
    copied(rows=lambda t: t.in_proj_weight.reshape(-1, 3, t.in_proj_weight.shape[1]).unbind(1)),
    copied(rows=lambda t: t.in_proj_weight.chunk(3, dim=1)),
)
ex.mistake(
    "storage_shared",
    "the weights are shared, not copied: a later change of torch's module changes yours. Copy into the parameters",
    shared,
)
ex.mistake(
    "some_storage_shared",
    "some of the weights are shared, not copied: a later change of torch's module changes yours. Copy all of them into the parameters",
    some_shared("W_q", "W_k", "W_v"),
    *map(some_shared, WEIGHTS[:3]),
)
ex.mistake("output_shared", "W_o is torch's own parameter: copy its numbers instead", only_output_shared)
ex.mistake(
    "copied_backwards",
    "the copying goes the wrong way, into torch's module: its weights belong into our layers",
    backwards,
)
ex.mistake("frozen", "the parameters no longer require a gradient: they must stay trainable", frozen)
ex.mistake(
    "nothing_copied",
    "no weight of the layers has changed: a new object, or another object under the name `attention`, changes nothing for the caller. Copy into the parameters of the one that is handed in",
    lambda attention, t: None,
)
ex.mistake(
    "output_forgotten",
    "W_o is not copied",
    lambda attention, t: copied(out=lambda t: attention.W_o.weight)(attention, t),
)
