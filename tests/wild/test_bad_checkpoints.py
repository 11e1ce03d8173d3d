"""A folder that is no GPT-2, or one that this course does not compute: each gets one sentence that says what
and why."""

import pickle
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2

from .weights import CONFIG, save_gpt2


def load(folder):
    return load_gpt2(folder, MultiHeadAttentionWithCache)


def refused(folder, kind, message):
    """Loading raises this kind of error, whose text is one sentence with these words."""
    before = sys.exc_info()[1]  # an error that an earlier test of this process left behind
    with pytest.raises(kind) as caught:
        load(folder)
    text = str(caught.value)
    assert message in text
    assert text.endswith(".")
    assert "\n" not in text
    assert ". " not in text.replace(str(folder), "")
    assert caught.value.__suppress_context__ or caught.value.__context__ is before


@pytest.fixture
def folder(tmp_path):
    return save_gpt2(tmp_path / "model")


def test_a_whole_one_is_read(folder):
    tokens = torch.tensor([[3, 1, 4, 1, 5]])
    assert load(folder)(tokens)[0].shape == (1, 5, 19)


WEIGHTS, CONFIGURED = "model.safetensors", "config.json"


def with_tensors(**new):
    """A tensor that is None is left out."""

    def spoil(folder):
        tensors = load_file(folder / WEIGHTS) | {name.replace("__", "."): new[name] for name in new}
        save_file({name: tensors[name] for name in tensors if tensors[name] is not None}, folder / WEIGHTS)

    return spoil


def with_settings(**settings):
    return lambda folder: save_gpt2(folder, {}, **settings)


def with_layers(number):
    return lambda folder: save_gpt2(folder, load_file(folder / WEIGHTS), n_layer=number)


def with_config(text):
    return lambda folder: (folder / CONFIGURED).write_text(text)


def damaged(folder):
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-5])


def cut_into_several(folder):
    (folder / WEIGHTS).rename(folder / "model-00001-of-00002.safetensors")
    (folder / f"{WEIGHTS}.index.json").write_text("{}")


C_ATTN, C_PROJ = "transformer__h__0__attn__c_attn__weight", "transformer__h__1__mlp__c_proj__bias"
WPE = "transformer__wpe__weight"
SPOILT = [
    (with_tensors(transformer__h__1__attn__c_attn__weight=None), "has no tensor h.1.attn.c_attn.weight,"),
    (with_layers(3), "has no tensor h.2.attn.c_attn.weight (11 more like this)"),
    (with_tensors(score=torch.ones(2, 12)), "has a tensor score, which config.json has no place for"),
    (with_layers(1), "has a tensor h.1.attn.c_attn.bias (11 more like this)"),
    (with_tensors(**{C_ATTN: torch.ones(36, 12)}), "is (36, 12), but by config.json it is (12, 36)"),
    (with_tensors(**{C_PROJ: torch.ones(1, 12)}), "is (1, 12), but by config.json it is (12,)"),
    (with_tensors(**{WPE: torch.ones(12, 12)}), "is (12, 12), but by config.json it is (11, 12)"),
    (with_tensors(transformer__ln_f__weight=torch.ones(12).to(torch.int8)), "ln_f.weight holds torch.int8"),
    (with_tensors(lm_head__weight=torch.randn(19, 12)), "lm_head.weight and wte.weight differ"),
    (damaged, "is damaged or is no safetensors file"),
    (lambda folder: (folder / CONFIGURED).unlink(), "has no config.json, which says how many layers"),
    (lambda folder: (folder / WEIGHTS).rename(folder / "another.safetensors"), "has no model.safetensors"),
    (cut_into_several, "cut into several files"),
    (with_settings(model_type="llama"), "describes a model of type 'llama'"),
    (with_settings(n_head=5), "n_embd = 12 cannot be shared by 5 heads"),
    (with_settings(n_layer=0), "says n_layer = 0"),
    (with_settings(n_embd="12"), "says n_embd = '12'"),
    (with_settings(vocab_size=None), "says vocab_size = None"),
    (with_settings(scale_attn_weights=False), "says scale_attn_weights = False"),
    (with_settings(scale_attn_by_inverse_layer_idx=True), "says scale_attn_by_inverse_layer_idx = True"),
    (with_settings(add_cross_attention=True), "says add_cross_attention = True"),
    (with_settings(activation_function="swish"), "says activation_function = 'swish'"),
    (with_config("{"), "is not JSON"),
    (with_config("[1]"), "of type None"),
    (with_config("null"), "of type None"),
]
NOT_THERE = ("has no config.json", "has no model.safetensors")


@pytest.mark.parametrize(("spoil", "message"), SPOILT, ids=[message for _, message in SPOILT])
def test_what_is_wrong_with_a_folder_is_said(folder, spoil, message):
    spoil(folder)
    refused(folder, FileNotFoundError if message.startswith(NOT_THERE) else ValueError, message)


class Opens:
    """Unpickling it makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt"])
def test_a_pickle_is_refused_unread(folder, name, tmp_path):
    (folder / WEIGHTS).unlink()
    (folder / name).write_bytes(pickle.dumps(Opens(tmp_path / "file")))
    refused(folder, ValueError, f"{name} is a pickle, and reading one can run any code")
    refused(folder / name, ValueError, f"{name} is a pickle")
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("new_zip_format", [True, False])
def test_a_pickle_by_another_name_is_refused_unread(folder, new_zip_format):
    torch.save({"wte.weight": torch.ones(2)}, folder / WEIGHTS, _use_new_zipfile_serialization=new_zip_format)
    refused(folder, ValueError, "is a pickle")


def test_what_is_no_folder_and_a_missing_library(folder, monkeypatch):
    refused(folder / "none", FileNotFoundError, "There is no folder")
    refused("./none", FileNotFoundError, "There is no folder ./none")
    refused(folder / WEIGHTS, ValueError, "is a file: give the folder")
    for name, place in (("safetensors", folder), ("huggingface_hub", "gpt2")):
        for module in [module for module in sys.modules if module.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, name, None)
        refused(place, ModuleNotFoundError, "pip install")


def test_a_layer_whose_bias_would_be_left_out(folder):
    class Multiplies(MultiHeadAttentionWithCache):
        def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
            bare = MultiHeadAttentionWithCache(x.shape[-1], self.num_heads)
            names = ("q_proj", "k_proj", "v_proj", "out_proj")
            bare.load_state_dict({f"{name}.weight": getattr(self, name).weight for name in names})
            return bare(x, cache_k, cache_v, is_causal)

    with pytest.raises(ValueError, match=r"Multiplies does not call q_proj: write self.q_proj\(...\)"):
        load_gpt2(folder, Multiplies)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (torch.zeros(1, 12, dtype=torch.long), "has 11 positions, but there are 12 tokens"),
        (torch.zeros(2, 0, dtype=torch.long), "The prompt is empty"),
        (torch.tensor([[3, 19]]), "Token 19 is not in the vocabulary, which has 0 to 18"),
        (torch.tensor([[-1, 3]]), "Token -1 is not"),
        (torch.tensor([3, 4]), r"tokens are \(B, T\), but they are \(2,\)"),
        (torch.ones(1, 2), "tensor of integers"),
        ([[3, 4]], "tensor of integers"),
    ],
)
def test_tokens_that_do_not_fit(folder, tokens, message):
    with pytest.raises(TypeError if "tensor of" in message else ValueError, match=message):
        load(folder)(tokens)


def test_more_tokens_than_positions_with_a_cache(folder):
    model = load(folder)
    _, cache = model(torch.zeros(1, 9, dtype=torch.long))
    assert model(torch.zeros(1, 2, dtype=torch.long), cache)[0].shape == (1, 2, CONFIG["vocab_size"])
    with pytest.raises(ValueError, match="11 positions, but there are 9 cached and 3 new tokens"):
        model(torch.zeros(1, 3, dtype=torch.long), cache)


def test_without_a_tokenizer_texts_are_numbers(folder):
    model = load(folder)
    assert model.encode("3 1 4").tolist() == [[3, 1, 4]]
    assert model.decode(torch.tensor([[3, 1, 4]])) == "3 1 4"
    assert model.words(torch.tensor([3, 14])) == ["3", "14"]
    with pytest.raises(ValueError, match="and not as 'the cat'"):
        model.encode("the cat")
    with pytest.raises(ValueError, match="The prompt is empty"):
        model.encode(" ")
