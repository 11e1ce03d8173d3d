"""Measure a model of the language of animals: right answers, and where its heads look."""

import torch

from .language import ADVERBS, ANIMAL_OF, MOOD_OF, SOUNDS, places


@torch.no_grad()
def accuracy(model, examples):
    """Return the share of sentences in which the likeliest word after *and* fits the subject ("who") and, of
    those with an adverb, the share in which it fits the adverb ("how")."""
    at = torch.tensor([words.index("and") for words in examples])
    logits = model(model.tokens(examples))[torch.arange(len(examples)), at]  # (B, V)
    guesses = [model.vocabulary[i] for i in logits.argmax(-1).tolist()]
    right = {"who": [], "how": []}
    for words, guess in zip(examples, guesses, strict=True):
        subject = next(word for word in words if word in SOUNDS)
        right["who"].append(ANIMAL_OF.get(guess) == subject)
        right["how"] += [MOOD_OF.get(guess) == ADVERBS[word] for word in words if word in ADVERBS]
    return {name: sum(answers) / len(answers) for name, answers in right.items() if answers}


def weight_on(weights, examples):
    """Return each head's mean weight (H,) in the row of *and*: on the subject ("who"), on the adverb ("how").

    weights: (B, H, T, T), of the sentences in `examples`; one without an adverb does not count for "how".
    """
    rows = {"who": [], "how": []}
    for table, words in zip(weights, examples, strict=True):
        query = words.index("and")
        for name, keys in places(words).items():
            if keys[query] is not None:
                rows[name].append(table[:, query, keys[query]])
    return {name: torch.stack(parts).mean(0) for name, parts in rows.items() if parts}
