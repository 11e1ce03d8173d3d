"""For every exercise: right answers pass in any style, wrong ones are refused, mistakes are named."""

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache

import pytest
import torch

from autograder import grade
from autograder.exercises import load, names
from autograder.sandbox.shared import wire
from course_utils import standins
from course_utils.compare.verdict import compare
from course_utils.diagnose.assess import assess
from course_utils.diagnose.visible import assess_visible
from course_utils.model.codec import encode
from course_utils.model.observation import Observation
from course_utils.model.sheet import load_sheet
from course_utils.observe.probe import observe
from tests.programs import all_programs, expectation, outcome
from tests.release.implementations import implementations
from tests.release.record import SEEDS, VISIBLE, read
from tools.mutants import everything

HIDDEN = 20260720


def group_of(exercise):
    """Puts all tests of an exercise into one process, which computes their comparison data only once."""
    return pytest.mark.xdist_group(exercise)


def each(exercises=None):
    return pytest.mark.parametrize("name", [pytest.param(n, marks=group_of(n)) for n in exercises or names()])


def each_program(selected=lambda program: True):
    result = [pytest.param(p, id=str(p), marks=group_of(p.exercise)) for p in all_programs() if selected(p)]
    return pytest.mark.parametrize("program", result)


def observations_of(obj, sheet, probes=True):
    return [observe(obj, case, sheet.contract, probes) for case in sheet.cases]


def assess_on(obj, sheet, probes=True):
    return assess(compare(sheet, observations_of(obj, sheet, probes)))


@cache
def hidden_sheet(name):
    return load(name).sheet(HIDDEN, with_mistakes=False)


def wrong_values(name, obj):
    """{hidden case: what is wrong there}, without the probes; `make test-release` includes them."""
    seen = observations_of(obj, hidden_sheet(name), probes=False)
    return {verdict.case.name: verdict.wrong for verdict in compare(hidden_sheet(name), seen).wrong}


def dependents(part):
    """The exercises that build on this one."""
    return [name for name in names() if part in load(name).uses]


# ---- the reference and its published sheet


@each()
def test_the_reference_passes_its_published_sheet_after_its_results_are_serialised(name):
    exercise, sheet = load(name), load_sheet(name)
    frame = wire.pack([seen.as_plain() for seen in observations_of(exercise.implementation, sheet)])
    n_text = int.from_bytes(frame[:4], "little")
    back = wire.unpack(frame[8 : 8 + n_text], frame[8 + n_text :])
    result = assess(compare(sheet, [Observation.from_plain(plain) for plain in back]))
    assert result.passed, result.message
    assert result.points == result.max_points == exercise.points


@each([n for n in names() if hasattr(standins, n)])
def test_a_stand_in_is_right_but_refused_as_an_answer(name):
    stand_in, sheet = getattr(standins, name), hidden_sheet(name)
    sheet = replace(sheet, contract=replace(sheet.contract, by_hand=()))  # it is made of ready-made operators
    assert assess_on(stand_in, sheet).passed
    assert assess_visible(name, stand_in).mistake == "stand_in"
    assert grade(name, stand_in).points == 0


# ---- sample programs, right and wrong


@each_program()
def test_a_program_gets_what_is_expected_of_it(program):
    result = program.results([VISIBLE])[VISIBLE]
    assert outcome(result) == program.expected_on_visible_cases, result.message


@pytest.mark.release
@each_program()
def test_a_program_gets_what_is_expected_of_it_on_hidden_cases_too(program):
    assert expectation(program.results()) == program.expected


def test_every_exercise_has_six_right_programs():
    counts = Counter(program.exercise for program in all_programs() if program.is_right)
    assert {name for name in names() if counts[name] < 6} <= {"heads_by_job"}


def test_at_least_70_percent_of_strangers_wrong_programs_get_a_named_mistake():
    strangers = [program for program in all_programs() if program.name.startswith("strangers_")]
    cards = [program.expected_on_visible_cases for program in strangers if not program.is_right]
    assert len(cards) > 140
    assert sum(card.endswith(": shown") for card in cards) <= 0.3 * len(cards)


@pytest.mark.slow
@each_program(lambda p: p.name in ("never_above_zero", "by_hand"))
def test_no_seed_draws_tied_scores(program):
    """At a tie the gradient of a maximum is not unique: an answer with a kink there is right, too."""
    obj = program.make()
    for seed in range(200, 215):
        result = grade(program.exercise, obj, seed)
        assert result.points == result.max_points, f"{seed}: {result.message}"


@pytest.mark.slow
@each_program(lambda p: str(p) == "multi_head_causal_attention-tiny_number_in_the_sum")
def test_every_seed_draws_masked_scores_that_expose_a_tiny_number_in_the_sum(program):
    """Far below zero, the last key is masked in all rows but one, and its score is above the allowed ones."""
    obj = program.make()
    assert [seed for seed in range(100, 110) if grade(program.exercise, obj, seed).passed] == []


@pytest.mark.slow
@each_program(lambda p: p.is_right and dependents(p.exercise))
def test_the_lessons_answers_are_right_with_any_right_program_for_a_part(program):
    """The lesson's answer with a right version of a part is right: another part's rounding costs nothing."""
    space = everything()
    space[program.exercise] = program.make()
    for name in dependents(program.exercise):
        assert wrong_values(name, space[name]) == {}, name


# ---- declared mistakes


@each()
def test_every_mistake_fails_the_visible_cases_and_gets_its_name(name):
    """By values: the first implementation. `make test-release` runs all of them, on hidden cases too."""
    exercise, sheet = load(name), load_sheet(name)
    for mistake, sentence, (first, *_) in exercise.mistakes:
        result = assess_on(first, sheet, probes=False)
        assert not result.passed, f"{mistake} passes"
        assert result.points < exercise.points
        assert result.mistake == mistake, f"{mistake} is called {result.mistake}: {result.message}"
        assert sentence.lower()[:40] in result.message.lower()


@each()
def test_every_mistake_is_recorded_as_failing_hidden_cases_under_its_name(name):
    """`make test-release` shows that the record is true."""
    exercise, recorded = load(name), read(name)
    for (who, seed), now in recorded.items():
        kind, *mistake = who.split("/")
        if kind == "mistake":
            assert now.points < exercise.points, (who, seed)
            assert seed not in (VISIBLE, str(HIDDEN)) or now.mistake == mistake[0], (who, seed)
    labels = {label for label, _ in implementations(exercise)}
    assert recorded.keys() == {(label, str(seed)) for label in labels for seed in (VISIBLE, *SEEDS)}


@each()
def test_no_two_mistakes_have_the_same_sketches(name):
    names_by_sketches = defaultdict(set)
    for mistake in load_sheet(name).mistakes:
        names_by_sketches[repr(mistake.sketches)].add(mistake.name)
    assert [sorted(owners) for owners in names_by_sketches.values() if len(owners) > 1] == []


def test_every_exercise_has_five_mistakes_and_softmax_ones_include_unstable():
    expected = {name: {mistake for mistake, *_ in load(name).mistakes} for name in names()}
    assert min(map(len, expected.values())) >= 5
    with_softmax = [name for name in names() if "global_max" in expected[name]]
    assert len(with_softmax) >= 11
    assert [name for name in with_softmax if "unstable" not in expected[name]] == []


# ---- how much of the hidden cases can be predicted

WITH_CALLS = [name for name in names() if load(name).contract.kind != "answer"]
ONLY_MOVES_NUMBERS = {"split_heads", "merge_heads", "load_torch_weights", "StaticKVCache", "head_scores"}
ONLY_MOVES_NUMBERS |= {"from_fused", "from_conv1d", "from_interleaved", "RingKVCache", "gather_paged"}
PLACES = {"mask", "lengths", "key_padding_lengths", "tokens"}
BY_PLACES = {n for n in names() for case in load(n).cases(0) for c in case.calls if c.args.keys() & PLACES}
ONE_FORM_ONLY = {"one_token", "one_hot", "identity", "nothing_yet", "nothing_masked", "everything_masked"}
ONE_FORM_ONLY |= {"float64", "bfloat16", "float16"}


def core(name, seed):
    """The core cases as text, with all numbers and with the numbers in floating-point tensors left out."""
    cases = [case for case in load(name).cases(seed) if not case.edge and not case.device]
    return [
        repr([encode(case, convert) for case in cases]) for convert in (torch.Tensor.tolist, sizes_and_places)
    ]


def sizes_and_places(tensor):
    """A tensor's sizes if it holds floating-point numbers, else its values: masks, lengths, tokens."""
    return list(tensor.shape) if tensor.is_floating_point() else tensor.tolist()


@each(WITH_CALLS)
def test_memorised_visible_cases_answer_no_hidden_core_case(name):
    """Visible core cases never reappear, and hidden ones reveal nothing of the next grading. In exercises
    that only move numbers or mask by an argument, a table of visible places is not enough either."""
    by_places = name in ONLY_MOVES_NUMBERS | BY_PLACES
    drawn = [core(name, seed) for seed in range(101 if by_places else 51)]
    visible, *hidden = [numbers for numbers, _ in drawn[:51]]
    assert visible not in hidden
    assert len(set(hidden)) > 40
    if by_places:
        visible, *hidden = [places for _, places in drawn]
        assert hidden.count(visible) < 10
        assert len(set(hidden)) >= 20


@each()
def test_only_listed_edge_cases_are_the_same_for_every_seed(name):
    """Edge cases are drawn, too, if there is more than one way to draw them."""
    forms = defaultdict(set)
    for case in (case for seed in range(1, 9) for case in load(name).cases(seed)):
        if case.edge and not case.device:
            forms[case.name].add(repr(encode(case, torch.Tensor.tolist)))
    assert {edge for edge, texts in forms.items() if len(texts) == 1} <= ONE_FORM_ONLY


@each()
def test_a_seed_draws_the_same_cases_again(name):
    first, second = ([encode(case, torch.Tensor.tolist) for case in load(name).cases(5)] for _ in range(2))
    assert repr(first) == repr(second)
