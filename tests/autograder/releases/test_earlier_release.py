"""A submission is graded with the release from which it was made, even after the lesson has changed."""

import inspect
from dataclasses import replace

import pytest

from autograder.exercises import load, names, places
from autograder.grading.notebook import grade_notebook
from autograder.notes import DOUBT, RELEASE, Note, texts_of
from autograder.publish.solutions import answers, grade_id
from autograder.releases import store
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved
from autograder.submission.notebook_file import read_notebook
from autograder.submission.read import submission_from
from autograder.submission.which_release import EARLIER, UNKNOWN, UNNAMED, which_release
from tests.autograder.releases import earlier_answers

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("bwrap")]
FIRST = store.find("01_masks", "de563128fb8d")  # of 20 November 2026
EARLIER_ANSWERS = {
    name: inspect.getsource(getattr(earlier_answers, name)) for name in places().keys() - names()
}

SEED = 6  # a seed for which no answer key with the earlier points is cached


def submission(release, solved_names=None, **others):
    """A release's notebook with its lesson's answers to the exercises in `solved_names` (None: all).
    others: {grade_id: another source}."""
    notebook, texts = release.skeleton(), answers(release.lesson) | EARLIER_ANSWERS | others
    for cell in notebook.cells:
        if grade_id(cell) in texts and (solved_names is None or grade_id(cell) in solved_names):
            cell.source = texts[grade_id(cell)]
    return notebook


def graded(notebook, seed=5):
    return grade_notebook(as_bytes(notebook), seed)


@pytest.fixture
def changed_release(monkeypatch):
    """A later release of 01: softmax is worth more, another exercise less, to_additive_mask is removed."""
    later = FIRST.record
    cells = [c for c in later["notebook"]["cells"] if not grade_id(c).endswith("to_additive_mask")]
    decides = store.what_decides(cells, "01_masks")
    about = {"course": {"lesson": "01_masks", "version": "0123456789ab", "built_from": decides}}
    release = store.Release.of(later | {"notebook": {**later["notebook"], "cells": cells, "metadata": about}})
    release.exercises |= {"softmax": 4.0, "masked_softmax": 1.0}
    monkeypatch.setattr(store, "lessons", lambda: {"01_masks": release})
    monkeypatch.setattr("autograder.grading.looks.lessons", store.lessons)
    sheets = store.published()
    for name, points in release.exercises.items():
        monkeypatch.setattr(load(name), "points", points)
        monkeypatch.setitem(sheets, name, sheets[name] | {"points": points})
    return release


@pytest.mark.parametrize("lesson", sorted({lesson for lesson, _ in store.kept_files()}))
def test_every_kept_release_grades_its_lessons_own_answers_in_full_by_its_own_exercises(lesson):
    for number, release in enumerate(store.earlier(lesson)):
        exercises = release.exercises
        assert (release.lesson, bool(exercises), release.by_person) == (lesson, True, {})
        for solved_names in ([*exercises], [], [*exercises][::2])[: 1 if number else 3]:
            result = graded(submission(release, solved_names))
            assert (result.lesson, result.release) == (lesson, release.id)
            assert result.score == sum(exercises[name] for name in solved_names)
            assert result.max_score == sum(exercises.values())
            assert [name for name, item in result.exercises.items() if item.passed] == solved_names
            is_current = release.id == store.current(lesson).id
            assert (EARLIER.format(release.id) in str(result.notes)) != is_current


def test_who_uses_a_former_name_of_the_course_reads_that_it_is_gone():
    release = store.find("06_in_the_wild", "526d8e4ca827")
    in_cell = f"text = prose()\n{answers(release.lesson)['from_fused']}"
    in_answer = "def translate_mask(mask, source, target, dtype=None):\n    return bigram_bits(mask)"
    notebook = submission(release, from_fused=in_cell, translate_mask=in_answer)
    result, gone = graded(notebook), "`{}` was part of course_utils up to 2026-11-24 and is gone"
    assert [name for name, item in result.exercises.items() if not item.passed] == ["translate_mask"]
    assert gone.format("bigram_bits") in result.exercises["translate_mask"].message
    assert gone.format("prose") in str(result.notes)
    assert EARLIER.format(release.id) in str(result.notes)


def test_after_a_change_old_and_new_notebooks_have_their_own_points(changed_release):
    old, new = submission(FIRST), submission(changed_release)
    for notebook, release_id, points, softmax_points in (
        (old, FIRST.id, 15.0, 2),
        (new, changed_release.id, 13.0, 4),
    ):
        result = graded(notebook, SEED)
        assert (result.release, result.score, result.max_score) == (release_id, points, points)
        softmax = result.exercises["softmax"]
        assert (softmax.points, softmax.max_points) == (softmax_points, softmax_points)
    unnamed = graded(saved_by_colab(new), SEED)
    assert (unnamed.release, unnamed.score) == (changed_release.id, 13.0)
    assert Note(RELEASE, UNNAMED) in unnamed.notes


def claims(release_id):
    notebook = solved("01_masks")
    notebook["metadata"]["course"]["version"] = release_id
    return notebook


def test_a_submission_of_an_unknown_release_waits_for_a_person():
    result, message = graded(claims("feedfeedfeed")), UNKNOWN.format("feedfeedfeed")
    assert (result.status, result.release) == ("needs_review", store.current("01_masks").id)
    assert Note(DOUBT, message) in result.notes


def test_a_release_without_an_exercise_that_the_file_tests_waits_for_a_person(monkeypatch):
    """So a submission cannot pick a release with fewer exercises."""
    fewer = replace(FIRST, exercises={"softmax": 2.0})
    monkeypatch.setattr(store, "find", lambda lesson, release_id: fewer)
    (doubt,) = texts_of(submission_from(as_bytes(claims(fewer.id))).notes, DOUBT)
    assert "masked_softmax" in doubt
    assert fewer.id in doubt


def test_two_lessons_in_one_file_wait_for_a_person():
    first, second = solved("01_masks"), solved("02_split_concat")
    first["cells"] += second["cells"]
    (doubt,) = texts_of(submission_from(as_bytes(first)).notes, DOUBT)
    assert {"01_masks", "02_split_concat"} == set(doubt.replace(",", "").split()) & store.lessons().keys()


def test_an_unchanged_current_notebook_causes_no_doubt_about_its_release(monkeypatch):
    """This also holds if several threads fill the cache at once and hold different release objects."""
    files = {lesson: read_notebook(as_bytes(solved(lesson)), []) for lesson in store.lessons()}
    for lesson, file in files.items():
        choice = which_release(*file)
        assert (choice.release, choice.notes) == (store.current(lesson), [])
    monkeypatch.setattr(store, "lessons", store.lessons.__wrapped__)
    assert which_release(*files["07_today"]).notes == []
