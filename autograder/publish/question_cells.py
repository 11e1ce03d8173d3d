"""A lesson's cells `predict("name")`: the question's text is put above each, so that it is written once."""

import re

import nbformat

from course_utils.practice.drawn import example
from course_utils.practice.typed import plain

from .lesson import LessonError
from .questions import place, questions_of

MARKER = re.compile(r"""predict\(\s*["']([^"']*)["']\s*\)""")
SHORT = {"choice": 12}  # up to this length, by kind; 1 for the others
EXAMPLE = "*Example numbers: the cell below draws its own.*"
NAMED = re.compile(r"""\bpredict\(\s*["']([^"']*)["']""")


def add_questions(nb, py):
    """Put a markdown cell with the question above each cell that is its marker; LessonError for a slip."""
    questions = {question.name: question for question in questions_of(py)}
    refuse_unknown(nb, questions, py)
    cells = []
    for number, cell in enumerate(nb.cells):
        question = marked(cell, questions)
        if question:
            refuse_answer_beside(example(question), nb.cells, number, py)
            cells.append(nbformat.v4.new_markdown_cell(text_of(question)))
        cells.append(cell)
    nb.cells = cells


def text_of(question):
    """What stands above the cell, which shows the choices itself; drawn numbers are those of an example."""
    text = example(question).prompt.strip()
    return f"{text}\n\n{EXAMPLE}" if question.draw else text


def marked(cell, questions):
    """The question that this cell stands for; None for other cells."""
    match = MARKER.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
    return questions[match[1]] if match else None


def refuse_unknown(nb, questions, py):
    for cell in nb.cells:
        for name in NAMED.findall(cell.source) if cell.cell_type == "code" else []:
            if name not in questions:
                raise LessonError(f"{py.name}: predict asks {name!r}, which is not in {place(py.stem)}.")


def refuse_answer_beside(question, cells, number, py):
    """The text above and below a question must not tell its answer."""
    for beside in (number - 1, number + 1):
        is_text = 0 <= beside < len(cells) and cells[beside].cell_type == "markdown"
        if is_text and (hint := told_in(question, cells[beside].source)):
            where = "above" if beside < number else "below"
            raise LessonError(
                f'{py.name}: the text {where} predict("{question.name}") tells its answer: {hint!r}.'
            )


def told_in(question, text):
    """What a text tells of the answer: an explanation, or the answer itself. What is short stands in many
    texts: it is looked for in bold only, as it is written where it is meant as the answer."""
    flat = f" {plain(text)} "
    for reason in (question.right, *(wrong.reason for wrong in question.wrong)):
        if plain(reason) in flat:
            return reason
    for form in forms(question):
        whole = re.search(rf"(?<![\w.]){re.escape(plain(form))}(?![\w]|\.\d)", flat)
        if (whole and len(plain(form)) > SHORT.get(question.kind, 1)) or re.search(
            rf"\*\*{re.escape(form)}[.:)]?\*\*", text
        ):
            return form
    return None


def forms(question):
    """The ways in which the right answer may be written."""
    answer = question.answer
    if question.kind == "choice":
        return [answer, question.choices[question.letters.index(answer)]]
    if question.kind == "shape":
        return [str(tuple(answer)), f"({', '.join(map(str, answer))})"]
    return [str(form) for form in (answer, *question.accept)]
