"""A submission is graded by the release that it was made from, after the lesson has changed."""

import pytest

from autograder.exercises import load
from autograder.grading.notebook import grade_notebook
from autograder.releases import store
from autograder.setup.sample_class import answers, as_bytes, grade_id, saved_by_colab

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("bwrap")]
KEPT = {"01_masks": "de563128fb8d", "03_self_attention": "b80079943596"}  # as of 20 November 2026

AFRESH = 6  # another seed, for which no answer key with the points of before is remembered


def submission(lesson, written=None, release=None):
    """The notebook of a kept release with some of the lesson's own answers in it, by default all of them."""
    notebook = (release or store.find(lesson, KEPT[lesson])).skeleton()
    texts = answers(lesson)
    for cell in notebook.cells:
        if grade_id(cell) in texts and (written is None or grade_id(cell) in written):
            cell.source = texts[grade_id(cell)]
    return notebook


def graded(notebook, seed=5):
    return grade_notebook(as_bytes(notebook), seed)


@pytest.fixture
def changed(monkeypatch):
    """01 as it may be later: softmax is worth more, another exercise less, to_additive_mask has gone."""
    later = store.find("01_masks", KEPT["01_masks"]).record
    cells = [c for c in later["notebook"]["cells"] if not grade_id(c).endswith("to_additive_mask")]
    about = {"course": {"lesson": "01_masks", "version": "0123456789ab"}}
    release = store.Release.of(
        {**later, "notebook": {**later["notebook"], "cells": cells, "metadata": about}}
    )
    release.exercises |= {"softmax": 4.0, "masked_softmax": 1.0}
    monkeypatch.setattr(store, "lessons", lambda: {"01_masks": release})
    monkeypatch.setattr("autograder.submission.which_lesson.lessons", store.lessons)
    monkeypatch.setattr("autograder.grading.looks.lessons", store.lessons)
    sheets = store.published()
    for name, points in release.exercises.items():
        monkeypatch.setattr(load(name), "points", points)
        monkeypatch.setitem(sheets, name, sheets[name] | {"points": points})
    return release


@pytest.mark.parametrize("lesson", KEPT)
def test_a_notebook_of_then_is_graded_in_the_points_of_then(lesson):
    release = store.find(lesson, KEPT[lesson])
    half = list(release.exercises)[::2]
    full = sum(release.exercises.values())
    for written, score in ((None, full), ([], 0), (half, sum(release.exercises[name] for name in half))):
        result = graded(submission(lesson, written))
        assert (result.lesson, result.release, result.status) == (lesson, release.id, "graded")
        assert (result.score, result.max_score) == (score, full)
        assert [name for name, one in result.exercises.items() if one.passed] == [
            name for name in release.exercises if written is None or name in written
        ]
        assert not [note for note in result.notes if "release" in note]


def test_after_a_change_an_old_notebook_keeps_its_points_and_a_new_one_has_its_own(changed):
    old = graded(submission("01_masks"), AFRESH)
    new = graded(submission("01_masks", release=changed), AFRESH)
    assert (old.release, old.score, old.max_score) == (KEPT["01_masks"], 15.0, 15.0)
    assert (new.release, new.score, new.max_score) == (changed.id, 13.0, 13.0)
    assert old.exercises["softmax"].max_points == 2
    assert new.exercises["softmax"].max_points == 4


def test_without_the_marks_the_current_release_counts_and_a_note_says_so(changed):
    lost = graded(saved_by_colab(submission("01_masks", release=changed)), AFRESH)
    assert (lost.release, lost.score) == (changed.id, 13.0)
    assert store.UNKNOWN in lost.notes


def test_points_that_are_not_built_refuse_their_lesson_and_no_other(monkeypatch):
    monkeypatch.setattr(load("softmax"), "points", 4.0)
    refused = graded(submission("01_masks", []))
    assert (refused.status, refused.retry, refused.notes) == ("rejected", True, [store.refusal("01_masks")])
    assert graded(submission("03_self_attention", [])).status == "graded"
