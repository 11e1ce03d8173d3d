"""Every program of the bug hunt keeps what is said of it."""

import ast
import inspect
from collections import Counter

import numpy as np
import pytest
import torch

from autograder.exercises import load as load_exercise
from autograder.exercises import names as exercises
from autograder.publish.leaks import first_leak, secret_regions
from autograder.publish.lesson import current, lesson_sources
from course_utils.compare.faults import WHY
from course_utils.practice.interview.hunt import hunter, kind
from course_utils.practice.interview.hunt.files import FOLDER, load, names
from course_utils.practice.interview.hunt.hunter import Hunt, versions
from course_utils.practice.interview.hunt.trial import run
from course_utils.practice.interview.topics import TOPICS
from tests.lessons.conftest import ROOT

from .search import drawn, exposing, shows, where

BUGGY = [name for name in names() if load(name).bug]
CLEAN = [name for name in names() if not load(name).bug]
REASONS = [(name, condition) for name in BUGGY for condition in load(name).same]
NO_KNOWN_MISTAKE = {"dropped_weights"}  # no exercise has dropout


def test_there_are_enough_and_easy_ones_come_first():
    assert len(BUGGY) >= 30
    assert len(CLEAN) >= 3
    assert {path.stem for path in FOLDER.glob("*.py")} - {"__init__"} == set(names())
    levels = [load(name).level for name in names()]
    assert levels == sorted(levels)
    assert set(levels) == {1, 2, 3}
    assert max(Counter(names()).values()) == 1


@pytest.mark.parametrize("name", names())
def test_it_is_short_and_says_what_it_takes(name):
    program = load(name)
    assert 8 <= len(program.lines) <= 40
    assert program.title
    assert "bug" not in f"{program.title} {program.story}".lower()
    assert program.story.endswith(".")
    assert max(map(len, program.lines)) <= 100
    main = versions(name)[0]
    if program.tried is None:
        assert list(inspect.signature(main).parameters) == list(program.inputs)
    else:
        assert list(inspect.signature(program.tried).parameters)[1:] == list(program.inputs)
        assert program.tried.__doc__
    for word in ("right:", "# also", "course_utils"):
        assert word not in program.code


@pytest.mark.parametrize("name", BUGGY)
def test_the_bug_is_in_the_program_and_its_right_line_is_not(name):
    program = load(name)
    wrong, right = program.code.splitlines(), program.right_code().splitlines()
    assert [n for n, (a, b) in enumerate(zip(wrong, right, strict=True), 1) if a != b] == [program.bug]
    assert program.bug in program.places
    assert all(program.lines[place - 1].strip() for place in program.places)
    assert program.why.endswith(".")
    assert program.same


@pytest.mark.parametrize("name", BUGGY)
def test_the_bug_is_a_known_mistake(name):
    program = load(name)
    if name in NO_KNOWN_MISTAKE:
        assert not program.mistake
        return
    where, mistake = program.mistake.split(".")
    known = {*WHY, "shared_memory"}  # what probes find
    if where == "interview":
        known = {
            one for topic in TOPICS.values() for s in topic.stages if s.problem for one in s.problem().wrongs
        }
    else:
        assert where in exercises()
        known |= {one.name for one in load_exercise(where).mistakes}
    assert mistake in known


@pytest.mark.parametrize("name", BUGGY)
def test_an_input_that_shows_the_bug_is_found_by_drawing(name):
    assert exposing(load(name)) is not None


@pytest.mark.parametrize(("name", "condition"), REASONS)
def test_an_input_that_cannot_show_it_is_refused_with_the_reason(name, condition):
    program = load(name)
    given = where(program, condition)
    assert given is not None
    verdict = Hunt(program).guess(program.bug, given)
    assert verdict.kind == "same"
    assert verdict.reason in program.same.values()
    assert verdict.reason.endswith(".")


@pytest.mark.parametrize("name", BUGGY)
def test_where_a_reason_is_said_the_bug_never_shows(name):
    program = load(name)
    for given in drawn(program, 15, seed=1):
        assert not (program.reason(given) and shows(program, given)), given


@pytest.mark.parametrize("name", names())
def test_the_right_version_survives(name):
    program = load(name)
    for given in drawn(program, 8, seed=2):
        outcome = run(program, versions(name)[1], given)
        assert outcome.error == ""
        for argument, value in given.items():
            assert np.array_equal(np.asarray(outcome.after[argument]), np.asarray(value))


@pytest.mark.parametrize("name", BUGGY)
def test_the_fix_at_its_line_gives_the_right_version(name, monkeypatch):
    monkeypatch.setattr(hunter, "FIX_DRAWS", 10)
    program = load(name)
    hunt = Hunt(program)
    assert hunt.try_object(program.object_of(program.with_line(program.bug, program.fixed))).kind == "fixed"
    hunt.exposing = exposing(program)
    assert hunt.try_object(versions(name)[0]).kind == "not_fixed"


@pytest.mark.parametrize("name", names())
def test_what_is_drawn_is_read_as_it_is(name):
    program = load(name)
    for given in drawn(program, 5, seed=3):
        read, _ = program.read(given)
        assert list(read) == list(given)
        for argument, value in given.items():
            assert type(read[argument]) is type(value)
            assert getattr(read[argument], "dtype", None) == getattr(value, "dtype", None)
            assert np.array_equal(np.asarray(read[argument]), np.asarray(value))
            assert not isinstance(value, torch.Tensor) or read[argument] is not value


def test_no_program_has_two_lines_in_a_row_of_an_answer():
    secret = [region for py in lesson_sources(ROOT) for region in secret_regions(current(py))]
    assert secret
    for name in names():
        program = load(name)
        for code in (program.code, program.right_code()):
            assert first_leak(secret, code) is None


def test_styles_differ():
    roots = [ast.parse(load(name).code) for name in names()]
    classes = sum(any(isinstance(node, ast.ClassDef) for node in tree.body) for tree in roots)
    numpy = sum("import numpy" in load(name).code for name in names())
    assert classes >= 8
    assert 12 <= numpy <= len(names()) - 20
    assert len({load(name).main for name in names()}) == len(names())


def test_the_schedule_gets_names_minutes_and_titles():
    assert list(kind.items()) == names()
    assert set(kind.items().values()) == set(kind.MINUTES.values())
    titles = [kind.title(name) for name in names()]
    assert len(set(titles)) == len(titles)
    assert all(title == f"Bug hunt: {load(name).title}" for name, title in zip(names(), titles, strict=True))
