"""Train the models of the language of animals (course_utils/world) with 12 seeds, and change one thing at a
time: no positions, one head for both questions, equal weight for every word, the future visible.

`python -m experiments.world` takes about ten minutes on one core and writes experiments/world.json.
"""

import json
import time
from dataclasses import replace
from pathlib import Path

import torch
import torch.nn.functional as F

from course_utils import world
from course_utils.standins import MultiHeadSelfAttention
from course_utils.world import WHO, WHO_AND_HOW

from .heads import SEEDS, weights_of

RECORD = Path(__file__).with_suffix(".json")
SENTENCES = 1000
TEST_SEED = 1000


def examples_of(recipe, count=SENTENCES):
    """Draw the sentences on which all models of a recipe are measured."""
    return world.sentences(count, TEST_SEED, adverbs=recipe.name == WHO_AND_HOW.name)


def rounded(numbers):
    """Round {name: number, or tensor with a number for each head} to three decimals."""
    as_lists = {name: torch.as_tensor(n, dtype=torch.float64).tolist() for name, n in numbers.items()}
    return {
        name: [round(v, 3) for v in n] if isinstance(n, list) else round(n, 3) for name, n in as_lists.items()
    }


@torch.no_grad()
def results(model, recipe):
    """Measure the shares of right answers, each head's weight on the subject and on the adverb, and the
    shares of right answers with one head switched off."""
    test = examples_of(recipe)
    (weights,) = weights_of(model, model.tokens(test))
    record = {
        "right": rounded(world.accuracy(model, test)),
        "weight on": rounded(world.weight_on(weights, test)),
    }
    if model.num_heads > 1:
        record["head off"] = [right_without(model, head, test) for head in range(model.num_heads)]
    return record


@torch.no_grad()
def right_without(model, head, test):
    """Measure the shares of right answers while a head adds nothing: its columns of W_o are 0."""
    W = model.layers[0].W_o.weight
    saved, width = W.clone(), W.shape[1] // model.num_heads
    W[:, head * width : (head + 1) * width] = 0
    right = world.accuracy(model, test)
    W.copy_(saved)
    return rounded(right)


def by_seed(recipe, measure=results, seeds=SEEDS):
    """Train with each seed, and measure: {seed: record, with the seconds of processor time for training}."""
    records = {}
    for seed in seeds:
        start = time.process_time()
        model, _ = world.train(MultiHeadSelfAttention, recipe, seed)
        seconds = round(time.process_time() - start, 1)
        records[seed] = {"seconds": seconds, **measure(model, recipe)}
        print(measure.__name__, seed, records[seed], flush=True)
    return records


@torch.no_grad()
def who_of_two(model, recipe):
    """Count, in sentences with one other animal, how often the sound is the subject's, and how often that of
    the other animal; and measure how often the mood is right."""
    counts = {"subject": 0, "other": 0, "sentences": 0}
    for words in examples_of(recipe, 3 * SENTENCES):
        animals = [word for word in words if word in world.SOUNDS]
        if len(animals) == 2 == len({*animals}):
            prompt = words[: words.index("and") + 1]
            (guess,) = model.likeliest(model(model.tokens([prompt]))[0, -1], 1)
            animal = world.ANIMAL_OF.get(guess)
            counts["subject"] += animal == animals[0]
            counts["other"] += animal == animals[1]
            counts["sentences"] += 1
    mood = world.accuracy(model, examples_of(recipe)).get("how")
    return {**counts, "right": rounded({"how": mood})}


@torch.no_grad()
def by_animals(model, recipe):
    """Measure the shares of right answers by the number of animals after the subject."""
    groups = {}
    for words in examples_of(recipe, 3 * SENTENCES):
        groups.setdefault(sum(word in world.SOUNDS for word in words) - 1, []).append(words)
    return {f"{n} other animals": rounded(world.accuracy(model, groups[n])) for n in sorted(groups)}


@torch.no_grad()
def with_and_without_the_future(model, recipe):
    """Measure the loss, and the share of right words after *and*, of a model that sees the future: with whole
    sentences, as in its training, and with the words so far, as when it has to write."""
    g = torch.Generator().manual_seed(TEST_SEED)
    tokens, targets = recipe.make_batch(SENTENCES, recipe.length, g)  # (B, T)
    written = torch.stack([model(tokens[:, : t + 1])[:, -1] for t in range(recipe.length)], dim=1)
    asked = tokens == recipe.vocabulary.index("and")
    record = {}
    for name, logits in (("whole sentences", model(tokens)), ("the words so far", written)):  # (B, T, V)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten()).item()
        right = (logits.argmax(-1) == targets)[asked].float().mean().item()
        record[name] = rounded({"loss": loss, "right": right})
    return record


def main():
    """Run all experiments and write the record."""
    torch.set_num_threads(1)
    one_head = replace(WHO_AND_HOW, num_heads=1)
    record = {
        "who": by_seed(WHO),
        "who and how": by_seed(WHO_AND_HOW),
        "without positions": by_seed(replace(WHO_AND_HOW, has_positions=False), who_of_two),
        "with positions": by_seed(WHO_AND_HOW, who_of_two, range(3)),
        "by the number of animals": by_seed(WHO_AND_HOW, by_animals, range(3)),
        "one head for both": by_seed(one_head),
        "the future visible": by_seed(replace(WHO, is_causal=False), with_and_without_the_future),
        "the future hidden": by_seed(WHO, with_and_without_the_future, range(3)),
        "every word counts the same": by_seed(replace(WHO_AND_HOW, key_weight=0), results, range(6)),
        "one head for both, 2000 steps": by_seed(replace(one_head, steps=2000), results, range(6)),
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
