"""A zip from Canvas is collected, graded in the sandbox, and exported to Canvas, with a feedback page."""

import csv

import pytest

from autograder.exchange import collect, export
from autograder.gradebook.command import run as make_grade
from autograder.gradebook.page import feedback_path
from autograder.setup.demo import LESSON, MISTAKES
from autograder.setup.sample_class import as_bytes, solved, untouched
from autograder.tables import number
from tests.autograder.exchange.made_up import CLASS, canvas_gradebook, canvas_name, zip_of
from tests.tools.school import new_course


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_a_canvas_zip_is_collected_graded_in_the_sandbox_and_exported(tmp_path):
    course, right = new_course(tmp_path / "course"), as_bytes(solved(LESSON))
    mistake = as_bytes(solved(LESSON, dict([MISTAKES["dara"]])))
    notebooks = {"al1": right, "pob": mistake, "jm7": as_bytes(untouched(LESSON)), "ams": right[:5000]}
    files = {
        canvas_name(person, 700 + place, f"{LESSON}.ipynb"): notebooks[person[2]]
        for place, person in enumerate(CLASS)
        if person[2] in notebooks
    }
    (tmp_path / "submissions.zip").write_bytes(zip_of(files))
    column = f"{LESSON} (77)"
    template = tmp_path / "gradebook.csv"
    template.write_bytes(canvas_gradebook(column, points=""))
    assert collect.run(course, [tmp_path / "submissions.zip"], roster=template, yes=True) == 0
    assert make_grade(course, 2, seed=7) == 0
    export.run(course, "canvas", template)
    with open(course / "grades.csv", newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    maximum = float(rows["al1"]["max_score"])
    difference = float(rows["pob"]["max_score"]) - float(rows["pob"]["score"])
    assert float(rows["al1"]["score"]) == maximum
    assert 0 < difference < maximum
    assert {row["seed"] for row in rows.values() if row["score"]} == {"7"}
    expected = {"al1": number(maximum), "pob": number(maximum - difference), "jm7": "0"}
    exported = (course / "export" / "gradebook.csv").read_bytes()
    assert exported == canvas_gradebook(column, points="", cells=expected)
    page = feedback_path(course, "pob", LESSON).read_text(encoding="utf-8")
    assert f"<b>{maximum - difference:g}</b> of {maximum:g} points" in page
    assert "merge_heads" in page
    assert "could not be graded" in feedback_path(course, "ams", LESSON).read_text(encoding="utf-8")
