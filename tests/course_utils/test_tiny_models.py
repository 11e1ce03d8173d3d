"""Part 5's small models: tasks ask for what they say, training works, heads do what is graded."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils.standins import head_scores, induction_score
from course_utils.tiny_models import (
    CHECKPOINTS,
    JOBS,
    LETTERS,
    LOOK_BACK,
    NO_ANSWER,
    REPEATS,
    TinyModel,
    accuracy,
    decode,
    encode,
    load_checkpoint,
    places_of_jobs,
    seconds_per_step,
    train,
)
from course_utils.touch.heads_model import attend
from course_utils.touch.training import shares
from tests.answers.attention_of_torch import Attention


def batch(recipe, size=64, seed=0):
    return recipe.make_batch(size, recipe.length, torch.Generator().manual_seed(seed))


def weights_of(model, tokens):
    """The weights (B, H, T, T) of each layer."""
    return [weights.detach() for weights in attend(model, tokens)[0]]


def jobs_of_heads(model, texts):
    """{job: the weight that each head of the first layer puts on its place} for the three jobs."""
    (weights,) = weights_of(model, texts)
    jobs = [places_of_jobs(decode(text)) for text in texts]
    means = [shares(table.numpy(), places) for table, places in zip(weights, jobs, strict=True)]
    return {job: np.mean([mean[job] for mean in means if job in mean], axis=0) for job in jobs[0]}


def answer(row):
    return "".join("." if a == NO_ANSWER else LETTERS[a] for a in row)


def test_task_targets_are_what_their_names_say():
    tokens, targets = batch(JOBS)
    assert targets.shape == (64, 16, 3)
    for text, wanted in zip(map(decode, tokens), targets, strict=True):
        assert answer(wanted[:, 0]) == "." + text[:-1]
        assert answer(wanted[:, 1]) == text[0] * 16
        vowels = [re.findall("[.aeiou]", f".{text[: i + 1]}")[-1] for i in range(16)]
        assert answer(wanted[:, 2]) == "".join(vowels)
    tokens, targets = batch(LOOK_BACK)
    for text, wanted in zip(map(decode, tokens), targets, strict=True):
        assert answer(wanted[:, 0]) == "." + text[:-1]
        assert answer(wanted[:, 1]) == ".." + text[:-2]


def test_the_repeats_task_asks_only_for_determined_letters():
    tokens, targets = batch(REPEATS, size=256)
    for text, wanted in zip(map(decode, tokens), targets[..., 0], strict=True):
        positions = [i for i in range(24) if wanted[i] != NO_ANSWER]
        assert positions == list(range(positions[0], 23))
        assert len(set(text[: positions[0]])) == positions[0]  # no letter twice until then
        for i in positions:
            followers = {text[j + 1] for j in range(i) if text[j] == text[i]}
            assert {LETTERS[wanted[i]]} == {text[i + 1]} == followers


def test_a_tiny_model_is_causal_and_has_the_documented_shapes():
    model = TinyModel(Attention, REPEATS)
    tokens, _ = batch(REPEATS, size=3)
    assert [tuple(h.shape) for h in model.stream(tokens)] == [(3, 24, 32)] * 3
    changed = tokens.clone()
    changed[:, 10:] = 0
    torch.testing.assert_close(model(tokens)[:, :10], model(changed)[:, :10])
    assert model(tokens).shape == (3, 24, 1, 26)


def test_a_new_model_attends_evenly_and_a_seed_fixes_its_parameters():
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(TinyModel(Attention, JOBS))
    assert all(torch.equal(a, b) for a, b in zip(*(model.parameters() for model in models), strict=True))
    (weights,) = weights_of(models[0], batch(JOBS)[0])
    even = torch.ones(16, 16).tril() / torch.arange(1, 17)[:, None]
    assert (weights - even).abs().mean() < 0.02


def test_seconds_per_step_separates_slow_layers_from_fast_ones():
    class Slow(Attention):
        def forward(self, *args, **kwargs):
            time.sleep(0.1)
            return super().forward(*args, **kwargs)

    assert seconds_per_step(Slow) > 0.2 > 0.1 > seconds_per_step(Attention)


@pytest.mark.parametrize("seed", [0, 1])
def test_three_jobs_are_learned_and_every_head_takes_one(seed):
    model, losses = train(Attention, JOBS, seed)
    assert len(losses) == JOBS.steps
    assert min(accuracy(model, JOBS).values()) > 0.9
    scores = jobs_of_heads(model, batch(JOBS, seed=5)[0])
    assert {int(score.argmax()) for score in scores.values()} == {0, 1, 2}


def test_training_with_one_head_too_few_fails():
    enough, _ = train(Attention, LOOK_BACK)
    too_few, _ = train(Attention, replace(LOOK_BACK, num_heads=1))
    assert min(accuracy(enough, LOOK_BACK).values()) > 0.99
    assert min(accuracy(too_few, LOOK_BACK).values()) < 0.5


def test_two_layers_learn_induction_and_one_does_not():
    model, _ = train(Attention, REPEATS)
    assert accuracy(model, REPEATS)["next"] > 0.97
    texts = batch(REPEATS, seed=5)[0]
    assert (induction_score(weights_of(model, texts)[1], texts) > 0.8).any()
    model, _ = train(Attention, replace(REPEATS, num_layers=1))
    assert accuracy(model, REPEATS)["next"] < 0.6


@pytest.mark.release
@pytest.mark.parametrize("seed", range(2, 20))
def test_training_works_with_every_seed(seed):
    test_three_jobs_are_learned_and_every_head_takes_one(seed)
    model, _ = train(Attention, REPEATS, seed)
    assert accuracy(model, REPEATS)["next"] > 0.97


def test_the_shipped_models_are_small_plain_arrays_and_do_their_task():
    assert decode(encode("quickbrown")[0]) == "quickbrown"
    assert sum(path.stat().st_size for path in CHECKPOINTS.glob("*.npz")) < 70_000
    for recipe in (JOBS, REPEATS):
        assert min(accuracy(load_checkpoint(Attention, recipe), recipe).values()) > 0.99


def test_the_shipped_heads_clearly_do_the_jobs_that_are_graded():
    texts = batch(JOBS, seed=5)[0]
    scores = jobs_of_heads(load_checkpoint(Attention, JOBS), texts)
    for name, head in {"previous": 2, "first": 0, "last vowel": 1}.items():
        assert scores[name][head] > 0.9, name
        assert np.delete(scores[name], head).max() < 0.3, name
    texts = batch(REPEATS, seed=5)[0]
    first, second = weights_of(load_checkpoint(Attention, REPEATS), texts)
    helper = head_scores(first)["previous"]
    assert helper[1] > 0.7 > 0.3 > helper[0]
    assert (induction_score(second, texts) > 0.9).all()
    assert (induction_score(first, texts) < 0.3).all()
