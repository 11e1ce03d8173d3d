"""One question that is answered aloud, with all that the interviewer needs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """name: for the record. title: in a few words. prompt: what is asked. answer: a model answer. listen: the
    points to listen for. follow: ((question, answer), ...). hints: ((when, what to say), ...). revise: lesson
    and section. levels: where it is asked."""

    name: str
    title: str
    prompt: str
    answer: str
    listen: tuple
    follow: tuple
    hints: tuple
    revise: str
    levels: tuple


def by_name(*items):
    return {item.name: item for item in items}
