"""What is raised when something cannot be done: the message says in a sentence why, and what to do."""


class Refused(Exception):
    """The command cannot begin, or not go on."""


class LessonRefused(Refused):
    """This lesson cannot be graded; others may be."""


class AuthorError(Refused):
    """What an author has to mend in an exercise, a lesson or a release."""
