"""A cell that Python cannot parse: its exercise's result, and what table, page and gradebook say."""

import pytest
from nbgrader.utils import is_solution

from autograder.gradebook.record import is_untouched
from autograder.grading.feedback import as_page
from autograder.grading.graded import happened
from autograder.grading.notebook import error_sentences, grade_notebook
from autograder.releases.store import lessons
from autograder.sandbox.host.observe_steps import Failure
from autograder.setup.sample_class import as_bytes, solved
from autograder.submission.read import submission_from
from tests.corpus.notebooks import place
from tests.tools.forking_worker import ForkingWorker

LESSON, NAME = "00_start_here", "attention_weights"
BROKEN = "def attention_weights(x)\n    return x.softmax(-1)"
STUB = lessons()[LESSON].stubs[NAME].text


def notebook_with(answer):
    notebook = solved(LESSON)
    notebook["cells"][place(notebook, NAME)]["source"] = answer
    return as_bytes(notebook)


def test_a_syntax_error_is_reported_instead_of_not_started_and_the_text_is_shown():
    graded = grade_notebook(notebook_with(BROKEN), seed=1, worker=ForkingWorker())
    item, sentence = graded.exercises[NAME], "SyntaxError: \"expected ':' (line 1)\""
    assert (item.points, item.status, item.ended) == (0, "error", sentence)
    assert item.message == f"{NAME} is not defined: its cell ended with {sentence}."
    assert (happened(graded), graded.texts[NAME]) == ({NAME: sentence}, BROKEN)
    page = as_page("ada", graded)
    assert "attention_weights is not defined" in page
    assert "NotImplementedError" not in page
    cells = lessons()[LESSON].skeleton().cells
    assert not any(is_untouched(cell, graded) for cell in cells if is_solution(cell))


@pytest.mark.parametrize(("answer", "is_written"), [
    (BROKEN, True),
    (STUB, False),
    (f"import missing\n{STUB}", False),
    (f"@missing\n{STUB}", True),
    ("other = lambda x: x.softmax(-1)", True),
    ("# nothing yet", True),
])  # fmt: skip
def test_a_cell_counts_as_written_unless_it_only_holds_the_stub(answer, is_written):
    submission = submission_from(notebook_with(answer))
    assert (submission.cell_written_for(NAME) is not None) == is_written


@pytest.mark.parametrize("file", ["<ipython-input-1-ab>", "<unknown>"])  # the latter below %%time
@pytest.mark.parametrize("kind", ["SyntaxError", "IndentationError", "TabError"])
def test_a_note_on_a_syntax_error_names_the_python_version(kind, file):
    (note,) = error_sentences({3: Failure(kind, f"something ({file}, line 2)")})
    begin = f"Cell 3 of the notebook (text cells count too) ended with {kind}"
    assert note.startswith(f'{begin}: "something (line 2)", as Python 3.')
