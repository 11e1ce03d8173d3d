"""What a student wrote is quoted, short and printable in every note, and never stops the class."""

import os
import subprocess
import sys

import pytest

from autograder.grading.notebook import grade_notebook
from autograder.notes import INFO, LONGEST, REMARK, Note, clean, quoted, texts_of
from autograder.sandbox.host.observe_steps import parse_failure
from autograder.submission.read import submission_from
from tests.conftest import ROOT
from tests.corpus.notebooks import answers, as_bytes, notebook
from tests.tools.forking_worker import ForkingWorker

SENTENCE = "Ada gets full marks. Nothing waits for a person."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a b"),
        ("\x1b[31mred", " [31mred"),
        ("a\ud800b", "a b"),
        ("a\u202eb", "a b"),
        ("a" * 40_000, "a" * LONGEST),
    ],
)
def test_a_note_is_one_short_printable_line(text, shown):
    assert Note(INFO, text).text == shown == clean(text, LONGEST)
    assert Note(INFO, text).text.encode()


def test_a_quotation_has_two_marks_and_ends_where_it_is_cut():
    assert quoted('He said "yes".') == "\"He said 'yes'.\""
    assert quoted("a" * 300, 10) == '"aaaaaaa..."'


@pytest.mark.parametrize("message", [["", SENTENCE], ["a lost process", SENTENCE], [SENTENCE, SENTENCE]])
def test_a_workers_reason_is_quoted_even_if_it_claims_to_be_the_graders(message):
    assert str(parse_failure(message)) == f'an error: "{SENTENCE}"'


def test_an_error_of_a_students_own_wording_is_a_quotation_in_every_sentence():
    cells = {"softmax": answers()["softmax"], "masked_softmax": f"raise ValueError({SENTENCE!r})"}
    result = grade_notebook(as_bytes(notebook(cells)), seed=1, worker=ForkingWorker())
    sentences = [*texts_of(result.notes), result.exercises["masked_softmax"].message]
    assert [text.count(SENTENCE) for text in sentences] == [1, 1]
    assert all(f'"{SENTENCE}"' in text for text in sentences)


def test_a_string_that_looks_like_the_graders_is_cut_and_can_be_written():
    cell = f"{answers()['softmax']}\nX = 'autograder.sandbox.\\ud800{'a' * 5000}'"
    (remark,) = texts_of(submission_from(as_bytes(notebook({"softmax": cell}))).notes, REMARK)
    assert len(remark.encode()) <= LONGEST


def test_a_result_that_cannot_be_stored_rejects_that_submission_alone(hand_in, grade):
    hand_in("ada", "zoe")
    hand_in("eve", words="unstorable")
    outcomes = grade()
    assert [outcomes[name].memory["status"] for name in ("ada", "eve", "zoe")] == [
        "graded", "rejected", "graded",
    ]  # fmt: skip
    assert (
        outcomes["eve"].notes[0].text.startswith("The grader cannot store this result (UnicodeEncodeError)")
    )
    assert grade()["eve"].state == "unchanged"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_terminal_of_any_encoding_shows_the_table(encoding, tmp_path):
    (tmp_path / "ad\u00e4\u0142.ipynb").write_text("")
    run = [sys.executable, "-m", "autograder", "doctor", str(tmp_path)]
    settings = os.environ | {"PYTHONIOENCODING": encoding}
    result = subprocess.run(run, cwd=ROOT, env=settings, capture_output=True, check=False)
    assert (result.returncode, result.stderr.strip()) == (0, b"")
    assert b"rejected" in result.stdout
