"""Exceptions for users: each message says in a sentence why something cannot be done, and what to do."""


class Refused(Exception):
    """The command cannot start or continue."""


class LessonRefused(Refused):
    """One lesson cannot be graded; others may still be."""


class NotAgreed(Refused):
    """The user was asked, and did not agree; nothing has been changed."""


class AuthorError(Refused):
    """An author has to fix an exercise, a lesson or a release."""
