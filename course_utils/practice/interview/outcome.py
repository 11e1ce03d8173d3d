"""What the judging of a try hands to a card and to the log."""

from dataclasses import dataclass

from course_utils.model.result import Result


@dataclass(frozen=True)
class Question:
    """The one thing to ask the learner. word: the key of the answer. choices: the answers, None for any."""

    word: str
    text: str
    choices: tuple | None = None


@dataclass(frozen=True)
class Outcome:
    """result: as the lessons' card takes it. question: to be asked, or None. line: the line that adapts the
    object, to be copied ("" where none is needed). way: how the object was called."""

    result: Result
    question: Question | None = None
    line: str = ""
    way: str = ""
