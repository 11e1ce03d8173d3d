"""A made-up class: zip files with entries named by Canvas and Moodle, and rosters as they export them."""

import csv
import io
import json
import zipfile

from autograder.setup.sample_class import untouched

LESSON, SECOND = "01_masks", "02_split_concat"
# (last, first, login, Canvas' number), with every kind of name that has caused trouble
CLASS = [
    ("Lovelace", "Ada", "al1", "101"),
    ("O'Brien", "Pat", "pob", "102"),
    ("Müller", "Jürgen", "jm7", "103"),
    ("Meyer-Schmidt", "Anna", "ams", "104"),
    ("García Márquez", "José", "jgm", "105"),
    ("王", "小明", "wxm", "106"),
    ("de la Cruz", "María José", "mjc", "107"),
    ("Smith", "John", "js1", "108"),
    ("Smith", "John", "js2", "109"),
    ("Øster", "Søren", "soe", "110"),
    ("Nguyễn", "Thị Minh", "ntm", "111"),
    ("Turing", "Alan", "at", "112"),
]


def notebook(note="", lesson=LESSON):
    """The released lesson with a note in its last cell, so that different notes give different bytes."""
    result = untouched(lesson)
    result["cells"].append({"cell_type": "markdown", "metadata": {}, "source": f"note {note}"})
    return json.dumps(result).encode()


def canvas_name(person, file=700, rest="01_masks.ipynb", late=False):
    """Canvas' file name: the sortable name in lower case, with only letters, digits and _ kept."""
    last, first, _, number = person
    name = "".join(c for c in f"{last}, {first}".lower() if c.isalnum() or c == "_")
    return "_".join([name, *(["LATE"] if late else []), number, str(file), rest])


def moodle_folder(first, last, participant=5):
    return f"{first} {last}_{participant}_assignsubmission_file_"


def zip_of(files):
    """{name: bytes} -> the bytes of a zip without timestamps."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as new:
        for name, content in files.items():
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def canvas_files():
    """One submission of each student, with consecutive file numbers."""
    return {canvas_name(person, 7000 + place): notebook(person[2]) for place, person in enumerate(CLASS)}


def table(rows, separator=",", encoding="utf-8", end="\r\n"):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator=end).writerows(rows)
    return text.getvalue().encode(encoding)


def canvas_gradebook(column=f"{LESSON} (5501)", points="15.00", cells=None):
    """Canvas' export, with a row about posting, a row of maximum points, and the test student."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Essay (5500)", column, "Final Score"]
    rows = [head, ["", "", "", "", "", "Manual Posting", "", ""]]
    rows.append(["    Points Possible", "", "", "", "", "10.00", points, "(read only)"])
    for last, first, login, number in CLASS:
        cell = (cells or {}).get(login, "")
        rows.append([f"{last}, {first}", number, f"S{number}", login, "Monday, 9", "7.50", cell, "75.00"])
    return table([*rows, ["Student, Test", "999", "", "abcdef", "Monday, 9", "", "", ""]], end="\n")


MOODLE = [
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
]  # fmt: skip


def worksheet(cells=None, most="15.00", heading=MOODLE, mails=True, people=CLASS, **form):
    """Moodle's grading worksheet, with dates that contain commas."""
    rows = [heading]
    for place, (last, first, login, _) in enumerate(people):
        grade, mail = (cells or {}).get(login, ""), f"{login}@uni.edu" if mails else ""
        about = [f"Participant {9000 + place}", f"{first} {last}", mail, "Submitted for grading - "]
        rows.append([*about, grade, most, "Yes", "Sunday, 1 March 2026, 12:00 PM", "-", ""])
    return table(rows, **form)


def files_of_the_page(people=CLASS[:4]):
    """{name: bytes} of the files that docs/lms.md mentions, for these students."""
    moodle = {
        f"{moodle_folder(first, last, 9000 + place)}/01_masks.ipynb": notebook(login)
        for place, (last, first, login, _) in enumerate(people)
    }
    rows = [[first, last, login, f"{login}@uni.edu"] for last, first, login, _ in people]
    return {
        "submissions.zip": zip_of(dict(list(canvas_files().items())[: len(people)])),
        "canvas.csv": canvas_gradebook(),
        "moodle.zip": zip_of(moodle),
        "participants.csv": table([["First name", "Last name", "Username", "Email address"], *rows]),
        "worksheet.csv": worksheet(people=people),
    }
