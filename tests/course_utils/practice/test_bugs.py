"""Every program of the bug hunt is as its file describes it."""

import inspect
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch

from autograder.exercises import load as load_exercise
from autograder.exercises import names as exercises
from autograder.publish.leaks import refuse_all_answers
from course_utils.compare.faults import WHY
from course_utils.practice.bugs import with_line
from course_utils.practice.bugs.program import FOLDER, levels, load, reason
from course_utils.practice.bugs.run import difference, example, fault_of, run, run_both, versions
from tests.conftest import ROOT

from .bug_references import REFERENCES

NAMES = [name for name in levels() if len(load(name).bugs) < 2]  # test_gpt_hunt.py has the others
BUGGY = [name for name in NAMES if len(load(name).bugs) == 1]
# not part of any lesson's exercise
NO_EXERCISE = {"dropped_weights", "smallest_nucleus", "loss_of_the_targets", "experts_of_a_token"}
NO_EXERCISE |= {"eight_bits", "gradient_of_scores", "memory_of_fixed_size"}
every_program = pytest.mark.parametrize("name", NAMES)
with_a_bug = pytest.mark.parametrize("name", BUGGY)


FIXES = tomllib.loads(Path(__file__).with_name("bug_fixes.toml").read_text())


def draw_inputs(program, number, seed=0):
    g = np.random.default_rng(seed)
    return [program.draw(g) for _ in range(number)]


def test_every_program_is_listed_in_order_of_its_level():
    later = {load(name).then for name in levels()} - {""}
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted({*levels(), *later})
    assert list(levels().values()) == sorted(levels().values())


@every_program
def test_a_program_hides_its_bug_names_its_inputs_and_reads_drawn_values_unchanged(name):
    program = load(name)
    assert "bug" not in f"{program.title} {program.story}".lower()
    assert program.story.endswith(".")
    function = program.tried or versions(name)[0]
    assert list(inspect.signature(function).parameters)[bool(program.tried) :] == list(program.inputs)
    assert program.tried is None or program.tried.__doc__
    assert not any(word in program.code for word in ("right:", "# also", "course_utils"))
    for values in draw_inputs(program, 5, seed=3):
        for argument, value in program.read(**values)[0].items():
            assert type(values[argument]) is type(value)
            assert getattr(values[argument], "dtype", None) == getattr(value, "dtype", None)
            assert np.array_equal(np.asarray(values[argument]), np.asarray(value))


@with_a_bug
def test_the_bug_is_a_known_mistake_and_fixing_its_line_makes_the_program_right(name, monkeypatch):
    monkeypatch.setattr("course_utils.practice.bugs.run.DRAWS", 10)
    program = load(name)
    wrong, right = program.code.splitlines(), program.right_code.splitlines()
    (bug,) = program.bugs
    assert [n for n, (a, b) in enumerate(zip(wrong, right, strict=True), 1) if a != b] == [bug.line]
    assert bug.line in bug.places
    first, last = program.region(bug)
    assert first <= bug.line <= last <= first + 4
    assert fault_of(program, program.object_of(program.right_code)) is None
    assert fault_of(program, versions(name)[0]) is not None
    assert program.bugs[0].why.endswith(".")
    exercise, _, mistake = program.mistake.partition(".")
    if name in NO_EXERCISE:
        assert not mistake
    elif exercise != "interview":
        assert exercise in exercises(), "name a MISTAKE, or add the program to NO_EXERCISE"
        assert mistake in {"shared_memory", *WHY, *(item.name for item in load_exercise(exercise).mistakes)}


@with_a_bug
def test_some_input_shows_the_bug_and_an_input_with_a_hiding_reason_never_does(name):
    program = load(name)
    assert example(name) is not None
    reasons = set()
    for values in draw_inputs(program, 150, seed=1):
        if why := reason(program.bugs[0], *program.read(**values)):
            reasons.add(why)
            assert difference(*run_both(program, values)) is None, values
    assert program.bugs[0].same
    assert reasons or len(program.bugs[0].same) == 1  # a reason may be rare


@with_a_bug
def test_other_right_fixes_are_accepted_and_wrong_ones_refused(name):
    program, fixes = load(name), FIXES[name]
    assert min(len(fixes["right"]), len(fixes["wrong"])) >= 3
    for fix in (*fixes["right"], *fixes["wrong"]):
        line, text = (program.bugs[0].line, fix) if isinstance(fix, str) else fix
        fault = fault_of(program, with_line(program, line, text))
        assert (fault is None) == (fix in fixes["right"]), (fix, fault)


def as_numpy(value):
    value = value.numpy() if isinstance(value, torch.Tensor) else value
    return value.astype(float) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value


def agrees(name, main, values):
    """Does the program give the result of its reference and leave its inputs unchanged?"""
    wanted = REFERENCES[name](**{key: as_numpy(value) for key, value in values.items()})
    parts = run(load(name), main, values)
    after = {key.split("`")[1]: part for key, part in parts.items() if key.endswith("after the call")}
    results = [part for key, part in parts.items() if not key.endswith("after the call")]
    unchanged = all(np.array_equal(np.asarray(after.get(n)), np.asarray(v)) for n, v in values.items())
    result = results[0] if len(results) == 1 else results
    return unchanged and (wanted is None or same(result, wanted))


def same(result, wanted):
    if isinstance(result, list) and len({np.shape(row) for row in result}) > 1:
        return all(map(same, result, wanted))  # rows of several lengths
    result, wanted = (torch.as_tensor(np.array(value)) for value in (result, wanted))
    near = 1e-2 if result.dtype == torch.float16 else 1e-4
    return result.shape == wanted.shape and torch.allclose(result.double(), wanted.double(), near, near)


@pytest.mark.parametrize("number", [12, pytest.param(1000, marks=pytest.mark.release)])
@every_program
def test_only_the_right_version_equals_plain_loops(name, number):
    program, (buggy, right) = load(name), versions(name)
    number *= 1 if program.bugs else 10
    assert all(agrees(name, right, values) for values in draw_inputs(program, number, seed=5))
    if program.bugs and name != "format_of_the_result":  # whose numbers are right
        assert not all(agrees(name, buggy, values) for values in draw_inputs(program, 150, seed=5))


def test_no_program_contains_two_consecutive_lines_of_an_answer():
    programs = [load(path.stem) for path in FOLDER.glob("*.py")]
    texts = {f"{item.name}: {code}": code for item in programs for code in (item.code, item.right_code)}
    refuse_all_answers(ROOT, texts, "the bug hunt: ")
