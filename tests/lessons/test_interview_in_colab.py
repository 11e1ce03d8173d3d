"""08_interview in Colab: from its own file, with Colab's versions, without network, the course not there."""

from pathlib import Path

import nbformat
import pytest

from tests.tools.colab import colab_python
from tests.tools.executed import behind_a_wall, errors, execute, save

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_interview" / "08_interview.ipynb"
CELLS = {
    "the task": 'interview("causal_mask", minutes=10)',
    "a wrong mask": "def visible(T):\n    return np.triu(np.ones((T, T))) == 1\n\ninterview.check(visible)",
    "a right mask": "def visible(T):\n    return np.tril(np.ones((T, T))) == 1\n\ninterview.check(visible)",
    "a question": "interview.answer(3)",
    "the sheet": "interview.stop()",
    "a bug": 'bug_hunt("one_pass")',
    "a flashcard": 'flashcards("cache_bytes")',
    "its answer": "flashcards.answer(512)",
    "a mock interview": 'mock_interview("intern")',
    "its next part": "mock_interview.next()",
    "what is due": "due(10)",
    "what there is": "progress()",
    "to take away": 'save_progress("mine.zip")',
}

SAYS = {
    "the task": "Build the causal mask",
    "a wrong mask": "The past is masked instead of the future",
    "a right mask": "part 2 of 4",
    "a question": "Take a smaller case",
    "the sheet": "past masked",
    "a bug": "bug_hunt.found(",
    "a flashcard": "Llama-3-8B",
    "its answer": "counts all query heads",
    "a mock interview": "part 1 of 5",
    "its next part": "part 2 of 5",
    "what is due": "Session: 10 items",
    "what there is": "Within a day: 2 items",
    "to take away": "load_progress()",
}


def said(cell):
    """All that a cell shows, as text; a page of HTML as its source."""
    data = [output.get("data", {}) for output in cell.outputs]
    streams = [output.get("text", "") for output in cell.outputs]
    return "".join(streams + [str(item.get("text/html") or item.get("text/plain") or "") for item in data])


@pytest.mark.release
@pytest.mark.xdist_group("colab")
def test_an_interview_a_bug_cards_and_a_mock_interview_in_colab(bwrap, tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    path = save(notebook, tmp_path / "content" / NOTEBOOK.name)
    ran = execute(colab_python(), path, behind_a_wall(bwrap, path.parent))
    assert errors(ran) == []
    shown = dict(zip(CELLS, map(said, ran.cells[-len(CELLS) :]), strict=True))
    for name, words in SAYS.items():
        assert words in shown[name], (name, shown[name])
    assert "passes" not in shown["what there is"]  # there are no exercises in this lesson
    assert (path.parent / "mine.zip").is_file()
