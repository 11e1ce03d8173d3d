"""A zip from Canvas is collected, graded in the sandbox, and exported to Canvas, with a feedback page."""

import csv

import pytest

from autograder.exchange import collect, export
from autograder.exchange.grades import number
from autograder.gradebook.command import run as make_grade
from autograder.gradebook.page import feedback_path
from autograder.setup.demo import LESSON, MISTAKES
from autograder.setup.sample_class import as_bytes, solved, untouched
from tests.autograder.exchange.made_up import CLASS, canvas_gradebook, canvas_name, zip_of
from tests.tools.school import new_course


@pytest.mark.system
@pytest.mark.usefixtures("bwrap")
def test_from_canvas_through_the_sandbox_back_to_canvas(tmp_path):
    course, right = new_course(tmp_path / "course"), as_bytes(solved(LESSON))
    mistake = as_bytes(solved(LESSON, dict([MISTAKES["dara"]])))
    notebooks = {"al1": right, "pob": mistake, "jm7": as_bytes(untouched(LESSON)), "ams": right[:5000]}
    files = {
        canvas_name(who, 700 + place, f"{LESSON}.ipynb"): notebooks[who[2]]
        for place, who in enumerate(CLASS)
        if who[2] in notebooks
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
    most = float(rows["al1"]["max_score"])
    lost = float(rows["pob"]["max_score"]) - float(rows["pob"]["score"])
    assert float(rows["al1"]["score"]) == most
    assert 0 < lost < most
    assert {row["seed"] for row in rows.values() if row["score"]} == {"7"}
    expected = {"al1": number(most), "pob": number(most - lost), "jm7": "0"}
    written = (course / "export" / "gradebook.csv").read_bytes()
    assert written == canvas_gradebook(column, points="", cells=expected)
    page = feedback_path(course, "pob", LESSON).read_text(encoding="utf-8")
    assert f"<b>{most - lost:g}</b> of {most:g} points" in page
    assert "merge_heads" in page
    assert "could not be graded" in feedback_path(course, "ams", LESSON).read_text(encoding="utf-8")
