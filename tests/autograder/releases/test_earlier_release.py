"""A submission is graded with the release from which it was made, even after the lesson has changed."""

from dataclasses import replace

import pytest

from autograder.exercises import load
from autograder.grading.notebook import grade_notebook
from autograder.publish.solutions import answers, grade_id
from autograder.releases import store
from autograder.setup.sample_class import as_bytes, saved_by_colab, solved
from autograder.submission.notebook_file import read_notebook
from autograder.submission.read import submission_from
from autograder.submission.which_release import EARLIER, UNKNOWN, UNNAMED, which_release
from tests.tools.cells import ANSWERS, plain_cells

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("bwrap")]
RELEASES = {  # releases of 20 November 2026, and of the day when two exercises were removed
    "00_start_here": "6e93607cf456",
    "01_masks": "de563128fb8d",
    "03_self_attention": "b80079943596",
}
REMOVED = {name: source for name, _, source in plain_cells(ANSWERS / "gone_exercises.py")}

SEED = 6  # a seed for which no answer key with the earlier points is cached


def submission(lesson, solved_names=None, release=None):
    """A kept release's notebook with the lesson's answers to the exercises in `solved_names` (None: all)."""
    notebook = (release or store.find(lesson, RELEASES[lesson])).skeleton()
    texts = answers(lesson) | REMOVED
    for cell in notebook.cells:
        if grade_id(cell) in texts and (solved_names is None or grade_id(cell) in solved_names):
            cell.source = texts[grade_id(cell)]
    return notebook


def graded(notebook, seed=5):
    return grade_notebook(as_bytes(notebook), seed)


@pytest.fixture
def changed_release(monkeypatch):
    """A later release of 01: softmax is worth more, another exercise less, to_additive_mask is removed."""
    later = store.find("01_masks", RELEASES["01_masks"]).record
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


@pytest.mark.parametrize("lesson", RELEASES)
def test_an_earlier_notebook_is_graded_with_its_own_exercises_and_points(lesson):
    release = store.find(lesson, RELEASES[lesson])
    exercises = release.exercises
    for solved_names in (list(exercises), [], list(exercises)[::2]):
        result = graded(submission(lesson, solved_names))
        assert (result.lesson, result.release, result.status) == (lesson, release.id, "graded")
        assert result.score == sum(exercises[name] for name in solved_names)
        assert result.max_score == sum(exercises.values())
        assert [name for name, item in result.exercises.items() if item.passed] == solved_names
        assert EARLIER.format(release.id) == result.release_note == result.notes[0]


def test_after_a_change_old_and_new_notebooks_have_their_own_points(changed_release):
    old, new = submission("01_masks"), submission("01_masks", release=changed_release)
    for notebook, release_id, points, softmax_points in (
        (old, RELEASES["01_masks"], 15.0, 2),
        (new, changed_release.id, 13.0, 4),
    ):
        result = graded(notebook, SEED)
        assert (result.release, result.score, result.max_score) == (release_id, points, points)
        softmax = result.exercises["softmax"]
        assert (softmax.points, softmax.max_points) == (softmax_points, softmax_points)
    unnamed = graded(saved_by_colab(new), SEED)
    assert (unnamed.release, unnamed.score, unnamed.release_note) == (changed_release.id, 13.0, UNNAMED)


def claims(release_id):
    notebook = solved("01_masks")
    notebook["metadata"]["course"]["version"] = release_id
    return notebook


def test_a_submission_of_an_unknown_release_waits_for_a_person():
    result, message = graded(claims("feedfeedfeed")), UNKNOWN.format("feedfeedfeed")
    assert (result.status, result.release) == ("needs_review", store.current("01_masks").id)
    assert result.doubts == [message]
    assert message in result.notes
    assert message in result.waits


def test_a_release_without_an_exercise_that_the_file_tests_waits_for_a_person(monkeypatch):
    """So a submission cannot pick a release with fewer exercises."""
    fewer = replace(store.find("01_masks", RELEASES["01_masks"]), exercises={"softmax": 2.0})
    monkeypatch.setattr(store, "find", lambda lesson, release_id: fewer)
    (doubt,) = submission_from(as_bytes(claims(fewer.id))).doubts
    assert "masked_softmax" in doubt
    assert fewer.id in doubt


def test_two_lessons_in_one_file_wait_for_a_person():
    first, second = solved("01_masks"), solved("02_split_concat")
    first["cells"] += second["cells"]
    (doubt,) = submission_from(as_bytes(first)).doubts
    assert {"01_masks", "02_split_concat"} == set(doubt.replace(",", "").split()) & store.lessons().keys()


def test_an_unchanged_current_notebook_causes_no_doubt_about_its_release(monkeypatch):
    """This also holds if several threads fill the cache at once and hold different release objects."""
    files = {lesson: read_notebook(as_bytes(solved(lesson)), []) for lesson in store.lessons()}
    for lesson, file in files.items():
        choice = which_release(*file)
        assert (choice.release, choice.note, choice.doubts) == (store.current(lesson), "", [])
    monkeypatch.setattr(store, "lessons", store.lessons.__wrapped__)
    choice = which_release(*files["07_today"])
    assert (choice.note, choice.doubts) == ("", [])
