"""The task of repeated words: it asks for what it says, two layers learn it, heads do what is graded."""

import time
from dataclasses import replace

import numpy as np
import pytest
import torch

from course_utils import tiny_models, world
from course_utils.standins import head_scores, induction_score
from course_utils.touch.heads_model import attend
from course_utils.world import LETTERS, NO_ANSWER, REPEATS, TinyModel, right_letters, seconds_per_step, train
from tests.answers.attention_of_torch import Attention


def batch(size=64, seed=0):
    return REPEATS.make_batch(size, REPEATS.length, torch.Generator().manual_seed(seed))


def weights_of(model, tokens):
    """The weights (B, H, T, T) of each layer."""
    return [weights.detach() for weights in attend(model, tokens)[0]]


def test_the_repeats_task_asks_only_for_determined_letters():
    tokens, targets = batch(size=256)
    for row, wanted in zip(tokens.tolist(), targets.tolist(), strict=True):
        positions = [i for i in range(24) if wanted[i] != NO_ANSWER]
        assert positions == list(range(positions[0], 23))
        assert len(set(row[: positions[0]])) == positions[0]  # no letter twice until then
        for i in positions:
            followers = {row[j + 1] for j in range(i) if row[j] == row[i]}
            assert {wanted[i]} == {row[i + 1]} == followers


def test_a_tiny_model_is_causal_and_has_the_documented_shapes():
    model = TinyModel(Attention, REPEATS)
    tokens, _ = batch(size=3)
    assert [tuple(x.shape) for x in model.stream(tokens)] == [(3, 24, 32)] * 3
    changed = tokens.clone()
    changed[:, 10:] = 0
    torch.testing.assert_close(model(tokens)[:, :10], model(changed)[:, :10])
    assert model(tokens).shape == (3, 24, len(LETTERS))


def test_a_new_model_attends_evenly_and_a_seed_fixes_its_parameters():
    models = []
    for _ in range(2):
        torch.manual_seed(0)
        models.append(TinyModel(Attention, REPEATS))
    assert all(torch.equal(a, b) for a, b in zip(*(model.parameters() for model in models), strict=True))
    weights, _ = weights_of(models[0], batch()[0])
    even = torch.ones(24, 24).tril() / torch.arange(1, 25)[:, None]
    assert (weights - even).abs().mean() < 0.02


def test_seconds_per_step_separates_slow_layers_from_fast_ones():
    class Slow(Attention):
        def forward(self, *args, **kwargs):
            time.sleep(0.2)
            return super().forward(*args, **kwargs)

    assert seconds_per_step(Slow) > 0.2 > 0.1 > seconds_per_step(Attention)


def test_two_layers_learn_induction_and_one_does_not():
    model, _ = train(Attention, REPEATS)
    assert right_letters(model) > 0.97
    texts = batch(seed=5)[0]
    assert (induction_score(weights_of(model, texts)[1], texts) > 0.8).any()
    model, _ = train(Attention, replace(REPEATS, num_layers=1))
    assert right_letters(model) < 0.6


@pytest.mark.release
@pytest.mark.parametrize("seed", range(1, 20))
def test_training_works_with_every_seed(seed):
    model, _ = train(Attention, REPEATS, seed)
    assert right_letters(model) > 0.97


def test_the_shipped_heads_clearly_do_the_jobs_that_are_graded():
    model = world.load("repeated word", Attention)
    assert right_letters(model) > 0.99
    texts = batch(seed=5)[0]
    first, second = weights_of(model, texts)
    helper = head_scores(first)["previous"]
    assert helper[1] > 0.7 > 0.3 > helper[0]
    assert (induction_score(second, texts) > 0.9).all()
    assert (induction_score(first, texts) < 0.3).all()
    model = world.load("who and how", Attention)
    examples = world.sentences(500, seed=5)
    on = world.weight_on(weights_of(model, model.tokens(examples))[0], examples)
    for name, head in {"who": 0, "how": 1}.items():
        assert on[name][head] > 0.95, name
        assert np.delete(on[name], head).max() < 0.1, name


def test_a_name_of_the_letters_of_earlier_lessons_says_that_it_is_gone():
    with pytest.raises(NameError, match="`JOBS` was part of course_utils up to 2026-11-29 and is gone"):
        tiny_models.JOBS.make_batch()
