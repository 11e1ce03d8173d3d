"""What the instructor's commands raise when something cannot be done: the message says why and what to do."""


class Refused(Exception):
    """The command cannot begin, or not go on."""


class LessonRefused(Refused):
    """This lesson cannot be graded; others may be."""
