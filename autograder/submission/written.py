"""Collect the written answers for a person, including those in other cells near their question."""

from itertools import takewhile

from autograder.releases.release import bare
from course_utils.source import meaning


def written_answers(cells, lesson):
    """Return {grade_id: text}: what the student wrote around the question and the answer's cells. If that is
    nothing, the answer is the student's text cells elsewhere in the notebook; if there are none, it is the
    released text."""
    answers, elsewhere = {}, text_cells_elsewhere(cells, lesson)
    for grade_id in lesson.by_hand:
        question = lesson.before[grade_id]
        marked = [n for n, cell in enumerate(cells) if cell.grade_id == grade_id]
        places = [n for n, cell in enumerate(cells) if question and question in cell.text]
        near = [cells[n] for n in numbers_near([*places, *marked], cells, lesson, grade_id)]
        texts_given_out = question, lesson.answers[grade_id]
        texts = student_texts(near, texts_given_out) or student_texts(elsewhere, texts_given_out)
        if texts or marked:
            answers[grade_id] = "\n\n".join(texts) or lesson.answers[grade_id]
    return answers


def numbers_near(places, cells, lesson, grade_id):
    """Return the numbers of the cells at these places and of their neighbours on both sides, up to the next
    cells of the lesson; in order."""
    lessons_own = lesson.texts - {bare(lesson.answers[grade_id])}
    is_own = [cell.grade_id not in ("", grade_id) or cell.text in lessons_own for cell in cells]
    near = set()
    for place in places:
        if place not in near:
            above, below = range(place - 1, -1, -1), range(place + 1, len(cells))
            near |= {place, *(n for side in (above, below) for n in takewhile(lambda n: not is_own[n], side))}
    return sorted(near)


def text_cells_elsewhere(cells, lesson):
    """Return the text cells that do not belong to the lesson."""
    return [c for c in cells if c.type != "code" and not c.grade_id and c.text not in lesson.texts]


def student_texts(cells, texts_given_out):
    """Return what the student wrote in each cell, without the released texts. A code cell without a grade id
    counts only if it holds a comment or a string."""
    texts = []
    for cell in cells:
        text = cell.text
        for source in texts_given_out:
            text = text.replace(bare(source), "")
        if text.strip() and (cell.type != "code" or cell.grade_id or has_prose(text)):
            texts.append(text.strip())
    return texts


def has_prose(code):
    """Is there no Python in it, or has one of its lines at least three words and a comment or quotes?"""
    return not meaning(code) or any(
        len(line.split()) > 2 for line in code.split("\n") if "#" in line or '"' in line or "'" in line
    )
