"""Mistakes that no exercise declares are still named."""

import pytest
import torch

from autograder import grade
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.exercises import load
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.diagnose.finding import apart
from course_utils.diagnose.visible import assess_visible
from course_utils.observe.probe import observe
from tests.answers import told


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


ONE_LATE = "is off by one along the axis T: each entry stands one place later than it should"
NO_NUMBERS = "`y` contains NaN"
NAN_FROM = "look for 0/0, 0 * inf, 0 * log(0), inf - inf and a softmax over a row of all -inf"
OTHER_DTYPE = "A tensor of {} meets one of another dtype"
UNDECLARED = [
    ("axes_out_of_order", lambda x: 2 * x.transpose(0, 1)),
    ("averaged_over_axis", lambda x: 2 * x.mean(1, keepdim=True).expand_as(x)),
    ("only_one_of_axis", lambda x: 2 * x[:, :1], "Is `return` inside the loop"),
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
    assert "are `//` and `%` (or two axes of a reshape) swapped?" in result.message


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


ATTENTION, LAYER = "scaled_dot_product_attention", "MultiHeadSelfAttention"
MASKED, WEIGHTS = "masked_softmax", "causal_attention_with_weights"
CACHE, CACHED, CHUNKS = "StaticKVCache", "MultiHeadAttentionWithCache", "attend_in_chunks"
ASKED = "Does this happen for some inputs only? ", "but it would spoil", "right."
BRANCHES = "make every branch of a helper return something"
LEAK = ", up to 0.03 at (0, 0, 0, 3)"
MADE_INSIDE = "TypeError: split_heads.<locals>.<lambda>() takes 1 positional argument but 2 were given"
CAUSAL, UNKNOWN = "create_causal_mask", "no exercise called 'create_casual_mask' here. Did you mean"
NAN_BACKWARD = "is NaN: backward through `-inf` rows, 0/0 or an `exp` that overflows"
NOT_WANTED = "dtype float64 where float32 is wanted"
PASS_ON = "dtype float32 where dtype=float64 was asked for: pass dtype on"
NAN_FIRST = "`output` contains NaN, first at (B=0, T=0, d_model=0)"
NEW_FIRST = "is right when a new object gets it first, and not after others"
NO_CACHE = "`cache_k` and `cache_v` are None"
NO_MASK = "`mask` is None, and None is used as a value"
OTHER_SHAPE = "`output` has shape (2, 5, 5); expected (B=2, T=5, d_model=12)"
TAKES_NOTHING = "that of nn.Module takes nothing: `super().__init__()`"
TWO = (
    "That explains the cases no mask, more keys, no leading axes; in the cases ",
    "something else is wrong, too.",
)
UNEXPECTED = "attention.forward() got an unexpected keyword argument 'cache'"
TOLD = {
    "the largest leak with its own place": (MASKED, told.leaks, ..., "masked positions get weight", LEAK),
    "NaN first": (LAYER, told.attention_then(lambda y: y * torch.nan), ..., NAN_FIRST),
    "a wrong shape first": (LAYER, told.attention_then(lambda y: y[..., :5].log()), ..., OTHER_SHAPE),
    "a shape without one first": (LAYER, told.attention_then(lambda y: y[..., 1:]), ..., "(2, 5, 11)"),
    "a wrong shape before wrong numbers": (WEIGHTS, told.of_another_shape, ..., "`weights` has shape"),
    "a mistake that would spoil a right case as a question": ("softmax", told.only_small, None, *ASKED),
    "a dtype that was asked for": (CACHE, told.FixedDtype, "casts_dtype", "dtype=float64 was asked for"),
    "an error in the student's words by its type": (CACHE, told.CountsFirst, "overflow_moves_length"),
    "the one of two that stands alone": (ATTENTION, told.not_scaled_and_mask_inverted, "not_scaled", *TWO),
    "a fixed length from the length that raises": (LAYER, told.FixedLength, "fixed_length", "raises for 67"),
    "what is made inside as no exercise": ("split_heads", told.split_heads, ..., MADE_INSIDE),
    "an init that is handed too much as nn.Module's": (LAYER, told.HandsOn, "init_arguments", TAKES_NOTHING),
    "an init that is handed one size": (LAYER, told.HandsOneOn, "init_arguments", TAKES_NOTHING),
    "a module of ours by the argument that it is": (CHUNKS, told.by_another_name, ..., UNEXPECTED),
    "what a helper forgets to return without an argument": (ATTENTION, told.forgets, None, "it raises"),
    "an argument that is None": (ATTENTION, told.masks_none, "none_not_treated", NO_MASK, BRANCHES),
    "a helper that returns None": (ATTENTION, told.none_of_none, "none_not_treated", NO_MASK, BRANCHES),
    "an argument that the first call leaves out": (CACHED, told.NoCacheFirst, "none_not_treated", NO_CACHE),
    "what a module remembers between calls": (LAYER, told.MaskKept, "remembers", NEW_FIRST),
    "a class in place of a function": (CAUSAL, torch.nn.Linear, ..., "got the class"),
    "an object in place of its class": (
        LAYER,
        torch.nn.Linear(2, 2),
        ...,
        f"Expected the class {LAYER} itself",
    ),
    "a class without layers": (LAYER, told.NoLayers, "missing_name"),
    "a layer with a bias": (LAYER, told.Biased, "bias"),
    "one layer in four places": (LAYER, told.OneLayer, ..., "W_q.weight and W_k.weight are the same object"),
    "a misspelt name with the nearest": ("create_casual_mask", torch.triu, ..., f"{UNKNOWN} '{CAUSAL}'?"),
    "a name that is none": (42, torch.triu, ..., "There is no exercise called 42"),
    "a tensor of the inputs' dtype elsewhere": ("softmax", told.by_dtype, "fixed_device"),
    "a tensor of another type elsewhere": ("softmax", told.by_type, "fixed_device"),
    "a dtype that was asked for and ignored": ("to_additive_mask", told.deaf, ..., PASS_ON),
    "a dtype that nobody asked for": ("to_additive_mask", told.always_double, ..., NOT_WANTED),
    "a gradient that is NaN with what may have made it": ("softmax", told.mended, ..., NAN_BACKWARD),
    "an argument without effect": (MASKED, told.ignores_mask, "ignores_argument", "`mask` has no effect"),
}


@pytest.mark.parametrize("promise", TOLD)
def test_an_answer_is_told(promise):
    name, answer, mistake, *words = TOLD[promise]
    result = assess_visible(name, answer)
    assert mistake in (..., result.mistake), result.message
    assert all(text in result.message for text in words), result.message


def test_a_name_of_heads_says_which_of_its_parts_are_wrong():
    right = load("name_the_heads").implementation()

    def named(answer):
        return assess_visible("name_the_heads", lambda: answer)

    sentence = "`helper` is not the right answer (previous, first, vowel, induction are right)."
    assert named({**right, "helper": "the second"}).message == f"In the shipped models case {sentence}"
    assert named({**right, "helper": (0, 0), "induction": [(1, 1)]}).points == 0
    assert named({"first": (0, 0)}).mistake == "missing_key"
    assert named([(0, 0)]).mistake == "wrong_container"
    assert named(right).message == "It is right."


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
    rounded = message_for_softmax(lambda y: y.mul(1e4).round().div(1e4))
    got, expected = rounded.rsplit(" is ")[-1].split(", expected ")
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
    assert "it raises RuntimeError" in grade(ATTENTION, told.transposed, seed=3).message


def test_whole_numbers_that_are_only_near_a_known_mistake_are_not_called_it():
    result = grade("kv_cache_bytes", told.one_factor_is_added)
    assert result.mistake is None
    assert "`bytes` is 23040002; expected 46080000" in result.message


def test_each_module_that_the_check_hands_over_has_its_own_name():
    result = assess_visible("load_torch_weights", lambda attention, torch_attention: None)
    assert "attention=your kind of attention, torch_attention=an nn.MultiheadAttention" in result.look_at
