"""Texts of letters in which one word is repeated: a task for two layers, whose heads learn induction."""

import torch

from .layer import NO_ANSWER, Recipe

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def repeated_word(batch_size, length, g):
    """Draw some letters, then one word repeated (B, T), and the next letter as the target of each (B, T).

    No letter occurs twice in the prefix and the word together. A letter has a target only if the next one is
    determined: from the first letter of the word's second copy on.
    """
    letters = torch.rand(batch_size, len(LETTERS), generator=g).argsort(1)  # (B, 26), shuffled
    word = torch.randint(4, 9, (batch_size, 1), generator=g)  # 4 to 8 letters
    prefix = torch.randint(0, 15, (batch_size, 1), generator=g)  # 0 to 14 letters
    position = torch.arange(length)
    place = torch.where(position < prefix, 8 + position, (position - prefix) % word)  # (B, T)
    tokens = letters.gather(1, place.clamp(max=len(LETTERS) - 1))  # (B, T)
    determined = (position >= prefix + word) & (position < length - 1)
    return tokens, torch.where(determined, tokens.roll(-1, 1), NO_ANSWER)


REPEATS = Recipe("repeated word", repeated_word, [*LETTERS], 24, 2, 32, 500, num_layers=2, starts_even=True)


@torch.no_grad()
def right_letters(model, make_batch=repeated_word, seed=1000, batch_size=512):
    """Measure the share of right answers on new texts of 24 letters."""
    tokens, targets = make_batch(batch_size, REPEATS.length, torch.Generator().manual_seed(seed))
    is_asked = targets != NO_ANSWER  # (B, T)
    return (model(tokens).argmax(-1) == targets)[is_asked].float().mean().item()
