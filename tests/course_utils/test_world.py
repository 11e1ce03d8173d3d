"""The language of animals: sentences are right, models learn it, and shipped ones read typed sentences."""

import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from itertools import permutations

import pytest
import torch

from autograder.sandbox.host.bubblewrap import code_zip
from course_utils import standins, world
from course_utils.world import WHO, WHO_AND_HOW, NotASentence
from tests.answers.attention_of_torch import Attention

NAMES = {"who": WHO, "who and how": WHO_AND_HOW}
QUIET = {"quietly": True, "happily": True, "loudly": False, "angrily": False}


def weights_of(model, examples):
    """The weights (B, H, T, T) of the model's layer."""
    W_Q, W_K, _, _ = model.matrices()
    X = model.embed(model.tokens(examples)).detach()  # (B, T, D)
    future = standins.create_causal_mask(X.shape[1])
    return standins.get_attention_weights(X, W_Q, W_K, model.num_heads, future)


def switch_off(model, head):
    W = model.layers[0].W_o.weight
    width = W.shape[1] // model.num_heads
    with torch.no_grad():
        W[:, head * width : (head + 1) * width] = 0


def test_the_sound_is_that_of_the_first_animal_and_of_the_adverb():
    examples = world.sentences(2000, seed=1)
    moods = {True: set(), False: set()}
    for words in examples:
        *before, conjunction, sound, stop = words
        animals = [word for word in before if word in world.SOUNDS]
        adverbs = [word for word in before if word in QUIET]
        quiet, loud = world.SOUNDS[animals[0]]
        assert (conjunction, stop) == ("and", ".")
        assert len(animals) <= 3
        assert len(adverbs) <= 1
        assert len(words) <= WHO.length
        assert sound in (quiet, loud)
        for adverb in adverbs:
            assert sound == (quiet if QUIET[adverb] else loud)
        moods[bool(adverbs)].add(sound == loud)
    assert moods == {True: {True, False}, False: {True, False}}
    without = world.sentences(500, seed=1, adverbs=False)
    assert all(words[-2] in {quiet for quiet, _ in world.SOUNDS.values()} for words in without)
    assert examples == world.sentences(2000, seed=1) != world.sentences(2000, seed=2)


def test_places_are_those_of_the_subject_and_the_adverb_in_the_row_of_and():
    words = ["the", "small", "dog", "slept", "near", "the", "cat", "loudly", "and", "barked", "."]
    nothing = [None] * 8
    assert world.places(words) == {"who": [*nothing, 2, None, None], "how": [*nothing, 7, None, None]}
    assert world.places(["the", "cat", "sat", "and"])["how"] == [None] * 4


@pytest.mark.parametrize("recipe", NAMES.values(), ids=NAMES)
def test_a_batch_asks_for_the_next_word_and_for_nothing_after_the_full_stop(recipe):
    tokens, targets = recipe.make_batch(64, recipe.length, torch.Generator().manual_seed(0))
    stop = recipe.vocabulary.index(".")
    assert tokens.shape == targets.shape == (64, recipe.length)
    for row, wanted in zip(tokens.tolist(), targets.tolist(), strict=True):
        end = row.index(stop)
        assert wanted == [*row[1 : end + 1], *[-100] * (recipe.length - end)]
        assert row[end:] == [stop] * (recipe.length - end)


def test_a_typed_sentence_becomes_words_or_one_clear_sentence():
    model = world.load("who")
    assert model.words("The small cat  sat. ") == ["the", "small", "cat", "sat", "."]
    unknown = r"^This model does not know 'mouse' or 'loudly'\. Its words: the, cat, "
    with pytest.raises(NotASentence, match=unknown):
        model.words("the mouse sat loudly and")
    assert "loudly" in world.load("who and how").words("the cat sat loudly and")
    with pytest.raises(NotASentence, match="^This sentence has 20 words; the model has positions for 19"):
        model.words("the " * 20)
    with pytest.raises(NotASentence, match="^Type at least one word"):
        model.words(" ")
    assert NotASentence("A sentence.")._render_traceback_() == ["A sentence."], "notebooks show no traceback"


@pytest.mark.parametrize("name", NAMES)
def test_shipped_models_are_small_and_right_in_every_sentence(name):
    model = world.load(name, Attention)
    examples = world.sentences(2000, seed=5, adverbs=name != "who")
    assert set(world.accuracy(model, examples).values()) == {1.0}
    on = world.weight_on(weights_of(model, examples), examples)
    assert all(weight.max() > 0.95 for weight in on.values())
    assert not any(parameter.requires_grad for parameter in model.parameters())
    assert sum(file.stat().st_size for file in files(world).iterdir() if file.name.endswith("npz")) < 40_000


@pytest.mark.parametrize(
    ("sentence", "sound"),
    [
        ("the cat sat and", "purred"),
        ("dog sat and", "whined"),
        ("the small black lion slept near the bird and", "rumbled"),
        ("the bird slept near the small lion near the old black cow and", "chirped"),
        ("the cat ran and jumped and", "purred"),
    ],
)
def test_the_plain_matrices_go_through_a_learners_own_functions(sentence, sound):
    model = world.load("who")
    words = model.words(sentence)
    x = model.vectors(words)  # (T, D)
    W_Q, W_K, W_V, W_O = model.matrices()
    scores = standins.attention_scores(x @ W_Q, x @ W_K) / 4  # (T, T)
    hidden = scores.masked_fill(standins.causal_mask(len(words)), -torch.inf)
    output = standins.attention_output(standins.attention_weights(hidden), x @ W_V) @ W_O  # (T, D)
    logits = model.readout(x + output)  # (T, V)
    assert next(iter(model.likeliest(logits[-1]))) == sound
    whole = world.load("who", Attention)
    torch.testing.assert_close(logits[None], whole(whole.tokens([words])), rtol=1e-4, atol=1e-4)


def test_the_subject_is_an_animal_among_the_first_four_words_wherever_the_sentence_begins():
    """Lesson 00 shows this: training sentences had their subject there, so the head looks nowhere else."""
    model = world.load("who", Attention)
    pairs = list(permutations(world.SOUNDS, 2))
    for start in (["near", "the"], ["near", "the", "old"]):
        prompts = [[*start, first, "the", second, "sat", "and"] for first, second in pairs]
        guesses = [*map(model.likeliest, model(model.tokens(prompts))[:, -1])]
        assert [world.ANIMAL_OF[next(iter(guess))] for guess in guesses] == [first for first, _ in pairs]
    fifth = [["near", "the", "old", "black", first, "the", second, "sat", "and"] for first, second in pairs]
    assert (weights_of(model, fifth)[:, 0, -1, [4, 6]] < 0.2).all()


def test_the_matrices_hold_heads_in_contiguous_blocks():
    model = world.load("who and how", Attention)
    words = model.words("the small dog slept near the cat loudly and")
    x = model.vectors(words)[None]  # (1, T, D)
    output = standins.trace_causal_attention(x, *model.matrices(), 2)["output"]
    logits = model.readout(x + output)  # (1, T, V)
    torch.testing.assert_close(logits, model(model.tokens([words])), rtol=1e-4, atol=1e-4)
    assert [*model.likeliest(logits[0, -1], 1)] == ["barked"]
    torch.testing.assert_close(model.vectors(words[5:], start=5), x[0, 5:])


def test_shorter_sentences_of_a_batch_get_the_same_logits_as_alone():
    model = world.load("who and how", Attention)
    short, long = map(model.words, ("the cat sat", "the small dog slept near the cat loudly and"))
    batch = model(model.tokens([short, long]))
    torch.testing.assert_close(batch[0, :3], model(model.tokens([short]))[0], rtol=1e-4, atol=1e-4)


def test_switching_one_head_off_takes_its_half_of_the_answer_only():
    examples = world.sentences(2000, seed=6)
    model = world.load("who and how", Attention)
    on = world.weight_on(weights_of(model, examples), examples)
    for question, other in (("who", "how"), ("how", "who")):
        model = world.load("who and how", Attention)
        switch_off(model, int(on[question].argmax()))
        right = world.accuracy(model, examples)
        assert right[other] > 0.99
        assert right[question] < 0.6


@pytest.mark.parametrize("recipe", NAMES.values(), ids=NAMES)
def test_a_model_learns_the_language_in_seconds(recipe):
    seen = []
    model, losses = world.train(Attention, recipe, seed=0, watch=lambda step, _: seen.append(step))
    assert seen == [*range(recipe.steps + 1)]
    assert len(losses) == recipe.steps
    assert min(world.accuracy(model, world.sentences(500, 7, recipe is WHO_AND_HOW)).values()) > 0.98
    words = world.sentences(1, 7, False)[0]
    changed = [*words[:3], *["and"] * (len(words) - 3)]
    logits = (model(model.tokens([sentence]))[0, :3] for sentence in (words, changed))
    torch.testing.assert_close(*logits)


def test_without_positions_every_order_is_the_same():
    model, _ = world.train(Attention, replace(WHO, has_positions=False, steps=20))
    orders = [["cat", "near", "dog", "and"], ["dog", "near", "cat", "and"]]
    first, second = model(model.tokens(orders))[:, -1]  # (V,) each
    torch.testing.assert_close(first, second, rtol=1e-4, atol=1e-4)


@pytest.mark.release
@pytest.mark.parametrize("seed", range(1, 12))
def test_training_works_with_every_seed(seed):
    for recipe in NAMES.values():
        model, _ = world.train(Attention, recipe, seed)
        assert min(world.accuracy(model, world.sentences(500, 7, recipe is WHO_AND_HOW)).values()) > 0.95


def test_models_load_from_the_zip_that_the_sandbox_and_every_cluster_worker_use(tmp_path):
    archive = tmp_path / "code.zip"
    archive.write_bytes(code_zip())
    program = (
        "import course_utils; from course_utils import world\n"
        f"assert course_utils.__file__.startswith({str(archive)!r})\n"
        "print([world.load(name).num_heads for name in ('who', 'who and how')])"
    )
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(archive)!r}); {program}"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (result.stdout.strip(), result.stderr) == ("[1, 2]", "")
