"""What a check says about a wrong answer: the mistake's stable name, and a true sentence."""

import pytest
import torch

from autograder import grade
from autograder.authoring.draws import call, normal
from autograder.authoring.exercise import Exercise
from autograder.exercises import load
from autograder.publish.topic_sheets import round_floats
from course_utils.diagnose.visible import assess_visible
from course_utils.practice.interview.forms import TOLERANCE
from tests.answers import layers, named, told
from tests.programs import read
from tests.tools.assessed import assess_answer


def exercise(axes, reference, **cases):
    ex = Exercise(axes)
    ex.reference(reference)
    ex.case(**cases)
    return ex


@pytest.fixture(scope="module")
def doubled():
    """The sheet of an exercise without declared mistakes: twice x."""

    def doubled(x, num_heads=2):
        return 2 * x

    return exercise(
        {"y": "B T d_model"},
        doubled,
        case_2=lambda g: call(x=normal(g, 2, 3, 4), num_heads=2),
        case_3=lambda g: call(x=normal(g, 3, 5, 6), num_heads=2),
        case_1=lambda g: call(x=normal(g, 1, 2, 8), num_heads=2).but(too_large=800),
    ).sheet()


def doubled_by(x, factor):
    return factor * x


NAN_FROM = "look for 0/0, 0 * inf, 0 * log(0), inf - inf and a softmax over a row of all -inf"
INSIDE = "it raises TypeError: {}"
UNDECLARED = [
    ("axes_out_of_order", lambda x: 2 * x.transpose(0, 1)),
    ("averaged_over_axis", lambda x: 2 * x.mean(1, keepdim=True).expand_as(x)),
    ("axes_folded", lambda x: 2 * x[:, None], "as if (B, T, d_model) had been reshaped to (2, 1, 3, 4)"),
    ("axis_cut", lambda x: 2 * x[:, :1], "holds only 1 of the 3 entries along the axis T"),
    ("axis_shifted", lambda x: 2 * x.roll(1, 1)),
    ("entries_elsewhere", lambda x: 2 * x[:, :1].expand_as(x), "index 1 holds what belongs at 0"),
    ("entries_elsewhere", lambda x: 2 * x[:, :, [1, 0, *range(2, x.shape[2])]]),
    ("constant_factor", lambda x: x / 4, "is 0.125 times the expected result everywhere"),
    (None, lambda x: 2 * x / x.shape[-1] ** 0.5, "In the case 2 case"),  # another factor in each case
    ("changes_input", lambda x: x.mul_(2)),
    ("detached", lambda x: 2 * x.detach()),
    ("unsteady", lambda x: 2 * x + torch.rand(())),
    ("fixed_device", lambda x: 2 * x + torch.zeros(x.shape, dtype=x.dtype)),
    ("casts_dtype", lambda x: (2 * x).double()),
    ("dtypes_meet", lambda x: x @ x.mT @ x.float(), "made in float32"),
    ("dtypes_meet", lambda x: x @ (x > 0).mT @ x, "boolean"),
    ("view_noncontiguous", lambda x: (2 * x).transpose(1, 2).view(x.shape)),
    ("number_of_results", lambda x: (2 * x, x)),
    ("values_and_places", lambda x: 2 * (x - torch.max(x, dim=-1, keepdim=True))),
    ("too_large", lambda x: 2 * x[..., None].repeat(1, 1, 1, 50).mean(-1)),
    (..., lambda x: 0 * x.abs().add(1).mul(0).log(), "`y` contains NaN", NAN_FROM),
    (..., lambda x: x * 1e308 * 1e308 - x * 1e308 * 1e308, "`y` contains NaN", NAN_FROM),
    (..., lambda x: x.mean(axes=1), "but expected one of: * (", "tuple of ints dim"),
    # a call inside the answer that fails is not mistaken for a wrong signature of the answer
    (None, lambda x: doubled_by(x), INSIDE.format("doubled_by() missing 1 required positional argument")),
    (None, lambda x: torch.nn.Linear(4, bias=False)(x), INSIDE.format("Linear.__init__() missing 1")),
    ("keepdims", lambda x: x.softmax(-1, keepdims=True), "is called `keepdim` in torch"),
    ("size_called", lambda x: x.reshape(x.shape(0), -1), "write `x.shape[0]` or `x.size(0)`"),
]


@pytest.mark.parametrize(("mistake", "wrong", "words"), [(*row[:2], row[2:]) for row in UNDECLARED])
def test_a_general_mistake_is_named_although_no_exercise_declares_it(mistake, wrong, words, doubled):
    result = assess_answer(lambda x, num_heads=2: wrong(x), doubled)
    assert not result.passed
    assert mistake in (..., result.mistake), result.message
    assert all(text in result.message for text in words), result.message


def test_a_right_answer_triggers_no_diagnosis(doubled):
    assert assess_answer(lambda x, num_heads=2: x + x, doubled).passed
    # right in the first run, 5e-6 off in the second
    assert assess_answer(lambda x, num_heads=2: x * (2 + 4e-5 * (torch.rand(()) - 0.4963)), doubled).passed


@pytest.mark.parametrize(
    "wrong",
    [lambda x: x, lambda: 1, lambda x, n, f: x, lambda num_heads, *, x: x, torch.no_grad()(lambda x: x)],
    ids=["no num_heads", "nothing", "one more", "by name alone", "decorated"],
)
def test_a_signature_that_the_check_cannot_call_is_reported(wrong, doubled):
    result = assess_answer(wrong, doubled)
    assert result.mistake == "wrong_signature"
    assert "It cannot be called as `doubled(x, num_heads=2)`: " in result.message


def test_tied_mistakes_are_listed_not_guessed():
    ex = exercise({"y": "T"}, told.halved, some_numbers=lambda g: call(x=normal(g, 5)))
    ex.mistake(told.first)
    ex.mistake(told.second)
    result = assess_answer(told.first, ex.sheet())
    assert result.mistake is None
    for words in ("One of these", "the first sentence", "the second sentence"):
        assert words in result.message


# ---- answers to exercises


ATTENTION, LAYER, CAUSAL = "scaled_dot_product_attention", "MultiHeadSelfAttention", "create_causal_mask"
MASKED, WEIGHTS, FROM_LISTS = "masked_softmax", "causal_attention_with_weights", "multi_head_attention"
CACHE, CHUNKS = "StaticKVCache", "attend_in_chunks"
CORE, DECODER, ADDITIVE = "multi_head_causal_attention", "CausalMultiHeadSelfAttention", "to_additive_mask"
GROUPED, BOTH_MASKS = "GroupedQueryAttentionWithCache", "create_attention_mask"
NONE, FOR_TORCH = "None is used as a value (", "True where attention is *allowed*"
TWO = ("That explains the cases no mask, more keys, no leading axes.",)
NOT_OURS = "TypeError: split_heads.<locals>.<lambda>() takes 1 positional argument but 2 were given"
BLOCK, NAMES = "DecoderBlock", "heads_by_job"
HEADS = load(NAMES).implementation()
REST = "is not the right answer (who, how, induction are right)."
ANSWERS = [
    (MASKED, told.leaks, ..., "masked positions get weight, up to 0.03 at (0, 0, 0, 3)"),
    (MASKED, told.ignores_mask, "ignores_argument", "`mask` is never used: the result cannot"),
    (MASKED, named.number_added, "number_added", "as if nothing were masked"),
    # a wrong shape is reported before numbers, and NaN before other numbers
    (LAYER, told.attention_then(lambda y: y * torch.nan), ..., "NaN, first at (B=0, T=0, d_model=0)"),
    (LAYER, told.attention_then(lambda y: y[..., :5].log()), ..., "(2, 5, 5); expected (B=2, T=5, d_"),
    (LAYER, told.attention_then(lambda y: y[..., 1:]), ..., "(2, 5, 11)"),
    (WEIGHTS, told.of_another_shape, ..., "`weights` has shape"),
    (LAYER, told.FixedLength, "fixed_length", "raises for 67"),
    (LAYER, told.HandsOn, "init_arguments", "nn.Module's accepts none, as in"),
    (
        LAYER,
        type(LAYER, (torch.nn.Module,), {}),
        "wrong_signature",
        f"cannot be called as `{LAYER}(d_model, ",
    ),
    (LAYER, type(LAYER, (dict,), {"__init__": lambda self: None}), "wrong_signature", "<lambda>() takes 1"),
    (LAYER, told.MaskKept, "remembers", "is right as the first call of a new object, but not after others"),
    (LAYER, told.Biased, "bias"),
    (LAYER, told.OneLayer, ..., "W_q.weight and W_k.weight are the same object"),
    (LAYER, torch.nn.Linear(2, 2), ..., f"Expected the class {LAYER} itself"),
    (LAYER, named.QueryRows, "padding_on_queries", "it must mask keys"),
    ("create_casual_mask", torch.triu, ..., f"'create_casual_mask' here. Did you mean '{CAUSAL}'?"),
    (42, torch.triu, ..., "There is no exercise called 42"),
    (BOTH_MASKS, named.all_squeezed, "all_ones_squeezed", "the head axis and a single"),
    ("kv_cache_bytes", named.bytes_of, None, "for some inputs? There is one factor of 2 too many. That"),
    ("softmax", lambda x, dim=0: (x - x.logsumexp(dim, keepdim=True)).exp(), "default_not_last"),
    ("softmax", told.only_small, None, "Does this happen only for some inputs? ", "it would also break"),
    ("softmax", told.by_dtype, "fixed_device"),
    ("softmax", told.by_type, "fixed_device"),
    ("softmax", told.mended, ..., "is NaN: backward through `-inf` rows, 0/0 or an `exp` that overflows"),
    (ADDITIVE, told.deaf, ..., "dtype float32 although dtype=float64 was requested: pass dtype on"),
    (ADDITIVE, told.always_double, ..., "dtype float64 where float32 is expected"),
    (CACHE, told.FixedDtype, "casts_dtype", "dtype=float64 was requested"),
    (CACHE, told.CountsFirst, "overflow_moves_length"),
    (CHUNKS, told.by_another_name, None, "Attention.forward() got an unexpected keyword argument 'cache'"),
    (GROUPED, named.OneQueryForAGroup, "queries_averaged", "with its own query"),
    (ATTENTION, told.not_scaled_and_mask_inverted, "not_scaled", *TWO),
    (ATTENTION, told.forgets, "none_not_treated", NONE, "make every branch of a helper return something"),
    (ATTENTION, told.masks_none, "none_not_treated", NONE),
    (ATTENTION, told.transposed, ..., "it raises RuntimeError"),  # the mistake explains only some exceptions
    (ATTENTION, named.all_for_torch, "mask_inverted_for_torch", "pass it ~mask"),
    (ATTENTION, named.causal_besides, "causal_beside_mask", "only the mask decides"),
    (ATTENTION, named.whole_root, "scale_rounded", "`int(d ** 0.5)`"),
    (ATTENTION, named.twice, "softmax_twice", "applied twice"),
    (ATTENTION, named.reshaped, "k_reshaped", "K is reshaped"),
    ("split_heads", told.split_heads, ..., NOT_OURS),
    ("split_heads", named.before_the_cut, "transposed_before_view", "Cut first"),
    ("split_heads", lambda x, num_heads: list(x.chunk(num_heads, -1)), "number_of_results", "torch.stack"),
    ("merge_heads", named.merged_before_the_view, "view_noncontiguous", "it runs, and the numbers are wrong"),
    ("multi_head_attention_core", named.whole_values, "values_not_split", "V is not split"),
    (FROM_LISTS, named.half, "scale_rounded", "`d // 2`"),
    (FROM_LISTS, named.last_head, "one_head_returned", "is a `return` inside the loop"),
    (FROM_LISTS, named.one_head, "one_wide_head", "as wide as the model"),
    (FROM_LISTS, lambda Q, K, V, n: [Q, K], "number_of_results", "Make it one array: np."),
    (CORE, named.for_torch, "mask_inverted_for_torch", FOR_TORCH),
    (CORE, named.both_interleaved, "split_and_merge_interleaved", "in turn, (d_head, H)"),
    (DECODER, named.Four, "mask_inverted_for_torch", FOR_TORCH),
    (BLOCK, layers.NotKept, ..., "does not keep the module it is given: write self.attention = attention in"),
    (BLOCK, layers.NoBias, ..., "norm_1 has no bias: this exercise wants the one that nn.LayerNorm has"),
    (BLOCK, layers.OtherName, ..., "has no layer called norm_1: make it in __init__ as self.norm_1 = nn.Lay"),
    (BLOCK, layers.OtherSize, ..., "norm_1.weight has shape (1,); expected (6,)"),
    (NAMES, lambda: HEADS | {"helper": "the second"}, ..., "In the shipped models case `helper` is", REST),
    (NAMES, lambda: HEADS | {"helper": (0, 0), "induction": [(1, 1)]}, ..., "`helper`"),
    (NAMES, lambda: {"first": (0, 0)}, "missing_key"),
    (NAMES, lambda: [(0, 0)], "wrong_container"),
]


@pytest.mark.parametrize(("name", "answer", "mistake", "words"), [(*row[:3], row[3:]) for row in ANSWERS])
def test_a_wrong_answer_gets_its_mistake_and_sentence(name, answer, mistake, words):
    result = assess_visible(name, answer)
    assert mistake in (..., result.mistake), result.message
    assert all(text in result.message for text in words), result.message


def test_messages_about_softmax_have_fitting_digits_and_words():
    def message(change):
        return assess_visible(
            "softmax", lambda x, dim=-1: change((x - x.logsumexp(dim, keepdim=True)).exp())
        ).message

    assert "at (0, 0) is 0.4264, expected 0.4264125." in message(lambda y: y.mul(1e4).round().div(1e4))
    assert "the axis axis" not in message(lambda y: y[..., :2])
    of_lists = message(lambda y: y.tolist())
    assert "`.tolist()`" in of_lists
    assert "torch.stack" not in of_lists


def decoder(**methods):
    """The Result of a right CausalMultiHeadSelfAttention with these methods replaced."""
    new = type(DECODER, (load(DECODER).implementation,), methods)
    for name, method in methods.items():
        method.__qualname__ = f"{DECODER}.{name}"
    return assess_visible(DECODER, new)


def test_a_wrong_method_signature_is_distinguished_from_a_wrong_call_of_it():
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


def test_an_integer_close_to_a_known_mistakes_value_does_not_get_its_name():
    result = grade("kv_cache_bytes", told.one_factor_is_added)
    assert result.mistake is None
    assert "`bytes` is 23040002, expected 46080000" in result.message


def test_each_module_passed_to_an_answer_is_described():
    result = assess_visible("load_torch_weights", lambda attention, torch_attention: None)
    assert "attention=your kind of attention, torch_attention=an nn.MultiheadAttention" in result.look_at


LAYER = next(p for p in read("MultiHeadSelfAttention") if p.name == "output_layer_has_bias").source
SLIPS = {  # a program, its slip, and a change that makes its numbers wrong, too
    "bias": ("MultiHeadSelfAttention", LAYER, (" / d ** 0.5", "")),
    "missing_key": (
        "from_conv1d",
        "def from_conv1d(weight, bias):\n    return dict(zip(['W_q', 'W_k'], weight.T.clone().chunk(3)))",
        ("['W_q', 'W_k']", "['W_k', 'W_q']"),
    ),
    "dtypes_meet": (
        "scaled_dot_product_attention",
        "import torch\ndef scaled_dot_product_attention(Q, K, V, mask=None):\n"
        "    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).float()\n"
        "    scores = scores if mask is None else scores.masked_fill(mask, -torch.inf)\n"
        "    weights = scores.softmax(-1)\n    return weights @ V, weights",
        ("softmax(-1)", "softmax(-2)"),
    ),
}


@pytest.mark.parametrize("mistake", SLIPS)
def test_a_slip_that_hides_the_numbers_says_whether_they_are_wrong_as_well(mistake):
    name, text, change = SLIPS[mistake]
    for source, more in ((text, False), (text.replace(*change), True)):
        space = {}
        exec(source, space)
        result = assess_visible(name, space[name])
        assert (result.mistake, "That is not all" in result.message) == (mistake, more), result.message


@pytest.mark.parametrize(
    ("mistake", "answer", "words"),
    [
        ("axis_shifted", lambda x: x.softmax(-1).roll(1, 1), "along the axis T_q"),
        (None, lambda x: x.softmax(-1)[:, [1, 0, *range(2, 8)]].sqrt(), "the rows of `weights` sum to"),
    ],
)
def test_the_rounded_numbers_of_an_interview_show_as_much_and_hide_no_small_weight(mistake, answer, words):
    axes, case = {"weights": "B T_q T_k"}, lambda g: call(x=2 * normal(g, 2, 8, 8)).but(tolerance=TOLERANCE)

    def table(x):
        return x.softmax(-1)

    sheet = exercise(axes, table, plain=case).sheet()
    (wanted,) = sheet.wanted
    wanted.values = {fact: round_floats(value, value) for fact, value in wanted.values.items()}
    result = assess_answer(answer, sheet)
    assert result.mistake == mistake
    assert words in result.message
    assert "masked" not in result.message
