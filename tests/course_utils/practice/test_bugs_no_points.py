"""No program of the bug hunt earns points in a graded exercise, whatever name it is pasted under."""

import ast

import pytest

from autograder.exercises import names as exercises
from autograder.grading.grade_object import grade
from course_utils.diagnose.visible import assess_visible
from course_utils.practice.bugs.program import levels, load

# a sample for every day, each near to some exercise
NEAR = ["features_to_heads", "future_hidden", "whole_story_in_numpy", "who_sees_whom"]


def earned(name, points_of):
    """[(object's name, exercise)] of all functions and classes of both versions that earn something."""
    program, pairs = load(name), []
    for code in {program.code, program.right_code}:
        space = {"__name__": "pasted"}
        exec(compile(code, name, "exec"), space)
        defined = [node.name for node in ast.parse(code).body if hasattr(node, "body")]
        pairs += [
            (item, exercise)
            for item in defined
            for exercise in exercises()
            if points_of(exercise, space[item])
        ]
    return pairs


def graded(exercise, obj):
    return grade(exercise, obj, seed=1).points


def checked(exercise, obj):
    """The points of the visible cases: faster, as nothing is drawn."""
    return assess_visible(exercise, obj).points


@pytest.mark.release
@pytest.mark.parametrize("name", levels())
def test_a_program_under_another_name_earns_nothing(name):
    assert earned(name, graded) == []


@pytest.mark.parametrize("name", NEAR)
def test_a_program_that_is_near_to_an_exercise_earns_nothing(name):
    assert earned(name, checked) == []


@pytest.mark.parametrize("points_of", [graded, checked])
def test_an_answer_under_another_name_would_be_seen(points_of):
    assert points_of("attention_weights", lambda x: x.softmax(-1)) > 0
