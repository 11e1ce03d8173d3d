"""Find a lesson's secret lines (answers, hidden tests) in texts that students will get."""

import re

from autograder.releases.release import marks

from .lesson import LessonError, current, lesson_sources

REGION = re.compile(r"^.*BEGIN (SOLUTION|HIDDEN TESTS|MARK SCHEME).*\n((?:.*\n)*?)^.*END \1.*$", re.M)
MARKER = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS|MARK SCHEME)")


def refuse_all_answers(root, texts, subject):
    """refuse_answers with the secret regions of all lessons of `root`."""
    secret = [region for py in lesson_sources(root) for region in secret_regions(current(py))]
    refuse_answers(secret, texts, subject)


def refuse_answers(regions, texts, lesson):
    """Raise LessonError when one of the texts, {place: text}, contains part of a secret region."""
    for place, text in texts.items():
        if leak := first_leak(regions, text):
            raise LessonError(f"{lesson}{place} would give away a part of an answer to students: {leak!r}")


def secret_regions(nb):
    """The lines of every solution, hidden test and mark scheme."""
    regions = []
    for cell in nb.cells:
        answers = [match[2] for match in REGION.finditer(cell.source)]
        if not answers and marks(cell).get("solution"):
            answers = [cell.source]
        regions += [lines(text) for text in answers]
    return [region for region in regions if region]


def lines(text):
    """The lines of a text without indents, empty lines and comments, which notebooks carry none of."""
    bare = (re.sub(r"#.*", "", line).strip() for line in text.splitlines())
    return [line for line in bare if line]


def first_leak(regions, text):
    """A marker, two consecutive lines of a region, or a one-line region that the text contains; or None."""
    if marker := MARKER.search(text):
        return marker[0]
    pieces = lines(text)
    pairs = set(zip(pieces, pieces[1:], strict=False))
    for region in regions:
        if len(region) == 1 and region[0] in pieces:
            return region[0]
        for pair in zip(region, region[1:], strict=False):
            if pair in pairs:
                return "\n".join(pair)
    return None
