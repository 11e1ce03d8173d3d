"""Mistakes that no exercise declares are still named."""

import pytest
import torch

from autograder import grade
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.authoring.modules import self_attention
from autograder.exercises import load
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.diagnose.finding import apart
from course_utils.diagnose.visible import assess_visible
from course_utils.observe.probe import observe


def exercise(axes, reference, gradients=True, **cases):
    ex = Exercise(axes, gradients=gradients)
    ex.reference(reference)
    ex.case(**cases)
    return ex


def assessed(implementation, exercise):
    sheet = exercise.sheet()
    observations = [observe(implementation, case, sheet.contract) for case in sheet.cases]
    return assess(compare(sheet, observations))


@pytest.fixture(scope="module")
def doubled():
    """An exercise without declared mistakes: twice x."""

    def doubled(x, num_heads=2):
        return 2 * x

    return exercise(
        {"y": "B T d_model"},
        doubled,
        case_2=lambda g: call(x=normal(g, 2, 3, 4), num_heads=2),
        case_3=lambda g: call(x=normal(g, 3, 5, 6), num_heads=2),
        case_1=lambda g: call(x=normal(g, 1, 2, 8), num_heads=2).but(too_large=800),
    )


def test_whole_numbers_that_come_back_as_floats_are_told():
    def moved_on(places):
        return places + 1

    drawn = {"drawn": lambda g: call(places=torch.from_numpy(g.integers(0, 9, (2, 3))))}
    ex = exercise({"places": "B T"}, moved_on, gradients=False, **drawn)
    assert assessed(moved_on, ex).passed
    result = assessed(lambda places: places + 1.0, ex)
    assert (result.mistake, result.passed) == ("not_whole", False)
    assert "`places` has dtype float32: whole numbers are wanted" in result.message


ONE_LATE = "is off by one along the axis T: each entry stands one place later than it should"
NO_NUMBERS = "`y` holds NaN"
NAN_FROM = "look for 0/0, 0 * inf, 0 * log(0), inf - inf and a softmax over a row of all -inf"
OTHER_DTYPE = "A tensor of {} meets one of another dtype"
UNDECLARED = [
    ("axes_out_of_order", lambda x: 2 * x.transpose(0, 1)),
    ("averaged_over_axis", lambda x: 2 * x.mean(1, keepdim=True).expand_as(x)),
    ("only_one_of_axis", lambda x: 2 * x[:, :1], "Does `return` stand inside the loop"),
    ("one_for_all_of_axis", lambda x: 2 * x[:, :1].expand_as(x)),
    ("axis_reversed", lambda x: 2 * x.flip(2)),
    ("axis_shifted", lambda x: 2 * x.roll(1, 1)),
    ("axis_shifted", lambda x: torch.cat([0 * x[:, :1], 2 * x[:, :-1]], 1), ONE_LATE),
    ("entries_elsewhere", lambda x: 2 * x[:, :, [1, 0, *range(2, x.shape[2])]]),
    ("constant_factor", lambda x: 5 * x),
    ("wrong_factor", lambda x: 2 * x / x.shape[-1] ** 0.5, "the wanted result divided by sqrt(d_model)"),
    ("changes_input", lambda x: x.mul_(2)),
    ("detached", lambda x: 2 * x.detach()),
    ("unsteady", lambda x: 2 * x + torch.rand(())),
    ("fixed_device", lambda x: 2 * x + torch.zeros(x.shape, dtype=x.dtype)),
    ("casts_dtype", lambda x: (2 * x).double()),
    ("casts_dtype", lambda x: x @ x.mT @ x.float()),
    ("view_noncontiguous", lambda x: (2 * x).transpose(1, 2).view(x.shape)),
    ("number_of_results", lambda x: (2 * x, x)),
    ("values_and_places", lambda x: 2 * (x - torch.max(x, dim=-1, keepdim=True))),
    ("too_large", lambda x: 2 * x[..., None].repeat(1, 1, 1, 50).mean(-1)),
    (..., lambda x: x @ (x > 0).mT @ x, OTHER_DTYPE.format("True and False")),
    (..., lambda x: x @ x.long().mT @ x, OTHER_DTYPE.format("whole numbers")),
    (..., lambda x: 0 * x.abs().add(1).mul(0).log(), NO_NUMBERS, NAN_FROM),
    (..., lambda x: x * 1e308 * 1e308 - x * 1e308 * 1e308, NO_NUMBERS, NAN_FROM),
    (..., lambda x: x.mean(axes=1), "but expected one of: * (", "tuple of ints dim"),
]


@pytest.mark.parametrize(("mistake", "wrong", "words"), [(*row[:2], row[2:]) for row in UNDECLARED])
def test_general_mechanism_names_it(mistake, wrong, words, doubled):
    result = assessed(lambda x, num_heads=2: wrong(x), doubled)
    assert not result.passed
    assert mistake in (..., result.mistake), result.message
    assert all(text in result.message for text in words), result.message


def test_the_right_answer_sets_nothing_off(doubled):
    assert assessed(lambda x, num_heads=2: x + x, doubled).passed


def doubled_by(x, factor):
    return factor * x


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda x: doubled_by(x), "doubled_by() missing 1 required positional argument: 'factor'"),
        (lambda x: torch.nn.Linear(4, bias=False)(x), "Linear.__init__() missing 1 required"),
        (lambda x: x.softmax(-1, keepdims=True), "softmax() got an unexpected keyword argument"),
        (lambda x: 2 * x.reshape(x.shape(0), -1), "'torch.Size' object is not callable"),
    ],
    ids=["a helper", "a layer", "a library", "a shape"],
)
def test_a_call_inside_that_does_not_work_out_is_not_taken_for_ours(wrong, sentence, doubled):
    message = assessed(lambda x, num_heads=2: wrong(x), doubled).message
    assert "cannot be called" not in message
    assert f"it raises TypeError: {sentence}" in message


@pytest.mark.parametrize(
    "wrong",
    [lambda x: 2 * x, lambda: 1, lambda x, num_heads, factor: factor * x, lambda num_heads, *, x: 2 * x],
    ids=["no num_heads", "nothing", "one more", "by name alone"],
)
def test_a_call_of_ours_that_does_not_work_out_is_told(wrong, doubled):
    result = assessed(wrong, doubled)
    assert result.mistake == "wrong_signature"
    assert "It cannot be called as `doubled(x, num_heads=2)`: " in result.message


def test_tied_mistakes_are_listed_not_guessed():
    def halved(x):
        return x / 2

    ex = exercise({"y": "T"}, halved, some_numbers=lambda g: call(x=normal(g, 5)))

    @ex.mistake
    def first(x):
        """the first sentence"""
        return x / 3

    @ex.mistake
    def second(x):
        """the second sentence"""
        return x / 3

    result = assessed(first, ex)
    assert result.mistake is None
    for words in ("One of these", "the first sentence", "the second sentence"):
        assert words in result.message


def test_exchanged_quotient_and_remainder_are_asked_about():
    def twice(x):
        return 2 * x

    cases = {
        "six": lambda g: call(x=normal(g, 6, 4)),
        "twelve": lambda g: call(x=normal(g, 12, 5)),
    }
    ex = exercise({"y": "T d_model"}, twice, **cases)
    result = assessed(lambda x: 2 * x.unflatten(0, (2, -1)).transpose(0, 1).flatten(0, 1), ex)
    assert result.mistake == "quotient_for_remainder"
    assert "are `//` and `%` (or two axes of a reshape) exchanged?" in result.message


def test_a_factor_of_the_scores_behind_weights_is_named():
    def attend(Q, K):
        return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)

    cases = {
        "four": lambda g: call(Q=normal(g, 3, 4), K=normal(g, 5, 4)),
        "nine": lambda g: call(Q=normal(g, 4, 9), K=normal(g, 6, 9)),
        "more_keys": lambda g: call(Q=normal(g, 2, 7), K=normal(g, 11, 7)),
    }
    ex = exercise({"weights": "T_q T_k"}, attend, **cases)
    assert assessed(attend, ex).passed
    message = assessed(lambda Q, K: attend(Q / K.shape[0] ** 0.5, K), ex).message
    assert "he scores behind `weights` are the wanted ones divided by sqrt(T_k)" in message


# ---- answers to exercises


def leaks(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, -1e300), -1).masked_fill(mask, 0)
    return weights + mask * torch.arange(mask.shape[-1]) / 100


def attention_then(change):
    """An attention without a mask of its own, whose output is changed: it peeks at later tokens, too."""

    class Changed(self_attention()):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            return change(super().forward(x + 0.1 * x.roll(-1, 1), is_causal, key_padding_lengths))

    return Changed


def only_small(x, dim=-1):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(-1 if x.dim() == 2 else dim, keepdim=True)


class FixedDtype(load("StaticKVCache").implementation):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        super().__init__(batch_size, num_heads, max_len, d_head)


class CountsFirst(load("StaticKVCache").implementation):
    def update(self, k, v):
        if getattr(self, "spoilt", False) or self.seen.shape[3] + k.shape[2] > self.memory.shape[3]:
            self.spoilt = True
            raise ValueError("in the student's own words")
        return super().update(k, v)


def not_scaled_and_mask_inverted(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return weights @ V, weights


class FixedLength(self_attention()):
    def forward(self, x, is_causal=False, key_padding_lengths=None):
        if is_causal:
            x = x + torch.zeros(16, 16, dtype=x.dtype)[: x.shape[1], :1]
        return super().forward(x, is_causal, key_padding_lengths)


class MaskKept(self_attention()):
    """Whether it is causal is kept from the first call of each length."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.seen = {}

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        is_causal = self.seen.setdefault(x.shape[1], is_causal)
        return super().forward(x, is_causal, key_padding_lengths)


class HandsOn(torch.nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__(*self.handed(d_model, num_heads))

    def handed(self, *sizes):
        return sizes


class HandsOneOn(HandsOn):
    def handed(self, *sizes):
        return sizes[:1]


HandsOn.__name__ = HandsOneOn.__name__ = "MultiHeadSelfAttention"


def ignores_mask(scores, mask):
    return torch.softmax(scores, -1) + 0.5 * (scores > 1)


def of_another_shape(X, W_Q, W_K, W_V, W_O, num_heads):
    return X * 7 + 1, torch.zeros(num_heads, 3, 3, dtype=X.dtype)


def split_heads(x, num_heads):
    return (lambda t: t)(x, num_heads)


def by_another_name(attention, x, chunk_sizes):
    return attention(x, cache=None)


def none_of(x):
    x * 2


def masks_none(Q, K, V, mask=None):
    weights = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(mask, -torch.inf).softmax(-1)
    return weights @ V, weights


def masked_if_given(scores, mask):
    if mask is not None:
        return scores.masked_fill(mask, -torch.inf)


def none_of_none(Q, K, V, mask=None):
    weights = masked_if_given(Q @ K.mT / Q.shape[-1] ** 0.5, mask).softmax(-1)
    return weights @ V, weights


class NoCacheFirst(load("MultiHeadAttentionWithCache").implementation):
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        cache_k.shape  # noqa: B018
        return super().forward(x, cache_k, cache_v, is_causal)


ATTENTION, LAYER = "scaled_dot_product_attention", "MultiHeadSelfAttention"
BRANCHES = "make every branch of a helper return something"
NO_MASK = "`mask` is None, and None is used as a value"
NAN_FIRST = "`output` contains NaN, first at (B=0, T=0, d_model=0)"
OTHER_SHAPE = "`output` has shape (2, 5, 5); expected (B=2, T=5, d_model=12)"
OTHER_TOO = "That explains the cases no mask, more keys, no leading axes; in the cases "
TAKES_NOTHING = "that of nn.Module takes nothing: `super().__init__()`"
UNEXPECTED = "got an unexpected keyword argument"
MADE_INSIDE = "split_heads.<locals>.<lambda>() takes 1 positional argument but 2 were given"


def told(name, answer, mistake, *words):
    return name, answer, mistake, words


TOLD = {
    "the largest leak is told with its own place": told(
        "masked_softmax", leaks, ..., "masked positions get weight, up to 0.03 at (0, 0, 0, 3)"
    ),
    "NaN comes first": told(LAYER, attention_then(lambda y: y * torch.nan), ..., NAN_FIRST),
    "a wrong shape comes first": told(LAYER, attention_then(lambda y: y[..., :5].log()), ..., OTHER_SHAPE),
    "a shape without one comes first": told(LAYER, attention_then(lambda y: y[..., 1:]), ..., "(2, 5, 11)"),
    "a wrong shape is told before wrong numbers": told(
        "causal_attention_with_weights", of_another_shape, ..., "`weights` has shape"
    ),
    "a mistake that would spoil a right case is asked about": told(
        "softmax", only_small, None, "Does this happen for some inputs only? ", "but it would spoil", "right."
    ),
    "a dtype asked for in the constructor is told from that of the inputs": told(
        "StaticKVCache", FixedDtype, "casts_dtype", "dtype=float64 was asked for"
    ),
    "an error in the student's words is known by its type": told(
        "StaticKVCache", CountsFirst, "overflow_moves_length"
    ),
    "of two mistakes the one that stands alone in a case is told": told(
        ATTENTION, not_scaled_and_mask_inverted, "not_scaled", OTHER_TOO, "something else is wrong, too."
    ),
    "a fixed length is told from the length that raises": told(
        LAYER, FixedLength, "fixed_length", "raises for 67"
    ),
    "what is made inside is not taken for the exercise": told(
        "split_heads", split_heads, ..., f"it raises TypeError: {MADE_INSIDE}"
    ),
    "an init that is handed too much may be nn.Module's": told(
        LAYER, HandsOn, "init_arguments", TAKES_NOTHING
    ),
    "or be handed one size": told(LAYER, HandsOneOn, "init_arguments", TAKES_NOTHING),
    "a module of ours goes by the argument that it is": told(
        "attend_in_chunks", by_another_name, ..., f"attention.forward() {UNEXPECTED} 'cache'"
    ),
    "what a helper forgets to return is not blamed on an argument": told(
        ATTENTION, lambda Q, K, V, mask=None: (none_of(Q @ K.mT).softmax(-1) @ V, None), None, "it raises"
    ),
    "an argument that is None": told(ATTENTION, masks_none, "none_not_treated", NO_MASK, BRANCHES),
    "a helper that returns None for it": told(ATTENTION, none_of_none, "none_not_treated", NO_MASK, BRANCHES),
    "an argument that only the first of two calls leaves out is left out": told(
        "MultiHeadAttentionWithCache", NoCacheFirst, "none_not_treated", "`cache_k` and `cache_v` are None"
    ),
    "what a module remembers between calls is told by a new object": told(
        LAYER, MaskKept, "remembers", "is right when a new object gets it first, and not after others"
    ),
    "an argument that changes nothing is named": told(
        "masked_softmax", ignores_mask, "ignores_argument", "`mask` has no effect"
    ),
}


@pytest.mark.parametrize("promise", TOLD)
def test_an_answer_is_told(promise):
    name, answer, mistake, words = TOLD[promise]
    result = assess_visible(name, answer)
    assert mistake in (..., result.mistake), result.message
    assert all(text in result.message for text in words), result.message


def test_a_name_of_heads_says_which_of_its_parts_are_wrong():
    right = load("name_the_heads").implementation()

    def told(answer):
        return assess_visible("name_the_heads", lambda: answer)

    assert told({**right, "helper": "the second"}).message == (
        "In the shipped models case `helper` is not the right answer (previous, first, "
        "vowel, induction are right)."
    )
    assert told({**right, "helper": (0, 0), "induction": [(1, 1)]}).points == 0
    assert told({"first": (0, 0)}).mistake == "missing_key"
    assert told([(0, 0)]).mistake == "wrong_container"
    assert told(right).message == "It is right."


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ((0.35060001, 0.35060013), ["0.3506", "0.3506001"]),
        ((0.5, 0.25), ["0.5", "0.25"]),
        ((1.0, 1.0004, 1.0), ["1", "1.0004", "1"]),
        ((2.0, 2.0), ["2", "2"]),
        ((True, False), ["True", "False"]),
        ((3, 12345678), ["3", "12345678"]),
    ],
)
def test_numbers_that_differ_are_shown_with_digits_that_do(numbers, texts):
    assert apart(*numbers) == texts


def message_for_softmax(change):
    return assess_visible("softmax", lambda x, dim=-1: change(torch.softmax(x, dim))).message


def test_softmax_is_told_in_words_that_fit():
    got, expected = (
        message_for_softmax(lambda y: y.mul(1e4).round().div(1e4)).rsplit(" is ")[-1].split(", expected ")
    )
    assert got != expected.rstrip(".")
    assert "the axis axis" not in message_for_softmax(lambda y: y[..., :2])
    of_lists = message_for_softmax(lambda y: y.tolist())
    assert "`.tolist()`" in of_lists
    assert "torch.stack" not in of_lists


def decoder(**methods):
    """A right CausalMultiHeadSelfAttention, with these methods instead."""
    right = load("CausalMultiHeadSelfAttention").implementation
    new = type("CausalMultiHeadSelfAttention", (right,), methods)
    for name, method in methods.items():
        method.__qualname__ = f"CausalMultiHeadSelfAttention.{name}"
    return assess_visible("CausalMultiHeadSelfAttention", new)


def test_methods_are_told_apart_from_calls_of_them():
    result = decoder(_split_heads=lambda self, x, num_heads: x)
    assert result.mistake == "wrong_signature"
    assert "It cannot be called as `_split_heads(x)`: " in result.message
    for wrong in (
        lambda self, x: self._merge_heads(x, 3),
        lambda self, x: self._merge_heads(),
        lambda self, x: self._merge_heads(heads=x),
    ):
        message = decoder(forward=wrong, _merge_heads=lambda self, x: torch.cat(x.unbind(1), -1)).message
        assert "it raises TypeError: CausalMultiHeadSelfAttention._merge_heads() " in message, message


def test_a_mistake_that_explains_some_exceptions_only_is_not_named():
    def transposed(Q, K, V, mask=None):
        scores = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5
        weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
        return weights @ V, weights

    assert "it raises RuntimeError" in grade(ATTENTION, transposed, seed=3).message


def test_whole_numbers_that_are_only_near_a_known_mistake_are_not_called_it():
    def one_factor_is_added(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
        return 2 + batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value

    result = grade("kv_cache_bytes", one_factor_is_added)
    assert result.mistake is None
    assert "`bytes` is 23040002; expected 46080000" in result.message


def test_each_module_that_the_check_hands_over_has_its_own_name():
    result = assess_visible("load_torch_weights", lambda attention, torch_attention: None)
    assert "attention=your kind of attention, torch_attention=an nn.MultiheadAttention" in result.look_at
