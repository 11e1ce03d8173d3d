"""A written answer reaches a person wherever near its question the student wrote it."""

import copy

import pytest

from autograder.submission.read import submission_from
from tests.corpus.notebooks import as_bytes, code_cell, notebook, place, text

LESSON, ANSWER = "05_visualization", "what_may_one_conclude"
TEXT = "Head 0 looks at the first letter: mean weight 1.00 over 256 texts."
UNTOUCHED = text(notebook(lesson=LESSON)["cells"][place(notebook(lesson=LESSON), ANSWER)])


def markdown(source):
    return {"cell_type": "markdown", "id": "own", "metadata": {}, "source": source}


def written(change):
    """(the answer's text, the notes) after change(cells, place of the answer's cell)."""
    nb = copy.deepcopy(notebook(lesson=LESSON))
    change(nb["cells"], place(nb, ANSWER))
    submission = submission_from(as_bytes(nb))
    return submission.answers.get(ANSWER), submission.notes


def in_its_cell(cells, n):
    cells[n]["source"] = TEXT


def below(cells, n):
    cells.insert(n + 1, markdown(TEXT))


def above(cells, n):
    cells.insert(n, markdown(TEXT))


def copied(cells, n):
    cells.insert(n + 1, copy.deepcopy(cells[n]))
    cells[n]["source"] = TEXT


def split_in_two(cells, n):
    cells.insert(n + 1, copy.deepcopy(cells[n]))
    cells[n]["source"], cells[n + 1]["source"] = TEXT[:20], TEXT[20:]


def in_the_question(cells, n):
    cells[n - 1]["source"] = text(cells[n - 1]) + "\n\n" + TEXT


def merged_with_the_question(cells, n):
    in_the_question(cells, n)
    del cells[n]


def as_a_comment(cells, n):
    cells.insert(n + 1, code_cell(f"# {TEXT}"))


def printed(cells, n):
    cells.insert(n + 1, code_cell(f'print("{TEXT}")'))


def marked_cell_made_code(cells, n):
    cells[n] = code_cell("nothing", **cells[n]["metadata"])


def at_the_end(cells, n):
    cells.append(markdown(TEXT))


def below_a_copy_of_the_question(cells, n):
    cells += [copy.deepcopy(cells[n - 1]), markdown(TEXT)]


def without_its_mark(cells, n):
    cells[n] = markdown(TEXT)
    cells.insert(n, markdown("My answer:"))


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (in_its_cell, TEXT),
        (below, TEXT),
        (above, TEXT),
        (copied, TEXT),
        (split_in_two, f"{TEXT[:20].strip()}\n\n{TEXT[20:].strip()}"),
        (in_the_question, TEXT),
        (merged_with_the_question, TEXT),
        (as_a_comment, f"# {TEXT}"),
        (printed, f'print("{TEXT}")'),
        (marked_cell_made_code, "nothing"),
        (at_the_end, TEXT),
        (below_a_copy_of_the_question, TEXT),
        (without_its_mark, f"My answer:\n\n{TEXT}"),
    ],
)
def test_it_is_found_where_it_was_written(change, answer):
    assert written(change)[0] == answer


@pytest.mark.parametrize("change", [merged_with_the_question, without_its_mark])
def test_a_lost_mark_is_noted(change):
    assert (
        f"nbgrader's mark is gone from the answer {ANSWER}: found again by its question."
        in written(change)[1]
    )


def test_experiments_beside_it_and_the_rest_of_the_lesson_are_no_answer():
    def experiment(cells, n):
        cells.insert(n + 1, code_cell("1 + 1"))

    assert written(experiment) == (UNTOUCHED, [])
