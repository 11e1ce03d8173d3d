"""What the decoder of part 6 is worth when it is trained from several seeds: `python -m experiments.decoder`.

Seed 0 makes the checkpoint that ships with the course. With seeds as arguments, only these are trained again.
"""

import json
import sys
import time
from pathlib import Path

import torch

from course_utils.standins import (
    DecoderBlock,
    MultiHeadAttentionWithCache,
    generate,
    next_token_probabilities,
)
from course_utils.wild.bpe import Tokenizer, learn_merges
from course_utils.wild.measure import (
    bigram_bits,
    bits_per_character,
    letters_as_tokens,
    longest_copy,
    word_share,
)
from course_utils.wild.text import prose
from course_utils.wild.train import SIZE, new_decoder, save_checkpoint, train

RECORD = Path(__file__).with_suffix(".json")
SEEDS = 0, 1, 2
TEXTS, NEW_TOKENS = 10, 60
CHOICES = ((0.5, 50), (1.0, 50), (1.2, 50), (1.0, None))  # temperature, top-k


def tables(training, held_out, tokenizer):
    """{bigram: bits a held-out character}."""
    letters, alphabet = letters_as_tokens(training, held_out)
    tokens = tokenizer.encode(training), tokenizer.encode(held_out)
    return {
        "pairs of characters": round(bigram_bits(*letters, alphabet, len(held_out)), 3),
        "pairs of tokens": round(bigram_bits(*tokens, len(tokenizer), len(held_out)), 3),
    }


def of_seed(seed, training, held_out, tokenizer):
    """Train one model and measure it; with seed 0, keep it as the checkpoint."""
    model = new_decoder(DecoderBlock, MultiHeadAttentionWithCache, seed)
    wall, cpu = time.perf_counter(), time.process_time()
    losses = train(model, tokenizer.encode(training), seed=seed)
    seconds = {"wall": time.perf_counter() - wall, "CPU": time.process_time() - cpu}
    if seed == 0:
        save_checkpoint(model, tokenizer)
    return {
        "bits": round(bits_per_character(model, tokenizer.encode(held_out), len(held_out)), 3),
        "samples": {f"{t}, {k}": samples(model, tokenizer, t, k, training) for t, k in CHOICES},
        "loss of the last 100 steps": round(sum(losses[-100:]) / 100, 3),
        "seconds": {kind: round(value, 1) for kind, value in seconds.items()},
        "threads": torch.get_num_threads(),
    }


@torch.no_grad()
def samples(model, tokenizer, temperature, top_k, training):
    """What texts that begin a paragraph hold of the training text."""
    g = torch.Generator().manual_seed(0)

    def choose(logits):
        return torch.multinomial(next_token_probabilities(logits, temperature, top_k), 1, generator=g)[:, 0]

    start = torch.tensor([tokenizer.encode("\n")] * TEXTS)
    written = [tokenizer.decode(row) for row in generate(model, start, NEW_TOKENS, choose).tolist()]
    copied = longest_copy(written, training)
    return {"words": round(word_share(written, training), 3), "longest copy": len(copied), "it is": copied}


def main():
    training, held_out = prose()
    tokenizer = Tokenizer(learn_merges(training, SIZE.vocab - 256))
    for seed in map(int, sys.argv[1:] or SEEDS):
        row = of_seed(seed, training, held_out, tokenizer)
        print(seed, json.dumps(row, indent=1), flush=True)
        record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {"seeds": {}}
        record |= {"tables": tables(training, held_out, tokenizer), "size": vars(SIZE)}
        record["seeds"] = dict(sorted((record["seeds"] | {str(seed): row}).items()))
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
