"""GPT-2 saved by transformers gives the same logits, to 1e-4; ONNX's attention agrees with PyTorch's."""

from functools import partial
from importlib import import_module

import pytest
import torch
from torch.nn.attention.bias import causal_lower_right, causal_upper_left
from torch.nn.functional import scaled_dot_product_attention

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2
from course_utils.wild.others import onnx_attention

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]
SIZES = {"vocab_size": 53, "n_positions": 17, "n_embd": 24, "n_layer": 3, "n_head": 4}
TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])
SETTINGS = [
    {}, {"n_inner": 7}, {"activation_function": "gelu"}, {"layer_norm_epsilon": 0.1},
    {"reorder_and_upcast_attn": True}, {"dtype": torch.bfloat16},
]  # fmt: skip
load = partial(load_gpt2, attention_class=MultiHeadAttentionWithCache)
assert_close = partial(torch.testing.assert_close, atol=1e-4, rtol=0)


@pytest.fixture
def saved_model(tmp_path):
    """saved_model(n_inner=7) returns a random model and the folder into which save_pretrained wrote it."""
    transformers = import_module("transformers")

    def make(dtype=torch.float32, **settings):
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**SIZES, **settings)).eval()
        for parameter in model.requires_grad_(
            False
        ).parameters():  # transformers draws small weights, and no biases
            parameter.normal_(std=0.7)
        model.to(dtype).save_pretrained(tmp_path / "model")
        return model.float(), tmp_path / "model"

    return make


@pytest.mark.parametrize("form", ["eager", "sdpa"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_logits_equal_those_of_transformers(saved_model, settings, form):
    gpt2, folder = saved_model(**settings)
    gpt2.set_attn_implementation(form)
    wanted = gpt2(TOKENS).logits
    assert wanted.std() > 1
    assert_close(load(folder)(TOKENS)[0], wanted)


def test_chunks_with_a_cache_give_the_logits_and_cache_of_transformers(saved_model):
    gpt2, folder = saved_model()
    model, cache, outputs = load(folder), None, []
    for chunk in TOKENS.split([3, 1, 2, 1], dim=1):
        logits, cache = model(chunk, cache)
        outputs.append(logits)
    whole = gpt2(TOKENS, use_cache=True)
    assert_close(torch.cat(outputs, 1), whole.logits)
    assert_close(cache, [(layer.keys, layer.values) for layer in whole.past_key_values.layers])


def test_attention_weights_equal_those_of_transformers(saved_model):
    gpt2, folder = saved_model()
    gpt2.set_attn_implementation("eager")
    wanted = gpt2(TOKENS[:1], output_attentions=True).attentions
    torch.testing.assert_close(load(folder).attention_weights(TOKENS[:1]), [*wanted], atol=1e-5, rtol=0)


def test_unprefixed_names_old_masks_and_a_repeated_embedding_are_accepted(saved_model):
    """The hub's "gpt2" has names without prefix, and old causal masks; others hold the embedding twice."""
    safetensors = import_module("safetensors.torch")
    gpt2, folder = saved_model()
    path = folder / "model.safetensors"
    tensors = safetensors.load_file(path).items()
    plain = {name.removeprefix("transformer."): tensor for name, tensor in tensors}
    plain |= {f"h.{i}.attn.bias": torch.ones(17, 17).tril()[None, None].clone() for i in range(3)}
    plain["lm_head.weight"] = plain["wte.weight"].clone()
    safetensors.save_file(plain, path)
    assert_close(load(folder)(TOKENS)[0], gpt2(TOKENS).logits)


def test_a_tokenizer_in_the_folder_is_used(saved_model):
    words = {word: i for i, word in enumerate(["the", "cat", "sat", "<unk>"])}
    model = import_module("tokenizers.models").WordLevel(words, unk_token="<unk>")
    tokenizer = import_module("tokenizers").Tokenizer(model)
    tokenizer.pre_tokenizer = import_module("tokenizers.pre_tokenizers").Whitespace()
    _, folder = saved_model()
    tokenizer.save(str(folder / "tokenizer.json"))
    gpt2 = load(folder)
    assert gpt2.encode("cat sat the").tolist() == [[1, 2, 0]]
    assert gpt2.decode([0, 1]) == "the cat"
    assert gpt2.words(torch.tensor([[2, 1]])) == ["sat", "cat"]


def test_a_model_name_is_downloaded_from_the_hub_and_a_failure_is_explained(
    saved_model, monkeypatch, tmp_path
):
    hub, folder = import_module("huggingface_hub"), saved_model()[1]
    monkeypatch.setattr(import_module("huggingface_hub.constants"), "HF_HUB_CACHE", str(tmp_path))
    assert hub.constants.HF_HUB_OFFLINE
    refusal = r"^There is no folder nobody/no-model, and the Hugging Face hub returned no .+\Z"
    with pytest.raises(OSError, match=refusal):
        load("nobody/no-model")
    calls = []
    monkeypatch.setattr(
        hub, "snapshot_download", lambda *name, **options: calls.append((name, options)) or folder
    )
    assert load("gpt2")(TOKENS)[0].shape == (2, 7, 53)
    files = ["config.json", "model.safetensors", "tokenizer.json"]
    assert calls == [(("gpt2",), {"allow_patterns": files})]


@pytest.mark.parametrize("opset", [23, 24])
def test_onnx_aligns_the_causal_mask_to_the_past_only_if_there_is_a_past(opset):
    """With past_key, is_causal=1 aligns the mask to the bottom right; without it, to the top left."""
    Q, K, V = (torch.randn(2, 3, T, 4) for T in (2, 5, 5))
    past = {"past_key": K[:, :, :3], "past_value": V[:, :, :3]}
    whole, new = {"Q": Q, "K": K, "V": V}, {"Q": Q, "K": K[:, :, 3:], "V": V[:, :, 3:]}
    for inputs, mask in ((whole, causal_upper_left), (new | past, causal_lower_right)):
        (output,) = onnx_attention(inputs, opset=opset, is_causal=1)
        wanted = scaled_dot_product_attention(Q, K, V, attn_mask=mask(2, 5))
        torch.testing.assert_close(output, wanted, atol=1e-5, rtol=0)
