"""The cells of a notebook -> the answers that a person reads, wherever near its question a student wrote."""

from itertools import takewhile

from autograder.releases.release import bare
from course_utils.source import meaning


def written_answers(cells, lesson):
    """{grade_id: text}: all that the student wrote from the question to the next cell of the lesson, and in
    other cells that have the answer's mark; where that is nothing, their own texts elsewhere in the notebook;
    where there is none, the text that was given out."""
    answers, elsewhere = {}, others(cells, lesson)
    for grade_id in lesson.by_hand:
        question = lesson.before[grade_id]
        marked = [n for n, cell in enumerate(cells) if cell.grade_id == grade_id]
        places = [n for n, cell in enumerate(cells) if question and question in cell.text]
        near = [cells[n] for n in numbers_near([*places, *marked], cells, lesson, grade_id)]
        texts_given_out = question, lesson.answers[grade_id]
        texts = own_texts(near, texts_given_out) or own_texts(elsewhere, texts_given_out)
        if texts or marked:
            answers[grade_id] = "\n\n".join(texts) or lesson.answers[grade_id]
    return answers


def numbers_near(places, cells, lesson, grade_id):
    """The numbers of the cells at these places and of their neighbours, up to the next cells that are the
    lesson's; in order."""
    lessons_own = lesson.texts - {bare(lesson.answers[grade_id])}
    is_own = [cell.grade_id not in ("", grade_id) or cell.text in lessons_own for cell in cells]
    near = set()
    for place in places:
        if place not in near:
            above, below = range(place - 1, -1, -1), range(place + 1, len(cells))
            near |= {place, *(n for side in (above, below) for n in takewhile(lambda n: not is_own[n], side))}
    return sorted(near)


def others(cells, lesson):
    """The cells of text that are not the lesson's."""
    return [c for c in cells if c.type != "code" and not c.grade_id and c.text not in lesson.texts]


def own_texts(cells, texts_given_out):
    """What the student wrote in each of these cells, without the texts that were given out. Of code cells
    without the answer's mark only those that hold a comment or a text."""
    texts = []
    for cell in cells:
        text = cell.text
        for source in texts_given_out:
            text = text.replace(bare(source), "")
        if text.strip() and (cell.type != "code" or cell.grade_id or says_something(text)):
            texts.append(text.strip())
    return texts


def says_something(code):
    """Has a line of it three words and a comment or quotes?"""
    return not meaning(code) or any(
        len(line.split()) > 2 for line in code.split("\n") if "#" in line or '"' in line or "'" in line
    )
