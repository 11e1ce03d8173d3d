"""Measure the decoder of part 6: `python -m experiments.decoder`, and its checkpoint: `... decoder shipped`.

The lesson's decoder is trained from three seeds on the lesson's text. The shipped one is larger, and learns
from Python's whole library except the held-out modules: `... decoder ship` trains it first, for
a quarter of an hour.
"""

import json
import math
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from course_utils.standins import (
    DecoderBlock,
    MultiHeadAttentionWithCache,
    generate,
    next_token_probabilities,
)
from course_utils.wild.bpe import Tokenizer, learn_merges
from course_utils.wild.decoder import without_head
from course_utils.wild.measure import WORD, bits_at, longest_copy, ngram_bits_at, parses, words_at
from course_utils.wild.text import HELD_OUT, LIBRARY, definitions, python_code
from course_utils.wild.train import CHECKPOINT, SIZE, Recipe, load_checkpoint, new_decoder, train

RECORD = Path(__file__).with_suffix(".json")
SEEDS = 0, 1, 2
SAMPLES = 20
EVERY = 16  # the tokens that are predicted, as in the lesson
NOT_READ = "test tests idlelib lib2to3 tkinter turtledemo pydoc_data encodings ensurepip msilib"

SHIPPED = replace(SIZE, d_model=128, num_heads=4, num_blocks=3, context=128)
LONG, DROPOUT = Recipe(steps=5000, batch=16, learning_rate=3e-3, weight_decay=0.3), 0.1


def whole_library():
    """Return the code of Python's whole library, except the held-out modules and those of NOT_READ."""
    names = {file.stem for file in LIBRARY.glob("[a-z_]*.py")} | {
        folder.parent.name for folder in LIBRARY.glob("*/__init__.py")
    }
    return "".join(map(definitions, sorted(names - {*HELD_OUT.split(), *NOT_READ.split()})))


@torch.no_grad()
def measure(model, tokenizer, training_text, held_out_text):
    """Measure bits per token, of the model and of n-grams, on the lesson's tokens; and samples."""
    training, held_out = tokenizer.encode(training_text), torch.tensor(tokenizer.encode(held_out_text))
    context, size = model.size.context, model.size
    places = torch.arange(context - 1, len(held_out), EVERY)
    again, new = words_at(tokenizer, held_out, places, context - 1)
    groups = {
        "all": torch.ones_like(again),
        "words that stand in the context": again,
        "words that do not": new,
    }

    def means(bits):
        return {name: round(bits[some].mean().item(), 2) for name, some in groups.items()}

    lengths = [2**n for n in range(context.bit_length() - 1)] + [context - 1]
    heads = [(block, head) for block in range(size.num_blocks) for head in range(size.num_heads)]
    uses, others = replaced_uses(tokenizer, held_out, places, context - 1)
    return {
        "tokens": {name: int(some.sum()) for name, some in groups.items()},
        "ngrams": {
            n: means(ngram_bits_at(training, held_out.tolist(), places, len(tokenizer), n)) for n in (2, 3, 4)
        },
        "by context": {length: means(bits_at(model, held_out, places, length)) for length in lengths},
        "earlier uses replaced": means(bits_after(model, uses, held_out[places])),
        "as many other words replaced": means(bits_after(model, others, held_out[places])),
        "without a head": {
            f"{block}.{head}": means(bits_at(without_head(model, block, head), held_out, places, context - 1))
            for block, head in heads
        },
        "samples": {str(t): samples(model, tokenizer, t, training_text) for t in (0.5, 1.0, 2.0)},
    }


def replaced_uses(tokenizer, tokens, places, length):
    """Return the contexts (N, length) of the places twice: with random words for all earlier uses of the next
    token but those in the last four tokens, and with random words for as many other words."""
    g = torch.Generator().manual_seed(0)
    contexts = tokens[places[:, None] + torch.arange(-length, 0)]  # (N, length)
    is_word = torch.tensor(
        [WORD.fullmatch(tokenizer.decode([token])) is not None for token in range(len(tokenizer))]
    )
    words = tokens[is_word[tokens]]
    strangers = words[torch.randint(len(words), contexts.shape, generator=g)]
    is_use = contexts == tokens[places][:, None]
    strangers = torch.where(strangers == tokens[places][:, None], strangers.roll(1, 1), strangers)
    early = torch.arange(length) < length - 4
    chance = torch.rand(contexts.shape, generator=g).masked_fill(~(is_word[contexts] & ~is_use & early), -1)
    is_use &= early
    rank = chance.argsort(1, descending=True).argsort(1)
    is_other = (rank < is_use.sum(1, keepdim=True)) & (chance >= 0)
    return torch.where(is_use, strangers, contexts), torch.where(is_other, strangers, contexts)


def bits_after(model, contexts, targets):
    """Return the bits (N,) that each target costs after its context."""
    logits = torch.cat([model(part)[0][:, -1] for part in contexts.split(128)])  # (N, vocab)
    return F.cross_entropy(logits, targets, reduction="none") / math.log(2)


@torch.no_grad()
def samples(model, tokenizer, temperature, training_text):
    g = torch.Generator().manual_seed(0)

    def choose(logits):
        return torch.multinomial(next_token_probabilities(logits, temperature, 50), 1, generator=g)[:, 0]

    start = torch.tensor([tokenizer.encode("def")] * SAMPLES)
    texts = generate(model, start, model.size.context - start.shape[1], choose).tolist()
    sample_texts = [tokenizer.decode(row) for row in texts]
    copied = longest_copy(sample_texts, training_text)
    return {"parsed": sum(map(parses, sample_texts)) / SAMPLES, "longest copy": len(copied), "it is": copied}


def train_decoder(training_text, size, recipe, seed, dropout=0.0):
    tokenizer = Tokenizer(learn_merges(training_text, size.vocab - 256))
    model = new_decoder(DecoderBlock, MultiHeadAttentionWithCache, seed, size, dropout)
    seconds = time.process_time()
    train(model, tokenizer.encode(training_text), recipe, seed)
    return model, tokenizer, round(time.process_time() - seconds, 1)


def save_checkpoint(model, tokenizer, path=CHECKPOINT):
    """Save the model's numbers as float16, the merges of the vocabulary, and the sizes."""
    values = {name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}
    merges = np.array(tokenizer.merges, dtype=np.uint16)
    np.savez(path, **values, **{"its merges": merges, "its size": json.dumps(vars(model.size))})


def main():
    torch.set_num_threads(1)
    training_text, held_out_text = python_code()
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    if "ship" in sys.argv or "shipped" in sys.argv:
        text, seconds = whole_library(), record.get("shipped", {}).get("seconds")
        if "ship" in sys.argv:
            model, tokenizer, seconds = train_decoder(text, SHIPPED, LONG, 0, DROPOUT)
            save_checkpoint(model, tokenizer)
        model, tokenizer = load_checkpoint(DecoderBlock, MultiHeadAttentionWithCache)
        record["shipped"] = measure(model, tokenizer, text, held_out_text) | {"seconds": seconds}
    else:
        for seed in SEEDS:
            model, tokenizer, seconds = train_decoder(training_text, SIZE, Recipe(), seed)
            record[str(seed)] = measure(model, tokenizer, training_text, held_out_text) | {"seconds": seconds}
            print(seed, record[str(seed)], flush=True)
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
