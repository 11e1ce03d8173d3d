"""The small language model: its held-out text does not leak into training, and its measures are right."""

import ast
import io
import math
import re
import zipfile
from collections import Counter

import pytest
import torch

from autograder.sandbox.host.bubblewrap import code_zip
from course_utils.standins import DecoderBlock, MultiHeadAttentionWithCache
from course_utils.wild import measure, text, train
from course_utils.wild.bpe import Tokenizer, learn_merges, merge
from course_utils.wild.decoder import Size, without_head
from experiments.decoder import save_checkpoint

SMALL = Size(vocab=11, d_model=12, num_heads=3, num_blocks=2, context=8)
TEXTS = "low lower lowest, slow slower; bellows and yellow billows below\n" * 3


@pytest.fixture(scope="module")
def both_texts():
    return text.python_code()


def small_model(size=SMALL):
    return train.new_decoder(DecoderBlock, MultiHeadAttentionWithCache, size=size)


# ---- text


def test_training_text_is_code_only_and_excludes_held_out_modules(both_texts):
    training, held_out = both_texts
    for part in both_texts:
        ast.parse(part)
        assert part.isascii()
        assert not re.search(r"(?m)^( |\s*#)", part)
    assert not set(text.TRAINING.split()) & set(text.HELD_OUT.split())
    assert all(text.definitions(name) for name in f"{text.TRAINING} {text.HELD_OUT}".split())
    assert len(training) > 900_000
    assert len(held_out) > 45_000
    assert "def heappush(heap, item):\n\theap.append(item)" in held_out
    assert "def heappush(" not in training


# ---- byte pairs


def test_learned_merges_equal_those_of_a_slow_recounting_loop():
    words = [list(word.encode()) for word in re.findall(r" ?\w+| ?[^\w\s]+|\n\t*|\s", TEXTS)]
    merges = []
    for number in range(20):
        pairs = Counter(pair for word in words for pair in zip(word, word[1:], strict=False))
        merges.append(max(pairs, key=lambda pair: (pairs[pair], pair)))
        words = [merge(word, merges[-1], 256 + number) for word in words]
    assert learn_merges(TEXTS, 20) == merges


def test_bpe_gives_the_lessons_example_and_stops_at_one_token_per_word():
    assert learn_merges("aaa b", 50) == [(97, 97), (256, 97), (32, 98)]
    merges = learn_merges("ababc abc", 2)
    tokenizer = Tokenizer(merges)
    assert [tokenizer.decode([token]) for token in (256, 257)] == ["ab", "abc"]
    assert tokenizer.encode("ababc") == [256, 257]


@pytest.mark.parametrize("source", ["", " a  b\n\n", "naïve café — “quoted” 日本 🙂", TEXTS])
def test_encoding_and_decoding_returns_any_text(source):
    tokenizer = Tokenizer(learn_merges(TEXTS, 15))
    assert tokenizer.decode(tokenizer.encode(source)) == source
    assert tokenizer.decode([0xE2, 0x80]) == "�"  # broken bytes are shown as a replacement character


# ---- the model


@torch.no_grad()
def test_cached_chunks_equal_one_pass_and_a_too_long_text_is_refused():
    model, tokens = small_model(), torch.randint(11, (2, 8), generator=torch.Generator().manual_seed(0))
    whole, _ = model(tokens)
    first, cache = model(tokens[:, :3])
    second, cache = model(tokens[:, 3:], cache)
    torch.testing.assert_close(torch.cat([first, second], 1), whole, rtol=1e-5, atol=1e-5)
    assert [tuple(tensor.shape) for tensor in cache[1]] == [(2, 3, 8, 4)] * 2
    by_hand, _ = model(tokens[:, :3], positions=torch.arange(3).expand(2, 3))
    torch.testing.assert_close(by_hand, first, rtol=1e-5, atol=1e-5)
    moved, _ = model(tokens[:, :3], positions=torch.arange(3) + 1)
    assert (moved - first).abs().max() > 1e-3
    with pytest.raises(ValueError, match="position 8: this model has 8, counted from 0"):
        model(tokens[:, :1], cache)


def test_training_learns_a_pattern():
    model = small_model()
    losses = train.train(model, torch.arange(500) % 7, train.Recipe(steps=150, learning_rate=5e-3))
    assert losses[0] > 2 > 0.2 > losses[-1]


# ---- measures of quality


class UniformModel:
    """A model that gives every token the same probability."""

    size = SMALL

    def __call__(self, tokens):
        return torch.zeros(*tokens.shape, 11), None


def test_bits_are_log2_of_the_vocabulary_for_a_uniform_model_at_every_place():
    bits = measure.bits_at(UniformModel(), [0] * 40, torch.arange(7, 40, 3), 7)
    torch.testing.assert_close(bits, torch.full((11,), math.log2(11)))


@torch.no_grad()
def test_bits_see_the_context_before_the_token_and_nothing_else():
    model, tokens = small_model(), torch.randint(11, (12,), generator=torch.Generator().manual_seed(0))
    for place, length in ((8, 8), (10, 3)):
        logits = model(tokens[None, place - length : place])[0]  # (1, length, vocab)
        nats = -logits[0, -1].log_softmax(-1)[tokens[place]].item()
        (bits,) = measure.bits_at(model, tokens, torch.tensor([place]), length).tolist()
        assert bits == pytest.approx(nats / math.log(2), rel=1e-4)


def test_words_are_sorted_by_whether_they_stand_in_the_context():
    tokenizer, tokens = Tokenizer([]), list(b"ab,a")
    again, new = measure.words_at(tokenizer, tokens, torch.tensor([1, 2, 3]), 1)
    assert (again.tolist(), new.tolist()) == ([False] * 3, [True, False, True])
    again, new = measure.words_at(tokenizer, tokens, torch.tensor([3]), 3)
    assert (again.tolist(), new.tolist()) == ([True], [False])


def test_ngram_bits_are_low_once_n_covers_the_dependency():
    training, tokens = [0, 0, 1, 1] * 300, [0, 0, 1, 1] * 20  # the next token depends on the last two
    places = torch.arange(2, 80)
    assert measure.ngram_bits_at(training, tokens, places, 2, 2).mean() > 0.8
    assert measure.ngram_bits_at(training, tokens, places, 2, 3).max() < 0.1


@pytest.mark.parametrize("length", [1, 2, 3])
def test_ngram_probabilities_of_all_tokens_sum_to_1(length):
    tables = measure.count_runs([0, 1, 2, 0, 1, 1, 0, 3], length)
    for prefix in [(0, 1), (3, 3), (2, 0), (4, 4)]:
        assert sum(measure.probability(tables, (*prefix, token), 5) for token in range(5)) == pytest.approx(1)


def test_a_kneser_ney_probability_equals_one_computed_by_hand():
    # 01 twice, 10 once; unigrams count distinct predecessors less 0.75, and back off to 1/3
    unigram = 0.25 / 2 + 0.75 * 2 / 2 / 3
    tables = measure.count_runs([0, 1, 0, 1], 2)
    assert measure.probability(tables, (0, 1), 3) == pytest.approx(1.25 / 2 + 0.75 / 2 * unigram)


def test_the_longest_copy_and_functions_that_parse_are_recognised():
    samples = ["an object is calling", "xx with argu"]
    assert measure.longest_copy(samples, "The object is called") == " object is call"
    assert measure.longest_copy(["zzz"], "The object") == ""
    for right in ("def f(x):\n\t\treturn x\n\n\tdef g(", "def f(x):\n\treturn x\n\treturn ("):
        assert measure.parses(right)  # only the first function counts
    for wrong in ("def f(:\n\treturn x\n\n", "\0\n\n"):
        assert not measure.parses(wrong)


# ---- the checkpoint


def test_a_saved_checkpoint_loads_with_equal_weights_and_merges(tmp_path, monkeypatch):
    model, tokenizer = small_model(size=Size(258, 12, 3, 2, 8)), Tokenizer([(1, 2), (256, 3)])
    save_checkpoint(model, tokenizer, tmp_path / "one.npz")
    monkeypatch.setattr(train, "shipped_checkpoint", lambda: tmp_path / "one.npz")
    copy, vocabulary = train.load_checkpoint(DecoderBlock, MultiHeadAttentionWithCache)
    assert vocabulary.merges == tokenizer.merges
    assert copy.size == model.size
    for name, value in model.state_dict().items():
        torch.testing.assert_close(copy.state_dict()[name], value, rtol=1e-3, atol=1e-4)


def test_a_block_that_lacks_a_parameter_name_is_refused():
    class BlockWithoutUp(DecoderBlock):
        def __init__(self, *args):
            super().__init__(*args)
            del self.up

    with pytest.raises(ValueError, match="the block has no blocks.0.up.weight"):
        train.load_checkpoint(BlockWithoutUp, MultiHeadAttentionWithCache)


@torch.no_grad()
def test_one_head_of_the_shipped_model_copies_words_that_stand_in_the_context(both_texts):
    assert train.CHECKPOINT.stat().st_size <= 1_500_000
    model, tokenizer = train.load_checkpoint(DecoderBlock, MultiHeadAttentionWithCache)
    training, held_out = map(tokenizer.encode, both_texts)
    context = model.size.context
    places = torch.arange(context - 1, len(held_out), 40)
    again, new = measure.words_at(tokenizer, held_out, places, context - 1)
    trigram = measure.ngram_bits_at(training, held_out, places, len(tokenizer), 3)
    bits = [measure.bits_at(model, held_out, places, length) for length in (1, 4, 16, context - 1)]
    assert bits[3].mean() < trigram.mean()
    assert [b.mean() for b in bits] == sorted((b.mean() for b in bits), reverse=True)
    saved = bits[1] - bits[3]  # by a long context
    assert saved[again].mean() > 4 * saved[new].mean()
    off = measure.bits_at(without_head(model, 2, 1), held_out, places, context - 1)
    assert (off - bits[3])[again].mean() > 1 > 0.5 > (off - bits[3])[new].mean()


def test_a_head_that_is_off_leaves_the_other_heads_and_the_model_as_they_were():
    model, tokens = small_model(), torch.tensor([[3, 1, 4, 1]])
    before = {name: value.clone() for name, value in model.state_dict().items()}
    off = without_head(model, 1, 2)
    weight, rest = off.blocks[1].attention.out_proj.weight, before["blocks.1.attention.out_proj.weight"]
    assert torch.equal(weight[:, 8:], torch.zeros(12, 4))
    assert torch.equal(weight[:, :8], rest[:, :8])
    assert (off(tokens)[0] - model(tokens)[0]).abs().max() > 1e-4
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_the_checkpoint_can_be_absent(monkeypatch):
    assert train.has_checkpoint()
    monkeypatch.setattr(train, "LARGE", "models/nowhere")
    assert not train.has_checkpoint()


def test_the_checkpoint_is_not_sent_to_the_sandbox():
    assert not [name for name in zipfile.ZipFile(io.BytesIO(code_zip())).namelist() if "decoder.npz" in name]
