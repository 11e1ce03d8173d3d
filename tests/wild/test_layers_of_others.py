"""One weight set in the attention of other libraries, without a download: the same numbers to 1e-12 in
float64, to 1e-6 where the library's softmax works in float32, and to 1e-5 where its arrays do."""

import math
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.bias import causal_lower_right, causal_upper_left

from course_utils.wild.others import onnx_attention

from .weights import FUTURE, NAMES, D, H, layer_with_biases, randn, rows, wrong_by

CLOSE, SOFTMAX_IN_FLOAT32, FLOAT32, FAR = 1e-12, 1e-6, 1e-5, 0.1
ADDED = torch.zeros(5, 5, dtype=torch.float64).masked_fill(FUTURE, -math.inf)[None, None]
KINDS = ("weight", "bias")
pytestmark = pytest.mark.xdist_group("other libraries")
sdpa = F.scaled_dot_product_attention


@pytest.fixture
def ours():
    return layer_with_biases()


@pytest.fixture
def x():
    return randn(2, 5, D)


def qkv(heads, kv_heads, T_q, T_k, dtype=torch.float64):
    return [randn(2, n, T, 4).to(dtype) for n, T in ((heads, T_q), (kv_heads, T_k), (kv_heads, T_k))]


# ---- torch


def test_multihead_attention_has_q_k_v_as_rows(ours, x):
    theirs = nn.MultiheadAttention(D, H, batch_first=True, dtype=torch.float64)
    theirs.in_proj_weight.data, theirs.in_proj_bias.data = rows(ours, "weight"), rows(ours, "bias")
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
    assert wrong_by(theirs(x, x, x, attn_mask=FUTURE)[0], ours(x)[0]) < CLOSE
    theirs.in_proj_weight.data = rows(ours, "weight").unflatten(0, (3, D)).flip(0).flatten(0, 1)
    assert wrong_by(theirs(x, x, x, attn_mask=FUTURE)[0], ours(x)[0]) > FAR


def test_sdpa_takes_true_for_attend():
    Q, K, V = qkv(H, H, 4, 6)
    masked = torch.ones(4, 6).triu(3).bool()
    wanted = (Q @ K.mT / math.sqrt(4)).masked_fill(masked, -math.inf).softmax(-1) @ V
    added = torch.zeros(4, 6, dtype=torch.float64).masked_fill(masked, -math.inf)
    for mask in (~masked, added, causal_lower_right(4, 6)):
        assert wrong_by(sdpa(Q, K, V, attn_mask=mask), wanted) < CLOSE
    for settings in ({"attn_mask": masked}, {"is_causal": True}):
        assert wrong_by(sdpa(Q, K, V, **settings), wanted) > FAR


def test_sdpa_shares_neighbouring_heads(x):
    Q, K, V = qkv(6, 2, 5, 5)
    theirs = sdpa(Q, K, V, is_causal=True, enable_gqa=True)
    near, far = (
        (K.repeat_interleave(3, 1), V.repeat_interleave(3, 1)),
        (K.repeat(1, 3, 1, 1), V.repeat(1, 3, 1, 1)),
    )
    assert wrong_by(theirs, sdpa(Q, *near, is_causal=True)) < CLOSE
    assert wrong_by(theirs, sdpa(Q, *far, is_causal=True)) > FAR
    ours = layer_with_biases(kv_heads=2)
    q, k, v = (getattr(ours, name)(x).unflatten(-1, (-1, 2)).transpose(1, 2) for name in NAMES[:3])
    heads = sdpa(q, k, v, is_causal=True, enable_gqa=True)
    assert wrong_by(ours.out_proj(heads.transpose(1, 2).flatten(2)), ours(x)[0]) < CLOSE


def test_one_fused_layer_split_along_its_outputs(ours, x):
    fused = nn.Linear(D, 3 * D, dtype=torch.float64)  # as nanoGPT's c_attn
    fused.weight.data, fused.bias.data = rows(ours, "weight"), rows(ours, "bias")
    q, k, v = (part.unflatten(-1, (H, -1)).transpose(1, 2) for part in fused(x).split(D, dim=2))
    heads = sdpa(q, k, v, is_causal=True)
    assert wrong_by(ours.out_proj(heads.transpose(1, 2).flatten(2)), ours(x)[0]) < CLOSE


def test_a_bias_of_the_keys_changes_no_output(ours, x):
    """It adds the same number to all scores of a query, and softmax does not see that."""
    before, keys = ours(x)[:2]
    ours.k_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) < CLOSE
    assert wrong_by(ours(x)[1], keys) > 1
    ours.q_proj.bias += 3 * randn(D)
    assert wrong_by(ours(x)[0], before) > FAR


# ---- transformers


@pytest.mark.system
@torch.no_grad()
@pytest.mark.parametrize("form", ["eager", "sdpa"])
def test_gpt2_holds_in_by_out(library, ours, x, form):
    module = library("transformers.models.gpt2.modeling_gpt2")
    config = module.GPT2Config(n_embd=D, n_head=H, n_positions=16, attn_implementation=form)
    theirs = module.GPT2Attention(config, layer_idx=0).double().eval()
    assert theirs.c_attn.weight.shape == (D, 3 * D)
    theirs.c_attn.weight.copy_(rows(ours, "weight").T)
    theirs.c_attn.bias.copy_(rows(ours, "bias"))
    theirs.c_proj.weight.copy_(ours.out_proj.weight.T)
    theirs.c_proj.bias.copy_(ours.out_proj.bias)
    assert wrong_by(theirs(x, attention_mask=ADDED)[0], ours(x)[0]) < CLOSE
    alone = theirs(x)[0]  # without a mask the two forms differ
    assert (wrong_by(alone, ours(x)[0]) < CLOSE) == (form == "sdpa")
    assert (wrong_by(alone, ours(x, is_causal=False)[0]) < CLOSE) == (form == "eager")
    theirs.c_proj.weight.copy_(ours.out_proj.weight)  # square: a forgotten transpose raises nothing
    assert wrong_by(theirs(x, attention_mask=ADDED)[0], ours(x)[0]) > FAR


@pytest.mark.system
@torch.no_grad()
def test_gpt_neox_goes_head_by_head(library, ours, x):
    module = library("transformers.models.gpt_neox.modeling_gpt_neox")
    config = module.GPTNeoXConfig(hidden_size=D, num_attention_heads=H, attn_implementation="eager")
    theirs = module.GPTNeoXAttention(config, layer_idx=0).double().eval()
    theirs.dense.load_state_dict(ours.out_proj.state_dict())
    still = (torch.ones(1, 5, 4), torch.zeros(1, 5, 4))  # cos and sin of angle 0: nothing is rotated
    for by_head in (True, False):
        for kind in KINDS:
            fused = rows(ours, kind)
            heads = fused.unflatten(0, (3, H, 4)).transpose(0, 1).flatten(0, 2)
            getattr(theirs.query_key_value, kind).copy_(heads if by_head else fused)
        wrong = wrong_by(theirs(x, ADDED, position_embeddings=still)[0], ours(x)[0])
        assert wrong < SOFTMAX_IN_FLOAT32 if by_head else wrong > FAR


@pytest.mark.system
@torch.no_grad()
def test_llama_repeats_neighbours(library, x):
    module = library("transformers.models.llama.modeling_llama")
    keys = randn(2, 2, 5, 4)
    assert torch.equal(module.repeat_kv(keys, 3), keys.repeat_interleave(3, 1))
    heads = {"num_attention_heads": 6, "num_key_value_heads": 2, "attention_bias": True}
    config = module.LlamaConfig(hidden_size=D, **heads, attn_implementation="eager")
    theirs, ours = module.LlamaAttention(config, layer_idx=0).double().eval(), layer_with_biases(kv_heads=2)
    for name in NAMES:
        getattr(theirs, name.replace("out", "o")).load_state_dict(getattr(ours, name).state_dict())
    still = (torch.ones(1, 5, 2), torch.zeros(1, 5, 2))
    assert wrong_by(theirs(x, still, ADDED)[0], ours(x)[0]) < SOFTMAX_IN_FLOAT32


@pytest.mark.system
@torch.no_grad()
def test_a_tokenizer_says_one_for_attend(library):
    """A left-padded prompt gives what the prompt alone gives, with 1 for what may be attended to."""
    transformers = library("transformers")
    sizes = {"vocab_size": 19, "n_positions": 16, "n_embd": D, "n_layer": 2, "n_head": H}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, initializer_range=0.5)).eval()
    wanted = model(torch.tensor([[3, 1, 4]])).logits
    padded, attend = torch.tensor([[0, 0, 3, 1, 4]]), torch.tensor([[0, 0, 1, 1, 1]])
    places, counted = torch.tensor([[0, 0, 0, 1, 2]]), torch.arange(5)[None]
    for mask, positions, right in (
        (attend, places, True),
        (1 - attend, places, False),
        (attend, counted, False),
    ):
        logits = model(padded, attention_mask=mask, position_ids=positions).logits[:, 2:]
        assert wrong_by(logits, wanted) < FLOAT32 if right else wrong_by(logits, wanted) > FAR


@pytest.mark.system
@torch.no_grad()
def test_a_chunk_after_a_cache_sees_what_it_should(library):
    transformers = library("transformers")
    sizes = {"hidden_size": D, "num_hidden_layers": 2, "num_attention_heads": H, "vocab_size": 19}
    config = transformers.GPTNeoXConfig(**sizes, intermediate_size=24, initializer_range=0.5)
    model = transformers.GPTNeoXForCausalLM(config).eval()
    tokens = torch.tensor([[3, 1, 4, 1, 5]])
    start = model(tokens[:, :2], use_cache=True)
    rest = model(tokens[:, 2:], past_key_values=start.past_key_values)
    assert wrong_by(torch.cat([start.logits, rest.logits], 1), model(tokens).logits) < 1e-4


# ---- Flax has the heads as an axis


def as_kernels(layer):
    """Flax's names: kernels (D, H, d_head) and biases (H, d_head); the last kernel is (H, d_head, D)."""
    kernels = {}
    for name, role in zip(NAMES, ("query", "key", "value", "out"), strict=True):
        weight, bias = (getattr(getattr(layer, name), kind).float().numpy() for kind in KINDS)
        shapes = ((H, -1, D), (D,)) if role == "out" else ((D, H, -1), (H, -1))
        kernels[role] = {"kernel": weight.T.reshape(shapes[0]), "bias": bias.reshape(shapes[1])}
    return kernels


@pytest.mark.system
def test_flax(library, ours, x):
    linen, nnx, kernels = library("flax.linen"), library("flax.nnx"), as_kernels(ours)
    old = linen.MultiHeadDotProductAttention(num_heads=H, qkv_features=D)
    new = nnx.MultiHeadAttention(H, D, D, decode=False, rngs=nnx.Rngs(0))
    for role, parts in kernels.items():
        for kind, array in parts.items():
            assert getattr(getattr(new, role), kind)[...].shape == array.shape
            getattr(getattr(new, role), kind)[...] = array
    attend = np.tril(np.ones((5, 5), bool))[None, None]  # True = attend
    tokens, wanted = x.float().numpy(), ours(x)[0].float()
    assert wrong_by(np.array(old.apply({"params": kernels}, tokens, mask=attend)), wanted) < FLOAT32
    assert wrong_by(np.array(new(tokens, mask=attend)), wanted) < FLOAT32
    inverted = np.array(old.apply({"params": kernels}, tokens, mask=~attend))
    assert wrong_by(inverted[:, 1:], wanted[:, 1:]) > FAR


# ---- ONNX has one operator


@pytest.fixture(params=[23, 24])
def operator(library, request):
    """The Attention operator of an opset, where onnx is installed."""
    library("onnx.reference")
    return partial(onnx_attention, opset=request.param)


@pytest.mark.system
def test_onnx_masks_and_heads(operator):
    Q, K, V = qkv(H, H, 5, 5, torch.float32)
    inputs, wanted = {"Q": Q, "K": K, "V": V}, sdpa(Q, K, V, is_causal=True)
    assert wrong_by(operator(inputs, is_causal=1)[0], wanted) < FLOAT32
    for mask in (~FUTURE, ADDED[0, 0].float()):
        assert wrong_by(operator(inputs | {"attn_mask": mask})[0], wanted) < FLOAT32
    assert wrong_by(operator(inputs | {"attn_mask": ~FUTURE.T})[0], wanted) > FAR
    flat = {name: tensor.transpose(1, 2).flatten(2) for name, tensor in inputs.items()}
    merged = operator(flat, is_causal=1, q_num_heads=H, kv_num_heads=H)[0]
    assert wrong_by(merged, wanted.transpose(1, 2).flatten(2)) < FLOAT32
    Q, K, V = qkv(6, 2, 5, 5, torch.float32)
    neighbours = sdpa(Q, K, V, is_causal=True, enable_gqa=True)
    assert wrong_by(operator({"Q": Q, "K": K, "V": V}, is_causal=1)[0], neighbours) < FLOAT32


@pytest.mark.system
def test_onnx_counts_queries_from_the_past_only_where_there_is_one(operator):
    """is_causal=1 begins at the bottom right with past_key, and at the top left without."""
    Q, K, V = qkv(H, H, 2, 5, torch.float32)
    lower, upper = (sdpa(Q, K, V, attn_mask=bias(2, 5)) for bias in (causal_lower_right, causal_upper_left))
    new = {"Q": Q, "K": K[:, :, 3:], "V": V[:, :, 3:]}
    past = {"past_key": K[:, :, :3], "past_value": V[:, :, :3]}
    output, keys, values = operator(new | past, ("Y", "present_key", "present_value"), is_causal=1)
    assert wrong_by(output, lower) < FLOAT32
    assert wrong_by(output, upper) > FAR
    assert torch.equal(keys, K)
    assert torch.equal(values, V)
    assert wrong_by(operator({"Q": Q, "K": K, "V": V}, is_causal=1)[0], upper) < FLOAT32
