"""Measure the decoder of part 6: `python -m experiments.decoder`; train its checkpoint: `... decoder ship`.

The lesson's decoder is trained from three seeds on the lesson's text. The shipped one is larger, learns from
Python's whole library except the held-out modules, and takes about half an hour.
"""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from course_utils.standins import (
    DecoderBlock,
    MultiHeadAttentionWithCache,
    generate,
    next_token_probabilities,
)
from course_utils.wild.bpe import Tokenizer, learn_merges
from course_utils.wild.measure import bits_by_context, bits_per_character, longest_copy, ngram_bits, parses
from course_utils.wild.text import HELD_OUT, LIBRARY, definitions, python_code
from course_utils.wild.train import CHECKPOINT, SIZE, Recipe, new_decoder, train

RECORD = Path(__file__).with_suffix(".json")
SEEDS = 0, 1, 2
SAMPLES = 20
NOT_READ = "test tests idlelib lib2to3 tkinter turtledemo pydoc_data encodings ensurepip msilib"

SHIPPED = replace(SIZE, d_model=128, num_heads=4, num_blocks=3, context=128)
LONG, DROPOUT = Recipe(steps=5000, batch=16, learning_rate=3e-3, weight_decay=0.3), 0.1


def whole_library():
    """Return the code of Python's whole library, except the held-out modules and those of NOT_READ."""
    names = {file.stem for file in LIBRARY.glob("[a-z_]*.py")} | {
        folder.parent.name for folder in LIBRARY.glob("*/__init__.py")
    }
    return "".join(map(definitions, sorted(names - {*HELD_OUT.split(), *NOT_READ.split()})))


def measure(model, tokenizer, training_text, held_out_text):
    """Measure bits per character, of the model and of n-gram tables, and what samples are like."""
    training, held_out = tokenizer.encode(training_text), tokenizer.encode(held_out_text)
    characters, context = len(held_out_text), model.size.context
    lengths = [2**n for n in range(context.bit_length() - 1)] + [context - 1]
    by_context = bits_by_context(model, held_out, characters, lengths)
    return {
        "bits": round(bits_per_character(model, held_out, characters), 3),
        "tables": {
            n: round(ngram_bits(training, held_out, len(tokenizer), characters, n), 3) for n in (2, 3, 4)
        },
        "by context": {length: round(bits, 3) for length, bits in by_context.items()},
        "samples": {str(t): samples(model, tokenizer, t, training_text) for t in (0.5, 1.0, 2.0)},
    }


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
    if "ship" in sys.argv:
        text = whole_library()
        model, tokenizer, seconds = train_decoder(text, SHIPPED, LONG, 0, DROPOUT)
        save_checkpoint(model, tokenizer)
        record["shipped"] = measure(model, tokenizer, text, held_out_text) | {"seconds": seconds}
    else:
        for seed in SEEDS:
            model, tokenizer, seconds = train_decoder(training_text, SIZE, Recipe(), seed)
            record[str(seed)] = measure(model, tokenizer, training_text, held_out_text) | {"seconds": seconds}
            print(seed, record[str(seed)], flush=True)
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
