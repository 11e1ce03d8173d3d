"""load_torch_weights: copy the weights of torch's own attention into the learner's class."""

import torch

from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from course_utils.model.case import Fake

WEIGHTS = ("W_q", "W_k", "W_v", "W_o")
ex = Exercise(
    {"nothing": ""},
    container="none",
    gradients=False,
    devices=False,
    narrow=(),
    hints="""
    in_proj_weight has 3 * d_model rows. Which projection do the first d_model of them belong to?

    Rows 0 to D are the query weights, D to 2D the keys', 2D to 3D the values'. nn.Linear stores (out, in) as
    well, so nothing is transposed.

    chunk(3) splits the rows; with torch.no_grad(): layer.weight.copy_(...) copies into a parameter that stays
    trainable.

        with torch.no_grad(): attention.W_q.weight.copy_(torch_attention.in_proj_weight.chunk(3)[0])
    """,
)


def torch_weights(torch_attention):
    """{name of our layer: its weight in torch's attention}."""
    rows = torch_attention.in_proj_weight.detach().chunk(3)
    return dict(zip(WEIGHTS, (*rows, torch_attention.out_proj.weight.detach()), strict=True))


@ex.reference
def load_torch_weights(attention, torch_attention):
    weights = torch_weights(torch_attention).items()
    attention.load_state_dict({f"{name}.weight": weight for name, weight in weights})


def case(g, d_model, num_heads):
    arguments = {"d_model": d_model, "num_heads": num_heads}
    tables = {"in_proj": normal(g, 3 * d_model, d_model), "out_proj": normal(g, d_model, d_model)}
    theirs = Fake("TorchAttention", {**arguments, **tables})
    return call(attention=Fake("FourLayers", arguments), torch_attention=theirs)


ex.case(
    three_heads=lambda g: case(g, 3 * int(g.integers(2, 8)), 3),
    two_heads=lambda g: case(g, 2 * int(g.integers(2, 9)), 2),
)
ex.edge(
    one_head=lambda g: case(g, 3, 1),
    float32=lambda g: case(g, 8, 4).but(dtype="float32"),
)


def copy_weights(rows=lambda torch_side: torch_side.in_proj_weight.chunk(3), out=lambda W: W, into=WEIGHTS):
    """An implementation with these steps: the three blocks for Q, K and V, a change of the output weight, and
    the layers that the weights are copied into."""

    def implementation(attention, torch_attention):
        weights = (*rows(torch_attention), out(torch_attention.out_proj.weight))
        with torch.no_grad():
            for name, weight in zip(into, weights, strict=True):
                getattr(attention, name).weight.copy_(weight)

    return implementation


def share_memory(*names):
    """An implementation that copies all weights, except that these layers share the memory of torch's
    weights."""

    def implementation(attention, torch_attention):
        load_torch_weights(attention, torch_attention)
        for name in names:
            getattr(attention, name).weight.data = torch_weights(torch_attention)[name]

    return implementation


def rows_by_head(torch_side):
    by_head = torch_side.in_proj_weight.unflatten(0, (torch_side.num_heads, 3, -1))
    return [block.flatten(0, 1) for block in by_head.unbind(1)]


def transposed_rows(torch_side):
    return [W.T for W in torch_side.in_proj_weight.chunk(3)]


def nothing_copied(attention, torch_attention):
    return None


def output_forgotten(attention, torch_attention):
    copy_weights(out=lambda W: attention.W_o.weight)(attention, torch_attention)


ex.wrong(
    "k_and_q_exchanged: queries and keys are swapped: the blocks of rows are Q, K, V, in this order",
    copy_weights(into=("W_k", "W_q", "W_v", "W_o")),
    "k_and_v_exchanged: keys and values are swapped: the blocks of rows are Q, K, V, in this order",
    copy_weights(into=("W_q", "W_v", "W_k", "W_o")),
    "weights_transposed: the weights are transposed: nn.Linear stores (out, in), as torch's attention does",
    copy_weights(rows=transposed_rows, out=lambda W: W.T),
    "stacked_by_columns: in_proj_weight is split the wrong way: Q, K and V are three blocks of rows, one after the other",
    copy_weights(rows=lambda t: t.in_proj_weight.T.reshape(-1, t.in_proj_weight.shape[1]).chunk(3)),
    copy_weights(rows=lambda t: t.in_proj_weight.reshape(-1, 3, t.in_proj_weight.shape[1]).unbind(1)),
    copy_weights(rows=lambda t: t.in_proj_weight.chunk(3, dim=1)),
    "stacked_by_heads: the rows of in_proj_weight are taken head by head, Q, K and V of head 0 first (other models store them that way): here all of Q comes first, then all of K, then all of V",
    copy_weights(rows=rows_by_head),
    "storage_shared: the weights are shared, not copied: a later change to torch's module changes yours. Copy into the parameters",
    share_memory(*WEIGHTS),
    "some_storage_shared: some of the weights are shared, not copied: a later change to torch's module changes yours. Copy all of them into the parameters",
    share_memory("W_q", "W_k", "W_v"),
    "nothing_copied: none of the layers' weights has changed: making a new object, or rebinding the name `attention`, changes nothing for the caller. Copy into the parameters of the object that is passed in",
    nothing_copied,
    "output_forgotten: W_o is not copied",
    output_forgotten,
)


@ex.mistake
def bias_left_on(attention, torch_attention):
    """the layers are replaced by ones with a bias, which torch's attention does not have here: copy into the
    existing layers, or make new ones with bias=False"""
    for name in WEIGHTS:
        biased = torch.nn.Linear(attention.d_model, attention.d_model, dtype=attention.W_q.weight.dtype)
        setattr(attention, name, biased)
    copy_weights()(attention, torch_attention)


@ex.mistake
def output_shared(attention, torch_attention):
    """W_o is torch's own parameter: copy its values instead"""
    copy_weights()(attention, torch_attention)
    attention.W_o.weight = torch_attention.out_proj.weight


@ex.mistake
def copied_backwards(attention, torch_attention):
    """the copy goes the wrong way, into torch's module: its weights belong in your layers"""
    ours = [getattr(attention, name).weight for name in WEIGHTS]
    with torch.no_grad():
        torch_attention.in_proj_weight.copy_(torch.cat(ours[:3]))
        torch_attention.out_proj.weight.copy_(ours[3])


@ex.mistake
def frozen(attention, torch_attention):
    """the parameters no longer require gradients: they must stay trainable"""
    copy_weights()(attention, torch_attention)
    for name in WEIGHTS:
        getattr(attention, name).weight.requires_grad_(False)
