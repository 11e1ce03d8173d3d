"""What a lecture could show of a mistake: the tables of a card, made by the course's own code with it."""

from functools import cache

from autograder.exercises import load
from course_utils.diagnose.visible import find_sheet, observe_and_assess
from course_utils.show.tables import both_html

from .published import all_exercises


@cache
def tables_of(exercise, mistake):
    """(HTML of wrong table beside the wanted one, where to look), or None where there is nothing to compare.

    Of the mistake's implementations in autograder/exercises/, the first one that a check gives its name.
    """
    mistakes = load(exercise).mistakes if exercise in all_exercises() else []
    for wrong in [each for entry in mistakes if entry.name == mistake for each in entry.implementations]:
        result = observe_and_assess(find_sheet(exercise), wrong)
        if result.mistake == mistake and result.picture:
            return both_html(result.picture), result.look_at
    return None
