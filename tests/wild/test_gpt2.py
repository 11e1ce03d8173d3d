"""A GPT-2 that transformers itself made and saved: the same logits to 1e-4, from the learner's layers."""

import json

import pytest
import torch

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2

from .weights import wrong_by

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("other libraries")]
TOLERANCE = 1e-4
SIZES = {"vocab_size": 53, "n_positions": 17, "n_embd": 24, "n_layer": 3, "n_head": 4}
TOKENS = torch.tensor([[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 9, 7]])


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
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"n_inner": 7},
        {"activation_function": "gelu"},
        {"layer_norm_epsilon": 0.1},
        {"tie_word_embeddings": False},
        {"reorder_and_upcast_attn": True},
        {"dtype": torch.bfloat16},
    ],
    ids=str,
)
def test_logits(saved, settings, form):
    theirs, folder = saved(**settings)
    theirs.set_attn_implementation(form)
    wanted = theirs(TOKENS).logits
    assert wanted.std() > 1
    assert wrong_by(load(folder)(TOKENS)[0], wanted) < TOLERANCE


@torch.no_grad()
@pytest.mark.parametrize(
    "setting", [{"activation_function": "gelu"}, {"layer_norm_epsilon": 0.1}, {"n_head": 2}]
)
def test_another_setting_gives_other_logits(saved, setting):
    theirs, folder = saved()
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | setting))
    assert wrong_by(load(folder)(TOKENS)[0], theirs(TOKENS).logits) > 5 * TOLERANCE


@torch.no_grad()
def test_a_cache_carries_on(saved):
    theirs, folder = saved()
    ours, wanted, cache, outputs = load(folder), theirs(TOKENS).logits, None, []
    for chunk in TOKENS.split([3, 1, 2, 1], dim=1):
        logits, cache = ours(chunk, cache)
        outputs.append(logits)
    assert wrong_by(torch.cat(outputs, 1), wanted) < TOLERANCE
    stored = theirs(TOKENS, use_cache=True).past_key_values
    start = theirs(TOKENS[:, :3], use_cache=True)
    rest = theirs(TOKENS[:, 3:], past_key_values=start.past_key_values)  # it counts on from what is cached
    assert wrong_by(torch.cat([start.logits, rest.logits], 1), wanted) < TOLERANCE
    for layer, (keys, values) in zip(stored.layers, cache, strict=True):
        assert wrong_by(keys, layer.keys) < TOLERANCE
        assert wrong_by(values, layer.values) < TOLERANCE


@torch.no_grad()
def test_greedy_texts(saved):
    theirs, folder = saved(eos_token_id=None)
    ours, tokens, cache = load(folder), TOKENS, None
    wanted = theirs.generate(TOKENS, max_new_tokens=6, do_sample=False)
    logits, cache = ours(tokens)
    for _ in range(6):
        new = logits[:, -1:].argmax(-1)
        tokens = torch.cat([tokens, new], dim=1)
        logits, cache = ours(new, cache)
    assert torch.equal(tokens, wanted)


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
    """The file of "gpt2" on the hub has no prefix, and holds the causal masks of an older version."""
    safetensors = library("safetensors.torch")
    theirs, folder = saved()
    path = folder / "model.safetensors"
    plain = {
        name.removeprefix("transformer."): tensor for name, tensor in safetensors.load_file(path).items()
    }
    plain |= {f"h.{i}.attn.bias": torch.ones(17, 17).tril()[None, None].clone() for i in range(3)}
    safetensors.save_file(plain, path)
    assert wrong_by(load(folder)(TOKENS)[0], theirs(TOKENS).logits) < TOLERANCE


def test_a_tokenizer_in_the_folder_is_used(saved, library):
    tokenizers = library("tokenizers")
    words = {word: i for i, word in enumerate(["the", "cat", "sat", "<unk>"])}
    tokenizer = tokenizers.Tokenizer(library("tokenizers.models").WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = library("tokenizers.pre_tokenizers").Whitespace()
    _, folder = saved()
    tokenizer.save(str(folder / "tokenizer.json"))
    ours = load(folder)
    assert ours.encode("cat sat the").tolist() == [[1, 2, 0]]
    assert ours.decode([0, 1]) == "the cat"
    assert ours.words(torch.tensor([[2, 1]])) == ["sat", "cat"]


def test_a_hub_that_cannot_be_reached_is_told_in_one_sentence(library, monkeypatch, tmp_path):
    hub = library("huggingface_hub")
    monkeypatch.setattr(library("huggingface_hub.constants"), "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(
        OSError, match="^There is no folder nobody/no-model, and the Hugging Face hub gave no"
    ) as caught:
        load("nobody/no-model")
    assert "\n" not in str(caught.value)
    assert hub.constants.HF_HUB_OFFLINE


def test_a_name_is_fetched_from_the_hub(saved, library, monkeypatch):
    _, folder = saved()
    asked = []

    def fetched(name, **options):
        asked.append((name, options))
        return str(folder)

    monkeypatch.setattr(library("huggingface_hub"), "snapshot_download", fetched)
    assert load("gpt2")(TOKENS)[0].shape == (2, 7, 53)
    assert asked == [("gpt2", {"allow_patterns": ["config.json", "model.safetensors", "tokenizer.json"]})]
