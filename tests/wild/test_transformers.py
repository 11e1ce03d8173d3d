"""One weight set in the attention layers of transformers, without a download: the same numbers to 1e-12
in float64, and to 1e-6 where the library's softmax works in float32 whatever came in (GPT-NeoX and Llama)."""

import math

import pytest
import torch

from .weights import NAMES, D, H, layer_with_biases, randn, rows, wrong_by

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]
TOLERANCE, FLOAT32 = 1e-12, 1e-6
FUTURE = torch.zeros(5, 5, dtype=torch.float64).masked_fill(torch.ones(5, 5).triu(1).bool(), -math.inf)[
    None, None
]
KINDS = ("weight", "bias")


def gpt2(library, form="eager"):
    module = library("transformers.models.gpt2.modeling_gpt2")
    config = module.GPT2Config(n_embd=D, n_head=H, n_positions=16, attn_implementation=form)
    return module.GPT2Attention(config, layer_idx=0).double().eval()


@torch.no_grad()
@pytest.mark.parametrize("form", ["eager", "sdpa"])
def test_gpt2_keeps_in_by_out(library, form):
    ours, theirs, x = layer_with_biases(), gpt2(library, form), randn(2, 5, D)
    assert theirs.c_attn.weight.shape == (D, 3 * D)
    theirs.c_attn.weight.copy_(rows(ours, "weight").T)
    theirs.c_attn.bias.copy_(rows(ours, "bias"))
    theirs.c_proj.weight.copy_(ours.out_proj.weight.T)
    theirs.c_proj.bias.copy_(ours.out_proj.bias)
    assert wrong_by(theirs(x, attention_mask=FUTURE)[0], ours(x)[0]) < TOLERANCE
    alone = theirs(x)[0]  # without a mask the two forms differ
    assert (wrong_by(alone, ours(x)[0]) < TOLERANCE) == (form == "sdpa")
    assert (wrong_by(alone, ours(x, is_causal=False)[0]) < TOLERANCE) == (form == "eager")
    theirs.c_proj.weight.copy_(ours.out_proj.weight)  # square: a forgotten transpose raises nothing
    assert wrong_by(theirs(x, attention_mask=FUTURE)[0], ours(x)[0]) > 0.1


@torch.no_grad()
def test_gpt_neox_goes_head_by_head(library):
    module = library("transformers.models.gpt_neox.modeling_gpt_neox")
    config = module.GPTNeoXConfig(hidden_size=D, num_attention_heads=H, attn_implementation="eager")
    theirs = module.GPTNeoXAttention(config, layer_idx=0).double().eval()
    ours, x = layer_with_biases(), randn(2, 5, D)
    for kind in KINDS:
        fused = rows(ours, kind)
        getattr(theirs.query_key_value, kind).copy_(
            torch.cat([part[h] for h in range(H) for part in fused.view(3, H, 4, *fused.shape[1:])])
        )
    theirs.dense.load_state_dict(ours.out_proj.state_dict())
    still = (torch.ones(1, 5, 4), torch.zeros(1, 5, 4))  # cos and sin of angle 0: nothing is rotated
    assert wrong_by(theirs(x, FUTURE, position_embeddings=still)[0], ours(x)[0]) < FLOAT32
    for kind in KINDS:
        getattr(theirs.query_key_value, kind).copy_(rows(ours, kind))
    assert wrong_by(theirs(x, FUTURE, position_embeddings=still)[0], ours(x)[0]) > 0.1


@torch.no_grad()
def test_llama_repeats_neighbours(library):
    module = library("transformers.models.llama.modeling_llama")
    x = randn(2, 2, 5, 4)
    assert torch.equal(module.repeat_kv(x, 3), x.repeat_interleave(3, 1))
    config = module.LlamaConfig(
        hidden_size=D,
        num_attention_heads=6,
        num_key_value_heads=2,
        attention_bias=True,
        attn_implementation="eager",
    )
    theirs = module.LlamaAttention(config, layer_idx=0).double().eval()
    ours, x = layer_with_biases(kv_heads=2), randn(2, 5, D)
    for name, its in zip(NAMES, ("q_proj", "k_proj", "v_proj", "o_proj"), strict=True):
        getattr(theirs, its).load_state_dict(getattr(ours, name).state_dict())
    still = (torch.ones(1, 5, 2), torch.zeros(1, 5, 2))
    assert wrong_by(theirs(x, still, FUTURE)[0], ours(x)[0]) < FLOAT32


def test_a_tokenizer_says_one_for_attend(library):
    """A left-padded prompt gives what the prompt alone gives, with 1 for what may be attended to."""
    transformers = library("transformers")
    sizes = {"vocab_size": 19, "n_positions": 16, "n_embd": D, "n_layer": 2, "n_head": H}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, initializer_range=0.5)).eval()
    alone = torch.tensor([[3, 1, 4]])
    padded, items = torch.tensor([[0, 0, 3, 1, 4]]), torch.tensor([[0, 0, 1, 1, 1]])
    places = torch.tensor([[0, 0, 0, 1, 2]])
    with torch.no_grad():
        wanted = model(alone).logits
        right = model(padded, attention_mask=items, position_ids=places).logits[:, 2:]
        swapped = model(padded, attention_mask=1 - items, position_ids=places).logits[:, 2:]
        counted = model(padded, attention_mask=items, position_ids=torch.arange(5)[None]).logits[:, 2:]
    assert wrong_by(right, wanted) < 1e-5
    assert wrong_by(swapped, wanted) > 0.1
    assert wrong_by(counted, wanted) > 0.1


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
