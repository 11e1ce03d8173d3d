"""Try part 5's repeated-word model on other texts and without some heads, and measure what heads write.

`python -m experiments.limits` takes about two minutes on one core and writes experiments/limits.json.
"""

import json
from functools import partial
from pathlib import Path

import torch

from course_utils.standins import MultiHeadSelfAttention, head_scores
from course_utils.world import LETTERS, NO_ANSWER, REPEATS, repeated_word, right_letters, train

from .heads import SEEDS, weights_of

RECORD = Path(__file__).with_suffix(".json")
T = REPEATS.length


def word_of(batch_size, length, g, letters):
    """Make a batch like `world.repeated_word`, with words of exactly this many letters."""
    shuffled = torch.rand(batch_size, len(LETTERS), generator=g).argsort(1)  # (B, 26)
    prefix = torch.randint(0, min(15, length - letters - 1), (batch_size, 1), generator=g)  # (B, 1)
    position = torch.arange(length)
    place = torch.where(position < prefix, letters + position, (position - prefix) % letters)  # (B, T)
    tokens = shuffled.gather(1, place)  # (B, T)
    asked = (position >= prefix + letters) & (position < length - 1)
    return tokens, torch.where(asked, tokens.roll(-1, 1), NO_ANSWER)


def with_gaps(batch_size, length, g):
    """Make texts (B, T) in which a word of 4 to 8 letters returns after gaps of 1 to 3 other letters.

    Each letter of the gaps occurs once. Asked: the next letter inside the second copy and later ones (B, T),
    not what follows a copy.
    """
    shuffled = torch.rand(batch_size, len(LETTERS), generator=g).argsort(1)  # (B, 26)
    places = torch.full((batch_size, length), -1)
    asked = torch.zeros(batch_size, length, dtype=torch.bool)
    for b in range(batch_size):
        word = int(torch.randint(4, 9, (), generator=g))
        other, t, copy = word, int(torch.randint(0, 5, (), generator=g)), 0
        while t < length:
            end = min(t + word, length)
            places[b, t:end] = torch.arange(end - t)
            asked[b, t : end - 1] = copy > 0
            t, copy = end + int(torch.randint(1, 4, (), generator=g)), copy + 1
        gaps = places[b] < 0
        places[b, gaps] = torch.arange(other, other + int(gaps.sum()))
    tokens = shuffled.gather(1, places)  # (B, T)
    return tokens, torch.where(asked, tokens.roll(-1, 1), NO_ANSWER)


def with_a_letter_twice(batch_size, length, g, only=None):
    """Make texts (B, T) that repeat a word of 5 to 8 letters, two of which are the same and not neighbours.

    Asked as in training; with `only` "after it", only what follows that letter; with "elsewhere", the rest.
    """
    shuffled = torch.rand(batch_size, len(LETTERS), generator=g).argsort(1)  # (B, 26)
    places = torch.zeros(batch_size, length, dtype=torch.long)
    asked = torch.zeros(batch_size, length, dtype=torch.bool)
    for b in range(batch_size):
        word = torch.arange(int(torch.randint(5, 9, (), generator=g)))
        first = int(torch.randint(0, len(word) - 3, (), generator=g))
        word[first + 2] = first  # such as "abcbe"
        prefix = int(torch.randint(0, 15, (), generator=g))
        copies = word.repeat(length)[: length - prefix]
        places[b] = torch.cat([8 + torch.arange(prefix), copies])
        asked[b, prefix + len(word) : -1] = True
        twice = places[b] == first
        if only:
            asked[b] &= twice if only == "after it" else ~twice
    tokens = shuffled.gather(1, places)  # (B, T)
    return tokens, torch.where(asked, tokens.roll(-1, 1), NO_ANSWER)


TEXTS = {
    "as in training": repeated_word,
    "words of 3 letters": partial(word_of, letters=3),
    "words of 10 letters": partial(word_of, letters=10),
    "words of 12 letters": partial(word_of, letters=12),
    "copies with gaps": with_gaps,
    "a letter twice": with_a_letter_twice,
    "a letter twice, after it": partial(with_a_letter_twice, only="after it"),
    "a letter twice, elsewhere": partial(with_a_letter_twice, only="elsewhere"),
}


def right(model, make_batch=repeated_word):
    return round(right_letters(model, make_batch), 2)


def part_of(head):
    """Return the columns of W_o that read this head."""
    d_head = REPEATS.d_model // REPEATS.num_heads
    return slice(head * d_head, (head + 1) * d_head)


@torch.no_grad()
def share_without(model, heads, keep_mean):
    """Return the share of right answers if these heads of one layer write nothing, or always their mean."""
    layer = model.layers[heads[0][0]]
    tokens, _ = REPEATS.make_batch(512, T, torch.Generator().manual_seed(1))
    h = model.stream(tokens)[heads[0][0]]  # (B, T, d_model)
    saved_weight, whole = layer.W_o.weight.clone(), layer(h, is_causal=True)
    for _, head in heads:
        layer.W_o.weight[:, part_of(head)] = 0
    mean = (whole - layer(h, is_causal=True)).mean((0, 1))  # (d_model,)
    hook = layer.register_forward_hook(lambda *arguments: arguments[-1] + mean * keep_mean)
    share = right(model)
    hook.remove()
    layer.W_o.weight.copy_(saved_weight)
    return share


@torch.no_grad()
def roles(model):
    """Return {role: [(layer, head)]}; the helper is the head with the best score for the previous letter."""
    tokens, _ = REPEATS.make_batch(256, T, torch.Generator().manual_seed(1))
    helper = head_scores(weights_of(model, tokens)[0])["previous"].argmax().item()
    return {
        "helper": [(0, helper)],
        "other head of layer 0": [(0, 1 - helper)],
        "induction head 0": [(1, 0)],
        "induction head 1": [(1, 1)],
        "both induction heads": [(1, 0), (1, 1)],
    }


@torch.no_grad()
def lengths(model, heads):
    """Return mean norms: of a head's values after W_o, of the value of token 0, of what the head adds, and of
    the residual stream to which it adds that."""
    ((layer, head),) = heads
    tokens, _ = REPEATS.make_batch(512, T, torch.Generator().manual_seed(1))
    h, weights = model.stream(tokens)[layer], weights_of(model, tokens)[layer][:, head]  # (B, T, T)
    part, module = part_of(head), model.layers[layer]
    values = module.W_v(h)[..., part] @ module.W_o.weight[:, part].T  # (B, T, d_model)
    vectors = {"values": values, "value of token 0": values[:, 0], "adds": weights @ values, "stream": h}
    return {name: round(x.norm(dim=-1).mean().item(), 1) for name, x in vectors.items()}


def seed_by_seed(seed):
    model, _ = train(MultiHeadSelfAttention, REPEATS, seed)
    heads_by_role = roles(model)
    return {
        "right": {name: right(model, texts) for name, texts in TEXTS.items()},
        "right without": {
            name: {
                "nothing": share_without(model, heads, False),
                "its mean": share_without(model, heads, True),
            }
            for name, heads in heads_by_role.items()
        },
        "lengths": {name: lengths(model, heads) for name, heads in heads_by_role.items() if len(heads) == 1},
    }


def main():
    torch.set_num_threads(1)
    table = {}
    for seed in SEEDS:
        table[seed] = seed_by_seed(seed)
        print(seed, json.dumps(table[seed]), flush=True)
    RECORD.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
