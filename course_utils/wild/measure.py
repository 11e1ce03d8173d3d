"""What a model of text is worth: bits a character, those of a table of pairs, and how samples look."""

import math
import re

import torch
from torch.nn import functional as F

STRENGTHS = (0.3, 1, 3, 10, 30, 100)


@torch.no_grad()
def bits_per_character(model, tokens, characters):
    """Bits that the model needs for each character of a text that has these tokens.

    The text is read in windows as long as the model's context; each counts for its second half, so that every
    token (but the first ones) has at least half a window before it.
    """
    tokens, half, total = torch.as_tensor(tokens), model.size.context // 2, 0.0
    for start in range(0, len(tokens) - 1, half):
        begin = max(0, start - half)
        window = tokens[begin : start + half + 1]
        logits, _ = model(window[None, :-1])  # (1, T, vocab)
        nats = F.cross_entropy(logits[0], window[1:], reduction="none")  # (T,)
        total += nats[start - begin :].sum().item()
    return total / math.log(2) / characters


def bigram_bits(training, held_out, vocab, characters):
    """The same for a table of pairs: how often each token followed each other one in the training tokens.

    A pair that was never seen needs a chance, too: each token's row is mixed with how often tokens occur at
    all. How strongly, is chosen on the held-out tokens themselves, in favour of the table.
    """
    training, held_out = torch.as_tensor(training), torch.as_tensor(held_out)
    pairs = torch.bincount(training[:-1] * vocab + training[1:], minlength=vocab**2)
    pairs = pairs.view(vocab, vocab).double()  # [token, next token]
    alone = torch.bincount(training, minlength=vocab).double() + 1
    alone /= alone.sum()
    before, after = held_out[:-1], held_out[1:]
    totals = pairs.sum(1)[before]
    bits = [
        -((pairs[before, after] + mixed * alone[after]) / (totals + mixed)).log2().sum().item()
        for mixed in STRENGTHS
    ]
    return min(bits) / characters


def letters_as_tokens(*texts):
    """([each text's characters as numbers], how many characters there are): for a bigram of characters."""
    alphabet = {letter: number for number, letter in enumerate(sorted(set("".join(texts))))}
    return [[alphabet[letter] for letter in text] for text in texts], len(alphabet)


def words_of(text):
    """The words of four letters and more, in small letters."""
    return re.findall(r"[^\W\d_]{4,}", text.lower())


def word_share(samples, text):
    """The share of the samples' words of four letters and more that occur in the text."""
    known, found = set(words_of(text)), [word for sample in samples for word in words_of(sample)]
    return sum(word in known for word in found) / max(1, len(found))


def longest_copy(samples, text):
    """The longest run of characters of a sample that stands in the text."""
    longest = ""
    for sample in samples:
        for start in range(len(sample)):
            while (run := sample[start : start + len(longest) + 1]) in text and len(run) > len(longest):
                longest = run
    return longest
