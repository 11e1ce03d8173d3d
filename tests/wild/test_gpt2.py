"""A GPT-2 that transformers itself made and saved: the same logits to 1e-4, from the learner's layers."""

import json
import sys

import pytest
import torch

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2
from tests.conftest import ROOT
from tests.tools.executed import errors, execute_from_here, save

from .weights import wrong_by

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]
TOLERANCE = 1e-4
SIZES = {"vocab_size": 53, "n_positions": 17, "n_embd": 24, "n_layer": 3, "n_head": 4}
TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])
SETTINGS = [
    {}, {"n_inner": 7}, {"activation_function": "gelu"}, {"layer_norm_epsilon": 0.1},
    {"reorder_and_upcast_attn": True}, {"dtype": torch.bfloat16},
]  # fmt: skip


@pytest.fixture
def saved(library, tmp_path):
    """saved(n_inner=7) is a drawn model and the folder that its save_pretrained made."""
    transformers = library("transformers")

    def make(dtype=torch.float32, **settings):
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**SIZES, **settings)).eval()
        with torch.no_grad():
            for parameter in model.parameters():  # transformers draws small weights, and no biases
                parameter.normal_(std=0.7)
        model.to(dtype).save_pretrained(tmp_path / "model")
        return model.float(), tmp_path / "model"

    return make


def load(folder):
    return load_gpt2(folder, MultiHeadAttentionWithCache)


@torch.no_grad()
@pytest.mark.parametrize("form", ["eager", "sdpa"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_logits(saved, settings, form):
    theirs, folder = saved(**settings)
    theirs.set_attn_implementation(form)
    wanted = theirs(TOKENS).logits
    assert wanted.std() > 1
    assert wrong_by(load(folder)(TOKENS)[0], wanted) < TOLERANCE


@torch.no_grad()
def test_another_setting_gives_other_logits(saved):
    theirs, folder = saved()
    config = json.loads((folder / "config.json").read_text())
    for setting in ({"activation_function": "gelu"}, {"layer_norm_epsilon": 0.1}, {"n_head": 2}):
        (folder / "config.json").write_text(json.dumps(config | setting))
        assert wrong_by(load(folder)(TOKENS)[0], theirs(TOKENS).logits) > 5 * TOLERANCE


@torch.no_grad()
def test_a_cache_carries_on(saved):
    theirs, folder = saved()
    ours, cache, outputs = load(folder), None, []
    for chunk in TOKENS.split([3, 1, 2, 1], dim=1):
        logits, cache = ours(chunk, cache)
        outputs.append(logits)
    whole = theirs(TOKENS, use_cache=True)
    assert wrong_by(torch.cat(outputs, 1), whole.logits) < TOLERANCE
    start = theirs(TOKENS[:, :3], use_cache=True)
    rest = theirs(TOKENS[:, 3:], past_key_values=start.past_key_values)  # it counts on from what is cached
    assert wrong_by(torch.cat([start.logits, rest.logits], 1), whole.logits) < TOLERANCE
    for layer, (keys, values) in zip(whole.past_key_values.layers, cache, strict=True):
        assert wrong_by(keys, layer.keys) < TOLERANCE
        assert wrong_by(values, layer.values) < TOLERANCE


@torch.no_grad()
def test_greedy_texts(saved):
    theirs, folder = saved(eos_token_id=None)
    ours, tokens, new, cache = load(folder), TOKENS, TOKENS, None
    for _ in range(6):
        logits, cache = ours(new, cache)
        new = logits[:, -1:].argmax(-1)
        tokens = torch.cat([tokens, new], dim=1)
    assert torch.equal(tokens, theirs.generate(TOKENS, max_new_tokens=6, do_sample=False))


@torch.no_grad()
def test_attention_weights(saved):
    theirs, folder = saved()
    theirs.set_attn_implementation("eager")
    wanted = theirs(TOKENS[:1], output_attentions=True).attentions
    result = load(folder).attention_weights(TOKENS[:1])
    assert [weights.shape for weights in result] == [(1, 4, 7, 7)] * 3
    assert wrong_by(torch.stack(result), torch.stack(wanted)) < 1e-5


@torch.no_grad()
def test_names_and_masks_as_in_the_hubs_own_file(saved, library):
    """The file of "gpt2" on the hub has no prefix, and holds the causal masks of an older version; others
    hold the embedding twice."""
    safetensors = library("safetensors.torch")
    theirs, folder = saved()
    path = folder / "model.safetensors"
    tensors = safetensors.load_file(path).items()
    plain = {name.removeprefix("transformer."): tensor for name, tensor in tensors}
    plain |= {f"h.{i}.attn.bias": torch.ones(17, 17).tril()[None, None].clone() for i in range(3)}
    plain["lm_head.weight"] = plain["wte.weight"].clone()
    safetensors.save_file(plain, path)
    assert wrong_by(load(folder)(TOKENS)[0], theirs(TOKENS).logits) < TOLERANCE


@pytest.mark.release
@torch.no_grad()
def test_the_real_size_with_drawn_weights(library, tmp_path):
    transformers = library("transformers")
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config()).eval()
    for name, parameter in theirs.named_parameters():
        if name.endswith("bias"):
            parameter.normal_(std=0.1)
    theirs.save_pretrained(tmp_path)
    ours, tokens = load(tmp_path), torch.randint(50257, (1, 64))
    assert sum(parameter.numel() for parameter in ours.parameters()) == 124_439_808
    wanted = theirs(tokens).logits
    assert wanted.std() > 0.1
    assert wrong_by(ours(tokens)[0], wanted) < TOLERANCE


def test_a_tokenizer_in_the_folder_is_used(saved, library):
    words = {word: i for i, word in enumerate(["the", "cat", "sat", "<unk>"])}
    model = library("tokenizers.models").WordLevel(words, unk_token="<unk>")
    tokenizer = library("tokenizers").Tokenizer(model)
    tokenizer.pre_tokenizer = library("tokenizers.pre_tokenizers").Whitespace()
    _, folder = saved()
    tokenizer.save(str(folder / "tokenizer.json"))
    ours = load(folder)
    assert ours.encode("cat sat the").tolist() == [[1, 2, 0]]
    assert ours.decode([0, 1]) == "the cat"
    assert ours.words(torch.tensor([[2, 1]])) == ["sat", "cat"]


def test_a_name_is_fetched_from_the_hub(saved, library, monkeypatch, tmp_path):
    hub, folder = library("huggingface_hub"), saved()[1]
    monkeypatch.setattr(library("huggingface_hub.constants"), "HF_HUB_CACHE", str(tmp_path))
    assert hub.constants.HF_HUB_OFFLINE
    with pytest.raises(
        OSError, match="^There is no folder nobody/no-model, and the Hugging Face hub returned no"
    ) as caught:
        load("nobody/no-model")
    assert "\n" not in str(caught.value)
    calls = []
    monkeypatch.setattr(
        hub, "snapshot_download", lambda *a, **options: calls.append((*a, options)) or str(folder)
    )
    assert load("gpt2")(TOKENS)[0].shape == (2, 7, 53)
    assert calls == [("gpt2", {"allow_patterns": ["config.json", "model.safetensors", "tokenizer.json"]})]


def test_the_lesson_runs_every_library(library, tmp_path):
    for name in ("transformers", "onnx", "flax"):
        library(name)
    notebook = json.loads(
        (ROOT / "notebooks/06_in_the_wild/06_in_the_wild.ipynb").read_text(encoding="utf-8")
    )
    ran = execute_from_here(sys.executable, save(notebook, tmp_path / "lesson.ipynb"))
    outputs = [output for cell in ran.cells for output in cell.get("outputs", [])]
    assert errors(ran) == []
    printed = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "is not installed" not in printed
    assert "Llama" in printed
    for name in ("GPT-2 in transformers", "GPT-NeoX in transformers", "Flax", "ONNX Attention"):
        assert f"{name}: largest difference" in printed
