"""Measure language models: bits per character, also by context and of n-grams, and what samples are like."""

import ast
import math
from collections import Counter

import torch
from torch.nn import functional as F

from ..former import former_names

__getattr__ = former_names(__name__, "bigram_bits letters_as_tokens word_share", up_to="2026-11-24")
DISCOUNT = 0.75  # a usual value; Kneser-Ney subtracts it from each count in favour of unseen runs


@torch.no_grad()
def bits_per_character(model, tokens, characters):
    """Return the bits that the model needs per character of a text with these tokens.

    The text is read in windows as long as the model's context. Only the second half of a window counts, so
    that every token (but the first ones) has at least half a window before it.
    """
    tokens, half, total = torch.as_tensor(tokens), model.size.context // 2, 0.0
    for start in range(0, len(tokens) - 1, half):
        begin = max(0, start - half)
        window = tokens[begin : start + half + 1]
        logits, _ = model(window[None, :-1])  # (1, T, vocab)
        nats = F.cross_entropy(logits[0], window[1:], reduction="none")  # (T,)
        total += nats[start - begin :].sum().item()
    return total / math.log(2) / characters


@torch.no_grad()
def bits_by_context(model, tokens, characters, lengths, every=8):
    """Return {number of tokens that the model sees: bits per character}, measured on the same tokens."""
    tokens = torch.as_tensor(tokens)
    targets = torch.arange(max(lengths), len(tokens), every)  # (N,)
    bits = {}
    for length in lengths:
        contexts = tokens[targets[:, None] + torch.arange(-length, 0)]  # (N, length)
        logits = torch.cat([model(part)[0][:, -1] for part in contexts.split(128)])  # (N, vocab)
        nats = F.cross_entropy(logits, tokens[targets]).item()  # per token
        bits[length] = nats / math.log(2) * len(tokens) / characters
    return bits


def ngram_bits(training, held_out, vocab, characters, length):
    """Return the bits per character of counted runs of `length` tokens, with Kneser-Ney smoothing."""
    tables = count_runs(training, length)
    runs = (tuple(held_out[max(0, end - length) : end]) for end in range(2, len(held_out) + 1))
    return -sum(math.log2(probability(tables, run, vocab)) for run in runs) / characters


def count_runs(tokens, length):
    """Count runs of 1 to `length` tokens: for each size, (counts, totals, ends).

    counts is {run: count}; totals and ends are, for each run without its last token, the sum of the counts
    and the number of different last tokens. The count of a run shorter than `length` is the number of
    different tokens before it (Kneser and Ney).
    """
    counts, tables = Counter(zip(*(tokens[i:] for i in range(length)), strict=False)), []
    for _ in range(length):
        totals, ends = Counter(), Counter()
        for run, count in counts.items():
            totals[run[:-1]] += count
            ends[run[:-1]] += 1
        tables.insert(0, (counts, totals, ends))
        counts = Counter(run[1:] for run in counts)
    return tables


def probability(tables, run, vocab):
    """Return the probability of a run's last token after the others; the discount goes to shorter runs."""
    p = 1 / vocab
    for size, (counts, totals, ends) in enumerate(tables, 1):
        part = run[-size:]
        if total := totals[part[:-1]]:
            p = (max(counts[part] - DISCOUNT, 0) + DISCOUNT * ends[part[:-1]] * p) / total
    return p


def parses(code):
    """Is the first function or class valid Python? A last line that is cut off does not count."""
    first, end, _ = code.partition("\n\n")
    try:
        ast.parse(first if end else first.rpartition("\n")[0])
    except (SyntaxError, ValueError):
        return False
    return True


def longest_copy(samples, text):
    """Return the longest part of a sample that also occurs in the text."""
    longest = ""
    for sample in samples:
        for start in range(len(sample)):
            while (run := sample[start : start + len(longest) + 1]) in text and len(run) > len(longest):
                longest = run
    return longest
