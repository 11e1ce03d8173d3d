"""The folders of submitted/ -> Submitted to grade: one for each student, one for all members of a group."""

from dataclasses import replace

from autograder.gradebook.database import Refused
from autograder.gradebook.submitted import read_student_folder

from .groups import HANDED_IN_BY, NO_NEWEST, newest

NO_SUBMISSION = "There is no submission of {} to grade in {}: look how the student's folder there is called."


def choose(found, students, groups, submitted):
    """(those of these students and of their groups, the others); Refused where a student has nothing."""
    if not students:
        return found, []
    asked = [bool(set(groups.of(student, lesson)) & set(students)) for student, lesson, _ in found]
    chosen = [one for one, is_asked in zip(found, asked, strict=True) if is_asked]
    there = places(chosen, groups)
    missing = [student for student in students if student not in {place[0] for place in there}]
    if missing:
        raise Refused(NO_SUBMISSION.format(missing[0], submitted))
    return chosen, [one for one, is_asked in zip(found, asked, strict=True) if not is_asked]


def places(found, groups):
    """{(student, lesson)} that get a grade from these folders."""
    return {(member, lesson) for student, lesson, _ in found for member in groups.of(student, lesson)}


def read_folders(found, groups):
    """Read them one by one -> (Submitted, "" or why it cannot be graded), one for a whole group."""
    folders, seen = {(student, lesson): folder for student, lesson, folder in found}, set()
    for student, lesson, folder in found:
        members = groups.of(student, lesson)
        if (student, lesson) in seen:
            continue
        if members == [student]:
            yield read_student_folder(student, lesson, folder), ""
            continue
        seen |= {(member, lesson) for member in members}
        handed_in = [member for member in members if (member, lesson) in folders]
        read = [read_student_folder(member, lesson, folders[member, lesson]) for member in handed_in]
        yield of_group(read, members, groups.names[student, lesson])


def of_group(read, members, group):
    """The one that counts of what the members handed in, with a copy for each other member."""
    counts = newest(read)
    if counts is None:
        one = read[0]
        one.also = [replace(one, student=member) for member in members if member != one.student]
        return one, NO_NEWEST.format(group, ", ".join(other.student for other in read))
    notes = [*counts.notes, HANDED_IN_BY.format(counts.student, group, ", ".join(members))]
    copies = [replace(counts, student=member, notes=list(notes), for_a_person=[]) for member in members]
    first = next(copy for copy in copies if copy.student == counts.student)
    first.for_a_person = counts.for_a_person
    first.also = [copy for copy in copies if copy is not first]
    return first, ""
