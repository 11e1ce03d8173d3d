"""An answer that remembers its results by only some of the arguments is wrong on every seed, and told so."""

import itertools

import pytest

from autograder.exercises import load
from autograder.grading.judge import judge
from course_utils.model.case import parameters
from course_utils.observe.probe import observe

KEYS = {  # {exercise: how many of the arguments may be the key and still leave out something needed}
    "create_causal_mask": 1,
    "create_causal_mask_with_cache": 1,  # any two of its sizes give the third
    "create_attention_mask": 3,
    "create_padding_mask": 1,
    "left_padded_positions": 1,
    "sliding_window_mask": 3,
}


def remembering(function, names, key):
    """The function, with results remembered by the arguments in `key` and the device."""
    results = {}

    def implementation(*args, **kwargs):
        arguments = dict(zip(names, args, strict=False)) | kwargs
        place = repr([arguments.get(name) for name in (*key, "device")])
        if place not in results:
            results[place] = function(*args, **kwargs)
        return results[place].clone()

    return implementation


@pytest.mark.parametrize("seed", [0, 3, 11, 64])
@pytest.mark.parametrize("name", KEYS)
def test_results_remembered_by_some_of_the_arguments_are_refused_and_said_so(name, seed):
    exercise = load(name)
    names = [each for each in parameters(exercise.contract.signatures[""])[0] if each != "device"]
    for key in itertools.combinations(names, KEYS[name]):
        answer = remembering(exercise.implementation, names, key)
        seen = [observe(answer, case, exercise.contract, probes=False) for case in exercise.cases(seed)]
        result = judge(exercise, seed, seen)
        assert (result.points, result.mistake) == (0, "repeats"), (key, result.message)
