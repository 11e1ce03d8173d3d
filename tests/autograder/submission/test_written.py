"""A written answer reaches a person wherever the student wrote it near its question."""

import pytest

from autograder.submission.read import submission_from
from tests.corpus.notebooks import as_bytes, code_cell, notebook, place, text

LESSON, ANSWER = "05_visualization", "what_may_one_conclude"
TEXT = "Head 0 looks at the first letter: mean weight 1.00 over 256 texts."
PRINTS = f'print("{TEXT}")'
RELEASED = notebook(lesson=LESSON)
PLACE = place(RELEASED, ANSWER)
QUESTION, CELL = RELEASED["cells"][PLACE - 1 : PLACE + 1]


def markdown(source):
    return {"cell_type": "markdown", "id": "own", "metadata": {}, "source": source}


def fill(cell, source):
    """The cell with its metadata and another text."""
    return cell | {"source": source}


BELOW_IT = fill(QUESTION, f"{text(QUESTION)}\n\n{TEXT}")


@pytest.mark.parametrize(
    ("cells", "at_the_end", "answer"),
    [
        ([QUESTION, fill(CELL, TEXT)], [], TEXT),
        ([QUESTION, markdown(TEXT), CELL], [], TEXT),
        ([QUESTION, CELL, markdown(TEXT)], [], TEXT),
        ([QUESTION, CELL], [markdown(TEXT)], TEXT),
        ([QUESTION, CELL], [QUESTION, markdown(TEXT)], TEXT),
        ([QUESTION, fill(CELL, TEXT), CELL], [], TEXT),
        ([QUESTION, fill(CELL, TEXT[:20]), fill(CELL, TEXT[20:])], [], f"{TEXT[:19]}\n\n{TEXT[20:]}"),
        ([BELOW_IT, CELL], [], TEXT),
        ([BELOW_IT], [], TEXT),
        ([QUESTION, CELL, code_cell(f"# {TEXT}")], [], f"# {TEXT}"),
        ([QUESTION, CELL, code_cell(PRINTS)], [], PRINTS),
        ([QUESTION, code_cell(PRINTS)], [], PRINTS),
        ([code_cell(PRINTS), CELL], [], PRINTS),
        ([QUESTION, code_cell("nothing", **CELL["metadata"])], [], "nothing"),
        ([QUESTION, markdown("My answer:"), markdown(TEXT)], [], f"My answer:\n\n{TEXT}"),
        ([QUESTION, CELL, code_cell("1 + 1")], [], text(CELL)),
    ],
)
def test_a_written_answer_is_found_near_its_question_and_experiments_are_ignored(cells, at_the_end, answer):
    whole = RELEASED["cells"]
    nb = RELEASED | {"cells": [*whole[: PLACE - 1], *cells, *whole[PLACE + 1 :], *at_the_end]}
    assert submission_from(as_bytes(nb)).answers.get(ANSWER) == answer
