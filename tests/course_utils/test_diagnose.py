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


def assessed(implementation, exercise):
    sheet = exercise.sheet()
    observations = [observe(implementation, case, sheet.contract) for case in sheet.cases]
    return assess(compare(sheet, observations))


@pytest.fixture(scope="module")
def doubled():
    """An exercise without declared mistakes: twice x."""
    ex = Exercise({"y": "B T d_model"})

    @ex.reference
    def doubled(x, num_heads=2):
        return 2 * x

    ex.case(
        case_2=lambda g: call(x=normal(g, 2, 3, 4), num_heads=2),
        case_3=lambda g: call(x=normal(g, 3, 5, 6), num_heads=2),
        case_1=lambda g: call(x=normal(g, 1, 2, 8), num_heads=2).but(too_large=800),
    )
    return ex


def test_whole_numbers_that_come_back_as_floats_are_told():
    ex = Exercise({"places": "B T"}, gradients=False)

    @ex.reference
    def moved_on(places):
        return places + 1

    ex.case(drawn=lambda g: call(places=torch.from_numpy(g.integers(0, 9, (2, 3)))))
    assert assessed(moved_on, ex).passed
    result = assessed(lambda places: places + 1.0, ex)
    assert (result.mistake, result.passed) == ("not_whole", False)
    assert "`places` has dtype float32: whole numbers are wanted" in result.message


UNDECLARED = {
    "axes_out_of_order": lambda x, num_heads=2: 2 * x.transpose(0, 1),
    "averaged_over_axis": lambda x, num_heads=2: 2 * x.mean(1, keepdim=True).expand_as(x),
    "only_one_of_axis": lambda x, num_heads=2: 2 * x[:, :1],
    "one_for_all_of_axis": lambda x, num_heads=2: 2 * x[:, :1].expand_as(x),
    "axis_reversed": lambda x, num_heads=2: 2 * x.flip(2),
    "axis_shifted": lambda x, num_heads=2: 2 * x.roll(1, 1),
    "constant_factor": lambda x, num_heads=2: 5 * x,
    "changes_input": lambda x, num_heads=2: x.mul_(2),
    "detached": lambda x, num_heads=2: 2 * x.detach(),
    "unsteady": lambda x, num_heads=2: 2 * x + torch.rand(()),
    "fixed_device": lambda x, num_heads=2: 2 * x + torch.zeros(x.shape, dtype=x.dtype),
    "casts_dtype": lambda x, num_heads=2: (2 * x).double(),
    "view_noncontiguous": lambda x, num_heads=2: (2 * x).transpose(1, 2).view(x.shape),
    "number_of_results": lambda x, num_heads=2: (2 * x, x),
    "values_and_places": lambda x, num_heads=2: 2 * (x - torch.max(x, dim=-1, keepdim=True)),
    "too_large": lambda x, num_heads=2: 2 * x[..., None].repeat(1, 1, 1, 50).mean(-1),
}


@pytest.mark.parametrize("mistake", UNDECLARED)
def test_general_mechanism_names_it(mistake, doubled):
    result = assessed(UNDECLARED[mistake], doubled)
    assert not result.passed
    assert result.mistake == mistake, result.message


def test_the_right_answer_sets_nothing_off(doubled):
    assert assessed(lambda x, num_heads=2: x + x, doubled).passed


def test_the_largest_leak_is_told_with_its_own_place():
    def leaks(scores, mask):
        return masked(scores, mask) + mask * torch.arange(mask.shape[-1]) / 100

    def masked(scores, mask):
        weights = torch.softmax(scores.masked_fill(mask, -1e300), -1)
        return weights.masked_fill(mask, 0)

    message = assess_visible("masked_softmax", leaks).message
    assert "masked positions get weight, up to 0.03 at (0, 0, 0, 3)" in message


def attention_then(change):
    """An attention without a mask of its own, whose output is changed: it peeks at later tokens, too."""

    class Changed(self_attention()):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            return change(super().forward(x + 0.1 * x.roll(-1, 1), is_causal, key_padding_lengths))

    return Changed


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda output: output * torch.nan, "`output` holds NaN, first at (B=0, T=0, d_model=0)"),
        (
            lambda output: output[..., :5].log(),
            "`output` has shape (2, 5, 5); expected (B=2, T=5, d_model=12)",
        ),
        (lambda output: output[..., 1:], "(2, 5, 11)"),
    ],
)
def test_nan_and_a_wrong_shape_come_first(change, text):
    message = assess_visible("MultiHeadSelfAttention", attention_then(change)).message
    assert text in message


def test_tied_mistakes_are_listed_not_guessed():
    ex = Exercise({"y": "T"})

    @ex.reference
    def halved(x):
        return x / 2

    ex.case(some_numbers=lambda g: call(x=normal(g, 5)))

    @ex.mistake
    def first(x):
        """the first sentence"""
        return x / 3

    @ex.mistake
    def second(x):
        """the second sentence"""
        return x / 3

    result = assessed(lambda x: x / 3, ex)
    assert result.mistake is None
    assert "One of these" in result.message
    assert "the first sentence" in result.message
    assert "the second sentence" in result.message


def test_a_mistake_that_would_spoil_a_right_case_is_asked_about():
    def only_small(x, dim=-1):
        e = (x - x.amax(dim, keepdim=True)).exp()
        return e / e.sum(-1 if x.dim() == 2 else dim, keepdim=True)

    result = assess_visible("softmax", only_small)
    assert result.mistake is None
    assert result.message.startswith("Does this happen for some inputs only? ")
    assert "but it would spoil" in result.message
    assert result.message.endswith("right.")


class FixedDtype(load("StaticKVCache").implementation):
    def __init__(self, batch_size, num_heads, max_len, d_head, dtype=torch.float32, device="cpu"):
        super().__init__(batch_size, num_heads, max_len, d_head)


def test_a_dtype_asked_for_in_the_constructor_is_told_from_that_of_the_inputs():
    result = assess_visible("StaticKVCache", FixedDtype)
    assert result.mistake == "casts_dtype"
    assert "dtype=float64 was asked for" in result.message


def test_an_answer_says_which_of_its_parts_are_wrong():
    right = load("name_the_heads").implementation()
    result = assess_visible("name_the_heads", lambda: {**right, "helper": "the second"})
    assert result.message == (
        "In the shipped models case `helper` is not the right answer (previous, first, "
        "vowel, induction are right)."
    )
    assert (
        assess_visible("name_the_heads", lambda: {**right, "helper": (0, 0), "induction": [(1, 1)]}).points
        == 0
    )
    assert assess_visible("name_the_heads", lambda: {"first": (0, 0)}).mistake == "missing_key"
    assert assess_visible("name_the_heads", lambda: [(0, 0)]).mistake == "wrong_container"
    assert assess_visible("name_the_heads", lambda: right).message == "It is right."


class CountsFirst(load("StaticKVCache").implementation):
    def update(self, k, v):
        if getattr(self, "spoilt", False) or self.seen.shape[3] + k.shape[2] > self.memory.shape[3]:
            self.spoilt = True
            raise ValueError("in the student's own words")
        return super().update(k, v)


def test_an_error_in_the_students_words_is_known_by_its_type():
    assert assess_visible("StaticKVCache", CountsFirst).mistake == "overflow_moves_length"


def test_of_two_mistakes_the_one_that_stands_alone_in_a_case_is_told():
    result = assess_visible("scaled_dot_product_attention", not_scaled_and_mask_inverted)
    assert result.mistake == "not_scaled"
    assert "That explains the cases no mask, more keys, no leading axes; in the cases " in result.message
    assert result.message.endswith("something else is wrong, too.")


def not_scaled_and_mask_inverted(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return weights @ V, weights


def test_a_fixed_length_is_told_from_the_length_that_raises():
    class Fixed(self_attention()):
        def forward(self, x, is_causal=False, key_padding_lengths=None):
            if is_causal:
                x = x + torch.zeros(16, 16, dtype=x.dtype)[: x.shape[1], :1]
            return super().forward(x, is_causal, key_padding_lengths)

    result = assess_visible("MultiHeadSelfAttention", Fixed)
    assert result.mistake == "fixed_length"
    assert "raises for 67" in result.message


def test_a_wrong_shape_is_told_before_wrong_numbers():
    def pair(X, W_Q, W_K, W_V, W_O, num_heads):
        return X * 7 + 1, torch.zeros(num_heads, 3, 3, dtype=X.dtype)

    assert "`weights` has shape" in assess_visible("causal_attention_with_weights", pair).message


def test_numbers_that_differ_are_shown_with_digits_that_do():
    assert apart(0.35060001, 0.35060013) == ["0.3506", "0.3506001"]
    assert apart(0.5, 0.25) == ["0.5", "0.25"]
    assert apart(1.0, 1.0004, 1.0) == ["1", "1.0004", "1"]
    assert apart(2.0, 2.0) == ["2", "2"]
    assert apart(True, False) == ["True", "False"]
    assert apart(3, 12345678) == ["3", "12345678"]
    rounded = assess_visible("softmax", lambda x, dim=-1: torch.softmax(x, dim).mul(1e4).round().div(1e4))
    got, expected = rounded.message.rsplit(" is ", 1)[1].rstrip(".").split(", expected ")
    assert got != expected


def test_an_axis_without_a_name_is_called_by_its_number():
    assert (
        "the axis axis"
        not in assess_visible("softmax", lambda x, dim=-1: torch.softmax(x, dim)[..., :2]).message
    )


def doubled_by(x, factor):
    return factor * x


INSIDE = {
    "a helper": (
        lambda x, num_heads=2: doubled_by(x),
        "it raises TypeError: doubled_by() missing 1 required positional argument: 'factor'",
    ),
    "a layer": (
        lambda x, num_heads=2: torch.nn.Linear(4, bias=False)(x),
        "it raises TypeError: Linear.__init__() missing 1 required",
    ),
    "a library": (
        lambda x, num_heads=2: x.softmax(-1, keepdims=True),
        "it raises TypeError: softmax() got an unexpected keyword argument",
    ),
    "a shape": (
        lambda x, num_heads=2: 2 * x.reshape(x.shape(0), -1),
        "it raises TypeError: 'torch.Size' object is not callable",
    ),
}


@pytest.mark.parametrize("case", INSIDE)
def test_a_call_inside_that_does_not_work_out_is_not_taken_for_ours(case, doubled):
    wrong, sentence = INSIDE[case]
    result = assessed(wrong, doubled)
    assert "cannot be called" not in result.message
    assert sentence in result.message


def split_heads(x, num_heads):
    return (lambda t: t)(x, num_heads)


def test_what_is_made_inside_is_not_taken_for_the_exercise():
    message = assess_visible("split_heads", split_heads).message
    assert (
        "it raises TypeError: split_heads.<locals>.<lambda>() takes 1 positional argument but 2 were given"
        in message
    )


@pytest.mark.parametrize(
    "wrong",
    [lambda x: 2 * x, lambda: 1, lambda x, num_heads, factor: factor * x, lambda num_heads, *, x: 2 * x],
    ids=["no num_heads", "nothing", "one more", "by name alone"],
)
def test_a_call_of_ours_that_does_not_work_out_is_told(wrong, doubled):
    result = assessed(wrong, doubled)
    assert result.mistake == "wrong_signature"
    assert "It cannot be called as `doubled(x, num_heads=2)`: " in result.message


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
        result = decoder(forward=wrong, _merge_heads=lambda self, x: torch.cat(x.unbind(1), -1))
        assert "it raises TypeError: CausalMultiHeadSelfAttention._merge_heads() " in result.message, (
            result.message
        )


def test_an_init_that_is_handed_too_much_may_be_that_of_nn_module():
    class MultiHeadSelfAttention(torch.nn.Module):
        def __init__(self, d_model, num_heads):
            super().__init__(*self.handed(d_model, num_heads))

        def handed(self, *sizes):
            return sizes

    class OneSize(MultiHeadSelfAttention):
        def handed(self, *sizes):
            return sizes[:1]

    OneSize.__name__ = "MultiHeadSelfAttention"
    for wrong in (MultiHeadSelfAttention, OneSize):
        result = assess_visible("MultiHeadSelfAttention", wrong)
        assert result.mistake == "init_arguments"
        assert "that of nn.Module takes nothing: `super().__init__()`" in result.message


def test_a_module_of_ours_goes_by_the_argument_that_it_is():
    def by_another_name(attention, x, chunk_sizes):
        return attention(x, cache=None)

    message = assess_visible("attend_in_chunks", by_another_name).message
    assert "it raises TypeError: attention.forward() got an unexpected keyword argument 'cache'" in message


def none_of(x):
    x * 2


def with_helper(Q, K, V, mask=None):
    return none_of(Q @ K.mT).softmax(-1) @ V, None


def masks_none(Q, K, V, mask=None):
    weights = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(mask, -torch.inf).softmax(-1)
    return weights @ V, weights


def masked_if_given(scores, mask):
    if mask is not None:
        return scores.masked_fill(mask, -torch.inf)


def none_of_none(Q, K, V, mask=None):
    weights = masked_if_given(Q @ K.mT / Q.shape[-1] ** 0.5, mask).softmax(-1)
    return weights @ V, weights


def test_what_a_helper_forgets_to_return_is_not_blamed_on_an_argument():
    result = assess_visible("scaled_dot_product_attention", with_helper)
    assert result.mistake is None
    assert "it raises" in result.message
    for wrong in (masks_none, none_of_none):
        result = assess_visible("scaled_dot_product_attention", wrong)
        assert result.mistake == "none_not_treated"
        assert "`mask` is None, and something None is used as a value" in result.message
        assert "make every branch of a helper return something" in result.message


class NoCacheFirst(load("MultiHeadAttentionWithCache").implementation):
    def forward(self, x, cache_k=None, cache_v=None, is_causal=True):
        cache_k.shape  # noqa: B018
        return super().forward(x, cache_k, cache_v, is_causal)


def test_an_argument_that_only_the_first_of_two_calls_leaves_out_is_left_out():
    result = assess_visible("MultiHeadAttentionWithCache", NoCacheFirst)
    assert result.mistake == "none_not_treated"
    assert "`cache_k` and `cache_v` are None" in result.message


def test_true_and_false_that_meet_numbers_are_no_cast(doubled):
    for wrong, what in ((lambda x: x > 0, "True and False"), (lambda x: x.long(), "whole numbers")):
        result = assessed(lambda x, num_heads=2, wrong=wrong: x @ wrong(x).mT @ x, doubled)
        assert f"A tensor of {what} meets one of another dtype" in result.message
    result = assessed(lambda x, num_heads=2: x @ x.mT @ x.float(), doubled)
    assert result.mistake == "casts_dtype"


def test_nan_is_said_to_come_from_what_gives_it(doubled):
    for wrong in (lambda x: 0 * x.abs().add(1).mul(0).log(), lambda x: x * 1e308 * 1e308 - x * 1e308 * 1e308):
        message = assessed(lambda x, num_heads=2, wrong=wrong: wrong(x), doubled).message
        assert "`y` holds NaN" in message
        assert (
            "as 0/0, 0 * inf, 0 * log(0), inf - inf and a softmax over a row that is all -inf give it"
            in message
        )


def test_what_torch_lists_after_a_colon_is_told_as_well(doubled):
    message = assessed(lambda x, num_heads=2: x.mean(axes=1), doubled).message
    assert "but expected one of: * (" in message
    assert "tuple of ints dim" in message


def test_a_mistake_that_explains_some_exceptions_only_is_not_named():
    def transposed(Q, K, V, mask=None):
        scores = Q @ K.transpose(1, 2) / Q.shape[-1] ** 0.5
        weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
        return weights @ V, weights

    assert "it raises RuntimeError" in grade("scaled_dot_product_attention", transposed, seed=3).message


def test_whole_numbers_that_are_only_near_a_known_mistake_are_not_called_it():
    def one_factor_is_added(batch_size, num_layers, num_kv_heads, seq_len, head_dim, bytes_per_value=2):
        return 2 + batch_size * num_layers * num_kv_heads * seq_len * head_dim * bytes_per_value

    result = grade("kv_cache_bytes", one_factor_is_added)
    assert result.mistake is None
    assert "`bytes` is 23040002; expected 46080000" in result.message


# ---- what only a second try of the object tells


class MaskKept(self_attention()):
    """Whether it is causal is kept from the first call of each length."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.seen = {}

    def forward(self, x, is_causal=False, key_padding_lengths=None):
        is_causal = self.seen.setdefault(x.shape[1], is_causal)
        return super().forward(x, is_causal, key_padding_lengths)


def test_what_a_module_remembers_between_calls_is_told_by_a_new_object():
    result = assess_visible("MultiHeadSelfAttention", MaskKept)
    assert result.mistake == "remembers"
    assert "is right when a new object gets it first, and not after others" in result.message


def test_an_argument_that_changes_nothing_is_named():
    def no_mask(scores, mask):
        return torch.softmax(scores, -1) + 0.5 * (scores > 1)

    result = assess_visible("masked_softmax", no_mask)
    assert result.mistake == "ignores_argument"
    assert "`mask` has no effect" in result.message


# ---- where the right slices lie, and by which factor a result is wrong

PLACED = {
    "axis_shifted": lambda x, num_heads=2: torch.cat([0 * x[:, :1], 2 * x[:, :-1]], 1),
    "entries_elsewhere": lambda x, num_heads=2: 2 * x[:, :, [1, 0, *range(2, x.shape[2])]],
    "only_one_of_axis": lambda x, num_heads=2: 2 * x[:, :1],
}


@pytest.mark.parametrize("mistake", PLACED)
def test_slices_in_wrong_places_are_found(mistake, doubled):
    result = assessed(PLACED[mistake], doubled)
    assert result.mistake == mistake, result.message


def test_a_slice_that_stands_one_place_late_is_told_so(doubled):
    message = assessed(PLACED["axis_shifted"], doubled).message
    assert "is off by one along the axis T: each entry stands one place later than it should" in message


def test_exchanged_quotient_and_remainder_are_asked_about():
    ex = Exercise({"y": "T d_model"})

    @ex.reference
    def doubled(x):
        return 2 * x

    ex.case(six=lambda g: call(x=normal(g, 6, 4)), twelve=lambda g: call(x=normal(g, 12, 5)))
    result = assessed(lambda x: 2 * x.unflatten(0, (2, -1)).transpose(0, 1).flatten(0, 1), ex)
    assert result.mistake == "quotient_for_remainder"
    assert "are `//` and `%` (or two axes of a reshape) exchanged?" in result.message


def test_only_the_first_round_of_a_loop_is_asked_about(doubled):
    assert "Does `return` stand inside the loop" in assessed(PLACED["only_one_of_axis"], doubled).message


def test_a_factor_that_a_size_explains_is_named(doubled):
    result = assessed(lambda x, num_heads=2: 2 * x / x.shape[-1] ** 0.5, doubled)
    assert result.mistake == "wrong_factor"
    assert "`y` is the wanted result divided by sqrt(d_model)" in result.message


def test_a_factor_of_the_scores_behind_weights_is_named():
    ex = Exercise({"weights": "T_q T_k"})

    @ex.reference
    def attend(Q, K):
        return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1)

    ex.case(
        four=lambda g: call(Q=normal(g, 3, 4), K=normal(g, 5, 4)),
        nine=lambda g: call(Q=normal(g, 4, 9), K=normal(g, 6, 9)),
        more_keys=lambda g: call(Q=normal(g, 2, 7), K=normal(g, 11, 7)),
    )
    assert assessed(lambda Q, K: torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1), ex).passed
    result = assessed(
        lambda Q, K: torch.softmax(Q @ K.mT / K.shape[0] ** 0.5 / Q.shape[-1] ** 0.5, -1), ex
    ).message
    assert "the scores behind `weights` are the wanted ones divided by sqrt(T_k)" in result.replace(
        "The", "the"
    )


# ---- two faults


def test_lists_of_numbers_are_not_told_to_be_joined():
    message = assess_visible("softmax", lambda x, dim=-1: torch.softmax(x, dim).tolist()).message
    assert "`.tolist()`" in message
    assert "torch.stack" not in message


def test_each_module_that_the_check_hands_over_has_its_own_name():
    result = assess_visible("load_torch_weights", lambda attention, torch_attention: None)
    assert "attention=your kind of attention, torch_attention=an nn.MultiheadAttention" in result.look_at
