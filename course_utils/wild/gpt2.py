"""A GPT-2 made of the learner's own attention layers: a checkpoint goes in, a model comes out."""

import torch
from torch import nn
from torch.nn import functional as F

from ..yours import yours
from .checkpoint import TOKENIZER, read_checkpoint
from .decoder import attention_weights

LAYERS = ("q_proj", "k_proj", "v_proj", "out_proj")
KINDS = ("weight", "bias")


def load_gpt2(folder_or_name, attention_class=None):
    """Load a GPT-2 from a checkpoint, in float32, in eval mode and without gradients.

    folder_or_name:  a folder with config.json and model.safetensors (and, for texts, tokenizer.json), as
        transformers saves them; or a model's name on the Hugging Face hub, such as "gpt2"
    attention_class:  a MultiHeadAttentionWithCache, by default the learner's own; its four layers are
        replaced by layers with biases

    model(tokens, cache=None) returns (logits, cache); model.attention_weights(tokens) the weights of all
    heads; model.encode(text) and model.decode(tokens) convert between texts and tokens. Raises an error of
    one sentence if a file is missing or a pickle, if the settings or the weights for the logits need another
    arithmetic, or if a tensor is missing, unexpected or of the wrong shape.
    """
    checkpoint = read_checkpoint(folder_or_name)
    model = GPT2(checkpoint, attention_class or yours("MultiHeadAttentionWithCache"))
    with torch.no_grad():
        fill(model, checkpoint.tensors)
    model.eval().requires_grad_(False)
    check_that_layers_are_called(model)
    return model


class GPT2(nn.Module):
    """Token and position embeddings, blocks, a final norm, and logits: products with the token embeddings."""

    def __init__(self, checkpoint, attention_class):
        super().__init__()
        self.tokenizer = checkpoint.tokenizer
        self.config = config = checkpoint.config
        D = config["n_embd"]
        self.wte = nn.Embedding(config["vocab_size"], D)
        self.wpe = nn.Embedding(config["n_positions"], D)
        self.blocks = nn.ModuleList(Block(config, attention_class) for _ in range(config["n_layer"]))
        self.ln_f = nn.LayerNorm(D, eps=config["layer_norm_epsilon"])

    def forward(self, tokens, cache=None):
        """Read new tokens (B, T), which follow the cached ones: logits (B, T, vocab), and the longer cache.

        cache: (cache_k, cache_v) for each block, as returned by the previous call; None at the start
        """
        cached = cache[0][0].shape[2] if cache else 0
        cache = cache or [(None, None)] * len(self.blocks)
        total, positions = cached + tokens.shape[1], self.config["n_positions"]
        if tokens.numel() == 0:
            raise ValueError(f"The prompt is empty, {tuple(tokens.shape)}: begin with at least one token.")
        if total > positions:
            raise ValueError(f"The model has {positions} positions, but there are {total} tokens.")
        places = torch.arange(cached, total, device=tokens.device)
        h = self.wte(tokens) + self.wpe(places)  # (B, T, D)
        new_cache = []
        for block, block_cache in zip(self.blocks, cache, strict=True):
            h, *block_cache = block(h, *block_cache)  # (B, T, D)
            new_cache.append(tuple(block_cache))
        return F.linear(self.ln_f(h), self.wte.weight), new_cache

    def attention_weights(self, tokens):
        """Return the weights (1, H, T, T) of each block for tokens (1, T), as explore_heads takes them."""
        return attention_weights(self, tokens)

    def encode(self, text):
        """Convert a text to tokens (1, T); without a tokenizer, the text is token numbers: "464 3797"."""
        if self.tokenizer:
            return torch.tensor([self.tokenizer.encode(text).ids])
        try:
            return torch.tensor([[int(number) for number in text.split()]])
        except ValueError:
            raise ValueError(
                f"Without {TOKENIZER}, or the library tokenizers that reads it, a text is numbers, such as "
                f'"464 3797", and not {text!r}.'
            ) from None

    def decode(self, tokens):
        """Convert tokens (T,) or (1, T) to a text."""
        numbers = torch.as_tensor(tokens).flatten().tolist()
        if self.tokenizer:
            return self.tokenizer.decode(numbers, skip_special_tokens=False)
        return " ".join(map(str, numbers))

    def words(self, tokens):
        """Return the text of each token in (T,) or (1, T), for pictures."""
        return [self.decode(token) for token in torch.as_tensor(tokens).flatten()]


class Block(nn.Module):
    """Attention, then an MLP: each reads a normalised copy of the stream, to which its output is added."""

    def __init__(self, config, attention_class):
        super().__init__()
        D, eps = config["n_embd"], config["layer_norm_epsilon"]
        self.ln_1, self.ln_2 = nn.LayerNorm(D, eps=eps), nn.LayerNorm(D, eps=eps)
        self.attention = attention_class(D, config["n_head"])
        for name in LAYERS:
            setattr(self.attention, name, nn.Linear(D, D))
        self.mlp = nn.Sequential(
            nn.Linear(D, config["n_inner"]),
            nn.GELU(config["gelu"]),  # GPT-2 itself was trained with the tanh approximation
            nn.Linear(config["n_inner"], D),
        )

    def forward(self, stream, cache_k=None, cache_v=None):
        attended, *block_cache = self.attention(self.ln_1(stream), cache_k, cache_v)
        stream = torch.add(stream, attended)  # (B, T, D)
        return stream.add(self.mlp(self.ln_2(stream))), *block_cache


def fill(model, tensors):
    """Copy the checkpoint's tensors into the model. Conv1D weights are (in, out): they are transposed."""
    names = {"wte": model.wte, "wpe": model.wpe, "ln_f": model.ln_f}
    for i, block in enumerate(model.blocks):
        names |= {f"h.{i}.ln_1": block.ln_1, f"h.{i}.ln_2": block.ln_2}
        convs = {
            f"h.{i}.attn.c_attn": [getattr(block.attention, name) for name in LAYERS[:3]],
            f"h.{i}.attn.c_proj": [block.attention.out_proj],
            f"h.{i}.mlp.c_fc": [block.mlp[0]],
            f"h.{i}.mlp.c_proj": [block.mlp[2]],
        }
        for name, layers in convs.items():
            weights, biases = (tensors[f"{name}.{kind}"].tensor_split(len(layers), -1) for kind in KINDS)
            for layer, weight, bias in zip(layers, weights, biases, strict=True):
                layer.weight.copy_(weight.mT)
                layer.bias.copy_(bias)
    for name, layer in names.items():
        for kind, parameter in layer.named_parameters():
            parameter.copy_(tensors[f"{name}.{kind}"])


def check_that_layers_are_called(model):
    """Raise ValueError if the class does not call each of its layers: q_proj.weight alone has no bias."""
    layers_called, attention = set(), model.blocks[0].attention
    hooks = [
        getattr(attention, name).register_forward_hook(lambda *_, name=name: layers_called.add(name))
        for name in LAYERS
    ]
    model(torch.zeros(1, 1, dtype=torch.long))
    for hook in hooks:
        hook.remove()
    if uncalled := [name for name in LAYERS if name not in layers_called]:
        raise ValueError(
            f"GPT-2's layers have biases, but {type(attention).__name__} does not call {uncalled[0]}: write "
            f"self.{uncalled[0]}(...) where its weight is used."
        )
