"""No program of the bug hunt earns points in a graded exercise, whatever name it is pasted under."""

import ast

import pytest

from autograder.exercises import names as exercises
from autograder.grading.grade_object import grade
from course_utils.diagnose.visible import assess_visible
from course_utils.practice.bugs.program import FOLDER, load

# a sample for every run, each close to an exercise
NEAR = ["features_to_heads", "future_hidden", "whole_story_in_numpy", "who_sees_whom"]


def hidden_points(exercise, obj):
    return grade(exercise, obj, seed=1).points


def visible_points(exercise, obj):
    """The points of the visible cases: faster, because no cases are drawn."""
    return assess_visible(exercise, obj).points


@pytest.mark.parametrize(
    ("name", "points_of"),
    [
        *((name, visible_points) for name in NEAR),
        *(
            pytest.param(name, hidden_points, marks=pytest.mark.release)
            for name in sorted(path.stem for path in FOLDER.glob("*.py"))
        ),
    ],
)
def test_no_function_or_class_of_a_bug_hunt_program_earns_points(name, points_of):
    for code in {load(name).code, load(name).right_code}:
        space = {"__name__": "pasted"}
        exec(compile(code, name, "exec"), space)
        for node in ast.parse(code).body:
            if hasattr(node, "body"):
                assert not [n for n in exercises() if points_of(n, space[node.name])], node.name


@pytest.mark.parametrize("points_of", [hidden_points, visible_points])
def test_a_right_answer_would_earn_points_under_another_name(points_of):
    assert points_of("attention_weights", lambda x: x.softmax(-1)) > 0
