"""[Entry] -> the commonest mistakes: a sentence, how many made it, where it came back, what it looks like."""

import json
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from autograder.exercises import load
from autograder.releases.store import ANSWERS, lessons
from course_utils.diagnose.visible import find_sheet, observe_and_assess
from course_utils.show.tables import both_html

from .collect import ERROR, MISTAKE, OTHER, group, tries_in

MOST_MESSAGES = 3
# for mistakes that are seen in every exercise alike
GENERAL = tomllib.loads(Path(__file__).with_name("general.toml").read_text(encoding="utf-8"))


def mistakes_of(entries):
    """The known mistakes, the commonest first. `students` made it at least once, `came_back` in two or more
    exercises; `exercises` says where, and how many there."""
    cases = [case for case in tries_in(entries) if case[2].state == MISTAKE]
    rows = [described(*item) for item in group((case[2].mistake, case) for case in cases).items()]
    return sorted(rows, key=lambda row: (-row["students"], row["mistake"]))


def described(mistake, cases):
    """cases: [(Entry, exercise, Try)] with this mistake."""
    by_student = Counter(entry.student for entry, *_ in cases)
    places = group(((entry.lesson, name), attempt.message) for entry, name, attempt in cases)
    where = [
        {
            "lesson": lesson,
            "exercise": name,
            "students": len(messages),
            "sentence": sentence_of(mistake, name, Counter(messages)),
        }
        for (lesson, name), messages in sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return {
        "mistake": mistake,
        "sentence": where[0]["sentence"],
        "students": len(by_student),
        "who": sorted(by_student),
        "came_back": sum(count > 1 for count in by_student.values()),
        "exercises": where,
    }


def without_a_name(entries):
    """Wrong answers with no known mistake, by exercise: how many, and the sentences that two or more read.

    A sentence that one student alone read may hold the student's own words.
    """
    cases = [case for case in tries_in(entries) if case[2].state in (OTHER, ERROR)]
    places = group(((entry.lesson, name), attempt.message) for entry, name, attempt in cases)
    rows = []
    for (lesson, name), messages in places.items():
        shared = [(text, count) for text, count in Counter(messages).items() if text and count > 1]
        shared.sort(key=lambda item: (-item[1], item[0]))
        read = [{"message": text, "students": count} for text, count in shared[:MOST_MESSAGES]]
        rows.append({"lesson": lesson, "exercise": name, "students": len(messages), "messages": read})
    return sorted(rows, key=lambda row: (-row["students"], row["lesson"], row["exercise"]))


# ---- how a mistake reads and looks


@cache
def all_exercises():
    return {name for release in lessons().values() for name in release.exercises}


@cache
def mistakes_in(exercise):
    """{mistake: [sentence, ...]} of an exercise; {} where there is no such exercise any more."""
    if exercise not in all_exercises():
        return {}
    data = json.loads((ANSWERS / f"{exercise}.json").read_text(encoding="utf-8"))
    return group(dict.fromkeys((name, sentence) for name, sentence, *_ in data["mistakes"]))


def sentence_of(mistake, exercise, messages):
    """The course's own sentence on a mistake; for a name that it does not know, the name.

    messages: {what students read: how many did}; of several sentences, the one that most of them read counts.
    """
    own = mistakes_in(exercise).get(mistake) or [GENERAL.get(mistake, mistake.replace("_", " "))]
    by_count = sorted(messages, key=lambda message: (-messages[message], message))
    text = next((own_text for message in by_count for own_text in own if own_text[1:] in message), own[0])
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


@cache
def tables_of(exercise, mistake):
    """(HTML of the wrong table beside the wanted one, where to look), as the card of a check shows them.

    Made with the first implementation of the mistake that a check gives its name; None where there is none.
    """
    mistakes = load(exercise).mistakes if exercise in all_exercises() else []
    for wrong in [each for entry in mistakes if entry.name == mistake for each in entry.implementations]:
        result = observe_and_assess(find_sheet(exercise), wrong)
        if result.mistake == mistake and result.picture:
            return both_html(result.picture), result.look_at
    return None
