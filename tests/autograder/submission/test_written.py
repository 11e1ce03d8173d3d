"""A written answer reaches a person wherever the student wrote it near its question."""

import pytest

from autograder.submission.read import submission_from
from tests.corpus.notebooks import as_bytes, code_cell, notebook, place, text

LESSON, ANSWER = "05_visualization", "what_may_one_conclude"
TEXT = "Head 0 looks at the first letter: mean weight 1.00 over 256 texts."
PRINTS = f'print("{TEXT}")'
RELEASED = notebook(lesson=LESSON)
PLACE = place(RELEASED, ANSWER)
QUESTION, OWN = RELEASED["cells"][PLACE - 1 : PLACE + 1]


def markdown(source):
    return {"cell_type": "markdown", "id": "own", "metadata": {}, "source": source}


def filled(cell, source):
    """The cell with its metadata and another text."""
    return cell | {"source": source}


BELOW_IT = filled(QUESTION, f"{text(QUESTION)}\n\n{TEXT}")


@pytest.mark.parametrize(
    ("cells", "at_the_end", "answer"),
    [
        ([QUESTION, filled(OWN, TEXT)], [], TEXT),
        ([QUESTION, markdown(TEXT), OWN], [], TEXT),
        ([QUESTION, OWN, markdown(TEXT)], [], TEXT),
        ([QUESTION, OWN], [markdown(TEXT)], TEXT),
        ([QUESTION, OWN], [QUESTION, markdown(TEXT)], TEXT),
        ([QUESTION, filled(OWN, TEXT), OWN], [], TEXT),
        ([QUESTION, filled(OWN, TEXT[:20]), filled(OWN, TEXT[20:])], [], f"{TEXT[:19]}\n\n{TEXT[20:]}"),
        ([BELOW_IT, OWN], [], TEXT),
        ([BELOW_IT], [], TEXT),
        ([QUESTION, OWN, code_cell(f"# {TEXT}")], [], f"# {TEXT}"),
        ([QUESTION, OWN, code_cell(PRINTS)], [], PRINTS),
        ([QUESTION, code_cell(PRINTS)], [], PRINTS),
        ([code_cell(PRINTS), OWN], [], PRINTS),
        ([QUESTION, code_cell("nothing", **OWN["metadata"])], [], "nothing"),
        ([QUESTION, markdown("My answer:"), markdown(TEXT)], [], f"My answer:\n\n{TEXT}"),
        ([QUESTION, OWN, code_cell("1 + 1")], [], text(OWN)),
    ],
)
def test_it_is_found_where_it_was_written_and_an_experiment_beside_it_is_none(cells, at_the_end, answer):
    others = RELEASED["cells"]
    changed = RELEASED | {"cells": [*others[: PLACE - 1], *cells, *others[PLACE + 1 :], *at_the_end]}
    assert submission_from(as_bytes(changed)).answers.get(ANSWER) == answer
