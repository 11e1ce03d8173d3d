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


def put(move, *cells):
    """A change that inserts cells so far behind the answer's cell."""
    return lambda all_cells, n: all_cells.__setitem__(slice(n + move, n + move), cells)


def written(change):
    """The answer's text after change(cells, place of the answer's cell)."""
    nb = copy.deepcopy(notebook(lesson=LESSON))
    change(nb["cells"], place(nb, ANSWER))
    return submission_from(as_bytes(nb)).answers.get(ANSWER)


def in_its_cell(cells, n):
    cells[n]["source"] = TEXT


def copied(cells, n):
    cells.insert(n + 1, copy.deepcopy(cells[n]))
    cells[n]["source"] = TEXT


def split_in_two(cells, n):
    cells.insert(n + 1, copy.deepcopy(cells[n]))
    cells[n]["source"], cells[n + 1]["source"] = TEXT[:20], TEXT[20:]


def marked_cell_made_code(cells, n):
    cells[n] = code_cell("nothing", **cells[n]["metadata"])


def in_the_question(cells, n):
    cells[n - 1]["source"] = text(cells[n - 1]) + "\n\n" + TEXT


def merged_with_the_question(cells, n):
    in_the_question(cells, n)
    del cells[n]


def below_a_copy_of_the_question(cells, n):
    cells += [copy.deepcopy(cells[n - 1]), markdown(TEXT)]


def without_its_mark(cells, n):
    cells[n] = markdown(TEXT)
    cells.insert(n, markdown("My answer:"))


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (in_its_cell, TEXT),
        *((put(move, markdown(TEXT)), TEXT) for move in (0, 1, 1000)),
        (copied, TEXT),
        (split_in_two, f"{TEXT[:20].strip()}\n\n{TEXT[20:].strip()}"),
        (in_the_question, TEXT),
        (merged_with_the_question, TEXT),
        *((put(1, code_cell(code)), code) for code in (f"# {TEXT}", f'print("{TEXT}")')),
        (marked_cell_made_code, "nothing"),
        (below_a_copy_of_the_question, TEXT),
        (without_its_mark, f"My answer:\n\n{TEXT}"),
        (put(1, code_cell("1 + 1")), UNTOUCHED),
    ],
)
def test_it_is_found_where_it_was_written_and_an_experiment_beside_it_is_none(change, answer):
    assert written(change) == answer
