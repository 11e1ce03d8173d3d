"""Measure language models: the bits that tokens cost them, and n-grams; and what samples are like."""

import ast
import math
import re
from collections import Counter

import torch
from torch.nn import functional as F

from ..former import former_names

__getattr__ = former_names(
    __name__,
    {
        "2026-11-24": "bigram_bits letters_as_tokens word_share",
        "2026-11-28": "bits_by_context bits_per_character ngram_bits",
    },
)
WORD = re.compile(r" ?[A-Za-z_]\w*")  # with the space before it
DISCOUNT = 0.75  # a usual value; Kneser-Ney subtracts it from each count in favour of unseen runs


@torch.no_grad()
def bits_at(model, tokens, places, length):
    """Return the bits (N,) that the tokens at `places` (N,) cost a model that sees `length` tokens before."""
    tokens = torch.as_tensor(tokens)
    contexts = tokens[places[:, None] + torch.arange(-length, 0)]  # (N, length)
    logits = torch.cat([model(part)[0][:, -1] for part in contexts.split(128)])  # (N, vocab)
    return F.cross_entropy(logits, tokens[places], reduction="none") / math.log(2)


def ngram_bits_at(training, tokens, places, vocab, length):
    """Return the bits (N,) of the same tokens by counted runs of `length` tokens (Kneser-Ney smoothing)."""
    tables = count_runs(training, length)
    runs = (tuple(tokens[place - length + 1 : place + 1]) for place in places.tolist())
    return torch.tensor([-math.log2(probability(tables, run, vocab)) for run in runs])


def words_at(tokenizer, tokens, places, length):
    """Return two bool (N,): which places hold a word, or a part of one, that stands among the `length` tokens
    before; and which hold one that does not."""
    tokens = torch.as_tensor(tokens)
    targets = tokens[places]  # (N,)
    is_word = torch.tensor([bool(WORD.fullmatch(tokenizer.decode([token]))) for token in targets.tolist()])
    stands = (tokens[places[:, None] + torch.arange(-length, 0)] == targets[:, None]).any(1)
    return is_word & stands, is_word & ~stands


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
