"""A folder that is not a GPT-2, or not one that this course can compute, is refused in one sentence."""

import json
import pickle
import re
from functools import partial

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_utils.standins import MultiHeadAttentionWithCache
from course_utils.wild import load_gpt2
from course_utils.wild.checkpoint import read_config, shapes_of

WEIGHTS = "model.safetensors"
CONFIG = {
    "model_type": "gpt2", "vocab_size": 19, "n_positions": 11, "n_embd": 12, "n_layer": 2, "n_head": 3,
}  # fmt: skip
load = partial(load_gpt2, attention_class=MultiHeadAttentionWithCache)


@pytest.fixture
def folder(tmp_path):
    """A GPT-2 with random weights, as transformers saves it."""
    place = tmp_path / "model"
    place.mkdir()
    (place / "config.json").write_text(json.dumps(CONFIG))
    shapes = shapes_of(read_config(place))
    save_file({f"transformer.{name}": torch.randn(*shape) for name, shape in shapes.items()}, place / WEIGHTS)
    return place


def with_tensor(name, tensor):
    """A function that replaces a tensor in the folder's weights, or removes it if `tensor` is None."""

    def spoil(folder):
        tensors = load_file(folder / WEIGHTS) | {f"transformer.{name}": tensor}
        save_file({name: value for name, value in tensors.items() if value is not None}, folder / WEIGHTS)

    return spoil


def with_settings(**settings):
    return lambda folder: (folder / "config.json").write_text(json.dumps(CONFIG | settings))


SETTINGS = {"model_type": "llama", "scale_attn_weights": False, "scale_attn_by_inverse_layer_idx": True}
SETTINGS |= {"add_cross_attention": True, "tie_word_embeddings": False, "activation_function": "swish"}
BAD_FOLDERS = [
    *((with_settings(**{k: v}), f"says {k} = {v!r}") for k, v in (SETTINGS | {"n_layer": None}).items()),
    (with_tensor("h.1.attn.c_attn.weight", None), "has no tensor h.1.attn.c_attn.weight,"),
    (with_settings(n_layer=3), "has no tensor h.2.attn.c_attn.weight (11 more like this)"),
    (with_tensor("score", torch.ones(2, 12)), "has a tensor score, which config.json does not describe"),
    (with_settings(n_layer=1), "has a tensor h.1.attn.c_attn.bias (11 more like this)"),
    (with_tensor("h.0.attn.c_attn.weight", torch.ones(36, 12)), "is (36, 12), but config.json says (12,"),
    (with_tensor("h.1.mlp.c_proj.bias", torch.ones(1, 12)), "is (1, 12), but config.json says (12,)"),
    (with_tensor("wpe.weight", torch.ones(12, 12)), "is (12, 12), but config.json says (11, 12)"),
    (with_tensor("lm_head.weight", torch.ones(19, 12)), "output weights differ from its embedding;"),
    (with_settings(n_head=5), "n_embd = 12 cannot be shared by 5 heads."),
    (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
    (lambda folder: (folder / "config.json").write_text("{"), "config.json cannot be read: Expecting"),
    (lambda folder: (folder / WEIGHTS).write_bytes(b"1"), f"{WEIGHTS} cannot be read: Error while"),
    (lambda folder: folder.rename(f"{folder}s") and folder.write_text(""), "is a file: give the folder"),
    (lambda folder: (folder / WEIGHTS).rename(folder / "another.safetensors"), "has no model.safetensors"),
]


@pytest.mark.parametrize(("spoil", "message"), BAD_FOLDERS, ids=[message for _, message in BAD_FOLDERS])
def test_a_checkpoint_folder_that_cannot_be_loaded_is_refused_with_the_reason(folder, spoil, message):
    assert load(folder)(torch.tensor([[3, 1, 4, 1, 5]]))[0].shape == (1, 5, 19)
    spoil(folder)
    with pytest.raises((ValueError, FileNotFoundError), match=rf"{re.escape(message)}(.*\.)?\Z"):
        load(folder)


class Opens:
    """Unpickling an object of this class creates a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize(
    ("name", "message"),
    [("pytorch_model.bin", "pytorch_model.bin is a pickle"), ("model.pt", "is a pickle"), (WEIGHTS, "eader")],
)
def test_a_pickle_is_refused_without_unpickling_whatever_its_file_name(folder, name, message, tmp_path):
    (folder / WEIGHTS).unlink()
    (folder / name).write_bytes(pickle.dumps(Opens(tmp_path / "file")))
    with pytest.raises(ValueError, match=message):
        load(folder)
    assert not (tmp_path / "file").exists()


def test_a_layer_that_bypasses_its_projection_modules_is_refused(folder):
    class Multiplies(MultiHeadAttentionWithCache):
        def forward(self, x, cache_k=None, cache_v=None):
            Q = x @ self.q_proj.weight.T
            return self.out_proj(Q + self.k_proj(x) + self.v_proj(x)), Q, Q

    with pytest.raises(ValueError, match=r"Multiplies does not call q_proj: write self.q_proj\(...\)"):
        load_gpt2(folder, Multiplies)


def test_empty_and_too_long_prompts_are_refused_also_with_a_cache(folder):
    model = load(folder)
    tokens = torch.zeros(1, 12, dtype=torch.long)
    _, cache = model(tokens[:, :9])
    assert model(tokens[:, :2], cache)[0].shape == (1, 2, CONFIG["vocab_size"])
    for new, so_far in ((tokens, None), (tokens[:, :3], cache)):
        with pytest.raises(ValueError, match="has 11 positions, but there are 12 tokens"):
            model(new, so_far)
    with pytest.raises(ValueError, match="empty"):
        model(tokens[:, :0])


def test_without_a_tokenizer_texts_are_token_ids(folder):
    model = load(folder)
    assert model.encode("3 1 4").tolist() == [[3, 1, 4]]
    assert model.decode(torch.tensor([[3, 1, 4]])) == "3 1 4"
    assert model.words(torch.tensor([3, 14])) == ["3", "14"]
    with pytest.raises(ValueError, match="Without tokenizer.json, .* and not 'the cat'"):
        model.encode("the cat")
