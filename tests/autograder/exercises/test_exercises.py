"""Every exercise keeps its promises: right answers pass in any style, wrong ones are refused and named."""

from collections import Counter, defaultdict

import pytest
import torch

from autograder import grade
from autograder.authoring.seeds import VISIBLE
from autograder.exercises import load, names
from autograder.grading.judge import judge
from autograder.sandbox.shared import wire
from course_utils import standins
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess, assess_visible
from course_utils.model.codec import encode
from course_utils.model.observation import Observation
from course_utils.model.sheet import Sheet
from course_utils.observe.probe import observe
from tests.tools.mutants import everything
from tests.tools.variants import variants

HIDDEN = 20260720
RIGHT, HELD_BACK = variants("right"), variants("held_back")


def users(part):
    """The exercises that call this one."""
    return [name for name in names() if part in load(name).uses]


def seen_of(obj, sheet):
    return [observe(obj, case, sheet.contract) for case in sheet.cases]


@pytest.mark.parametrize("name", names())
def test_reference_passes_and_survives_publishing(name):
    exercise = load(name)
    sheet = Sheet.from_json(exercise.sheet().to_json())
    result = assess(sheet, compare(sheet, seen_of(exercise.implementation, sheet)))
    assert result.passed, result.message
    assert result.points == result.max_points == exercise.points


@pytest.mark.parametrize("name", names())
def test_every_mistake_fails_visible_and_hidden_cases_and_is_named(name):
    exercise = load(name)
    sheets = [Sheet.from_json(exercise.sheet(seed).to_json()) for seed in (VISIBLE, HIDDEN)]
    for mistake, sentence, implementations in exercise.mistakes:
        for implementation in implementations:
            for sheet in sheets:
                result = assess(sheet, compare(sheet, seen_of(implementation, sheet)))
                assert not result.passed, f"{mistake} passes"
                assert result.points < exercise.points
                assert result.mistake == mistake, f"{mistake} is called {result.mistake}: {result.message}"
                assert sentence.lower()[:40] in result.message.lower()


@pytest.mark.parametrize("name", names())
def test_no_two_mistakes_look_alike(name):
    owners = defaultdict(set)
    for mistake in load(name).sheet().mistakes:
        owners[repr(mistake.sketches)].add(mistake.name)
    assert [sorted(twins) for twins in owners.values() if len(twins) > 1] == []


def test_softmax_by_hand_without_a_shift_is_known_wherever_another_wrong_maximum_is():
    known = {name: {mistake for mistake, *_ in load(name).mistakes} for name in names()}
    with_softmax = [name for name in names() if "global_max" in known[name]]
    assert len(with_softmax) >= 11
    assert [name for name in with_softmax if "unstable" not in known[name]] == []


def row_0_mended(w):
    entropy = -(w * w.log()).sum(-1) / torch.arange(1, w.shape[-1] + 1).log().clamp(min=0.5)
    entropy[..., 0] = 0
    return entropy


def power_first(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 1 / 2
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)
    return weights @ V, weights


def rebound(attention, torch_attention):
    return torch_attention


@pytest.mark.parametrize(
    ("name", "wrong", "mistake"),
    [
        ("head_entropy", row_0_mended, "zero_times_log_zero"),
        ("scaled_dot_product_attention", power_first, "scale_power_first"),
        ("load_torch_weights", rebound, "nothing_copied"),
    ],
)
def test_a_mistake_in_another_hand_is_named(name, wrong, mistake):
    assert grade(name, wrong, HIDDEN).mistake == mistake


def test_there_are_mistakes_enough():
    counts = {name: len({m[0] for m in load(name).mistakes}) for name in names()}
    assert min(counts.values()) >= 5
    assert sum(counts.values()) >= 600


@pytest.mark.parametrize("variant", RIGHT, ids=str)
def test_right_variant_earns_full_marks(variant):
    obj = variant.make()
    visible, hidden = assess_visible(variant.exercise, obj), grade(variant.exercise, obj, HIDDEN)
    assert visible.passed, visible.message
    assert hidden.passed, hidden.message
    assert hidden.points == hidden.max_points


@pytest.mark.parametrize("variant", [v for v in RIGHT if v.name in ("never_above_zero", "by_hand")], ids=str)
def test_no_seed_draws_scores_that_tie(variant):
    """At a tie the gradient of a maximum is not one number: who has a kink there is right, too."""
    obj = variant.make()
    for seed in range(200, 230):
        result = grade(variant.exercise, obj, seed)
        assert result.points == result.max_points, f"{seed}: {result.message}"


@pytest.mark.parametrize("variant", [v for v in RIGHT if users(v.exercise)], ids=str)
def test_the_lessons_answers_are_right_with_everybodys_parts(variant):
    """Each half of such a pair is right, and so is the pair: nobody loses points for how another part rounds."""
    space = everything()
    space[variant.exercise] = variant.make()
    for name in users(variant.exercise):
        exercise = load(name)
        result = judge(
            exercise,
            HIDDEN,
            [observe(space[name], case, exercise.contract) for case in exercise.cases(HIDDEN)],
        )
        assert result.passed, f"{name}: {result.message}"


def test_every_exercise_has_right_variants_of_another_hand():
    counts = Counter(v.exercise for v in RIGHT)
    assert {n for n in names() if counts[n] < 6} <= {"row_sums", "name_the_heads"}


@pytest.mark.parametrize("variant", HELD_BACK, ids=str)
def test_held_back_mistake_is_refused(variant):
    obj = variant.make()
    visible, hidden = assess_visible(variant.exercise, obj), grade(variant.exercise, obj, HIDDEN)
    assert not visible.passed, variant.about
    assert not hidden.passed, variant.about
    assert hidden.points < hidden.max_points
    assert visible.message
    assert "does not match" not in visible.message


def test_no_seed_draws_a_masked_score_too_low_to_starve_the_allowed_ones():
    """The last key of the case far below zero is masked in all rows but one, and stands above the allowed ones there."""
    starved = next(
        v
        for v in HELD_BACK
        if v.exercise == "multi_head_causal_attention" and v.name == "tiny_number_in_the_sum"
    ).make()
    assert [
        seed for seed in range(95, 115) if grade("multi_head_causal_attention", starved, seed).passed
    ] == []


def test_held_back_mistakes_of_the_masks_are_mostly_named():
    masks = [v for v in HELD_BACK if load(v.exercise).__class__ and v.exercise in MASKS]
    named = [assess_visible(v.exercise, v.make()).mistake is not None for v in masks]
    assert len(named) >= 40
    assert sum(named) >= 0.75 * len(named)


MASKS = (
    "softmax",
    "create_causal_mask",
    "create_padding_mask",
    "create_attention_mask",
    "create_causal_mask_with_cache",
    "masked_softmax",
    "to_additive_mask",
)


@pytest.mark.parametrize("name", [n for n in names() if hasattr(standins, n)])
def test_stand_in_is_right_and_refused(name):
    stand_in = getattr(standins, name)
    sheet = load(name).sheet(HIDDEN, with_mistakes=False)
    assert assess(sheet, compare(sheet, seen_of(stand_in, sheet))).passed
    assert assess_visible(name, stand_in).mistake == "stand_in"
    assert grade(name, stand_in).points == 0


@pytest.mark.parametrize(
    "name",
    [
        "create_causal_mask",
        "MultiHeadSelfAttention",
        "MultiHeadAttentionWithCache",
        "StaticKVCache",
        "attend_in_chunks",
        "multi_head_attention",
        "trace_causal_attention",
        "kv_cache_bytes",
    ],
)
def test_observations_survive_as_bytes(name):
    exercise = load(name)
    sheet = exercise.sheet(with_mistakes=False)
    seen = seen_of(exercise.implementation, sheet)
    frame = wire.pack([o.as_plain() for o in seen])
    n_text = int.from_bytes(frame[:4], "little")
    back = [
        Observation.from_plain(plain) for plain in wire.unpack(frame[8 : 8 + n_text], frame[8 + n_text :])
    ]
    assert assess(sheet, compare(sheet, back)).passed


@pytest.mark.parametrize("name", [n for n in names() if load(n).contract.kind != "answer"])
def test_answers_learnt_by_heart_answer_no_hidden_core(name):
    """The visible core cases do not come back, and those of one grading tell nothing about the next."""
    exercise = load(name)
    visible, *hidden = [
        repr(
            [
                encode(case, torch.Tensor.tolist)
                for case in exercise.cases(seed)
                if not case.edge and not case.device
            ]
        )
        for seed in range(101)
    ]
    assert visible not in hidden
    assert len(set(hidden)) > 80


def sizes_and_places(case):
    """All of a case but the floating-point numbers in it: sizes, masks, lengths, tokens."""
    return encode(case, lambda t: list(t.shape) if t.is_floating_point() else t.tolist())


ONLY_MOVES_NUMBERS = {"split_heads", "merge_heads", "load_torch_weights", "StaticKVCache", "head_scores"}
GIVEN_PLACES = {
    n
    for n in names()
    for case in load(n).cases(0)
    for c in case.calls
    if c.args.keys() & {"mask", "lengths", "key_padding_lengths", "tokens"}
}


@pytest.mark.parametrize("name", sorted(ONLY_MOVES_NUMBERS | GIVEN_PLACES))
def test_places_learnt_by_heart_answer_no_hidden_core(name):
    """Where numbers are only moved, or masked as an argument says, a table of places for the visible sizes is no answer."""
    exercise = load(name)
    visible, *hidden = [
        repr([sizes_and_places(case) for case in exercise.cases(seed) if not case.edge and not case.device])
        for seed in range(101)
    ]
    assert hidden.count(visible) < 10
    assert len(set(hidden)) >= 20


ONE_FORM_ONLY = {
    "one_token",
    "one_hot",
    "nothing_yet",
    "nothing_masked",
    "everything_masked",
    "float64",
    "bfloat16",
    "float16",
}


@pytest.mark.parametrize("name", names())
def test_edges_learnt_by_heart_are_few(name):
    """An edge is drawn as well, where there is more than one way to draw it."""
    drawn = zip(*(load(name).cases(seed) for seed in range(1, 9)), strict=True)
    fixed = {
        same[0].name
        for same in drawn
        if same[0].edge
        and not same[0].device
        and len({repr(encode(case, torch.Tensor.tolist)) for case in same}) == 1
    }
    assert fixed <= ONE_FORM_ONLY


@pytest.mark.parametrize("name", names())
def test_hidden_cases_are_drawn_afresh_and_repeatably(name):
    exercise = load(name)
    first, again, other = (exercise.sheet(seed, with_mistakes=False).to_json() for seed in (5, 5, 6))
    assert first == again
    drawn = any(
        hasattr(v, "is_floating_point")
        for case in exercise.cases(5)
        for call in case.calls
        for v in call.args.values()
    )
    if drawn and any(
        v.is_floating_point()
        for case in exercise.cases(5)
        for call in case.calls
        for v in call.args.values()
        if hasattr(v, "is_floating_point")
    ):
        assert first != other
