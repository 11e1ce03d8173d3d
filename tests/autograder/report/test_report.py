"""Tables, spreadsheets and feedback pages are made from GradedSubmissions, whatever texts these hold."""

import csv
import html
import re

import pytest

from autograder.grading.feedback import as_page, write_feedback
from autograder.grading.graded import GradedExercise, GradedSubmission, labels
from autograder.notes import INFO, Note
from autograder.report.loose import exit_code, show_table, write_loose
from autograder.submission.files import A_ZIP, notebooks_in
from autograder.tables import safe
from course_utils.diagnose.assess import NOT_STARTED


def exercise(name="softmax", **changes):
    about = {"message": "Use `.reshape`, not `<b>`.", "mistake": "m", "note": "Builds on x."}
    return GradedExercise(name, **{"points": 1.4, "max_points": 2.0, "passed": False, **about, **changes})


def graded(**changes):
    about = {"lesson": "01_masks", "score": 1.4, "max_score": 2.0, "exercises": {"softmax": exercise()}}
    notes = ["softmax: Builds on x.", "Something else."]
    notes = [Note(INFO, text) for text in changes.pop("notes", notes)]
    return GradedSubmission(**{**about, "seed": 7, "notes": notes, **changes})


def rows_of(file):
    with file.open(encoding="utf-8", newline="") as csv_file:
        return list(csv.reader(csv_file))


def plain(text):
    """The text of HTML as a reader sees it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).replace("`", "").split()).lower()


FATES = {
    "d": exercise("d", mistake=None),
    "b": exercise("b", status="error", ended="it took more than 10 s", mistake=None),
    "c": exercise("c"),
    "a": exercise("a", status="not_started", mistake=None),
    "e": exercise("e", passed=True),
    "f": exercise("f", status="not_started", mistake=None),
    "g": exercise("g", status="error"),
}


def test_table_and_csv_list_what_happened_in_the_same_order_with_the_seed(tmp_path, capsys):
    """Names are not cut when the output is piped."""
    rejected, summary = GradedSubmission.rejected("Why.", 7), "a, f: not started; b: it"
    name = "a-long-name-" * 20
    many = [(f"in/{name}/x.ipynb", graded(exercises=FATES)), ("in/ben/x.ipynb", rejected)]
    show_table(many)
    write_loose(many, tmp_path / "grades.csv")
    output = capsys.readouterr().out
    assert re.search(rf"{name}/x.ipynb +01_masks +graded +1.4 of 2 +{summary}", output)
    assert "seed         7 " in output
    header, *rows = rows_of(tmp_path / "grades.csv")
    first, second = (dict(zip(header, row, strict=True)) for row in rows)
    assert first["what_happened"] == f"{summary} took more than 10 s; g: ended with an error; c: m; d: wrong"
    assert [second[name] for name in ("score", "a", "what_happened", "notes")] == ["", "", "", "Why."]


def test_exit_code_is_1_for_a_path_without_a_notebook_but_0_for_a_rejected_one(tmp_path):
    for name in ("ada", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "ada" / "broken.ipynb").write_text("{")
    (tmp_path / "class.zip").write_bytes(b"PK")
    assert exit_code([tmp_path / "ada", tmp_path / "ada" / "broken.ipynb"]) == 0
    assert notebooks_in(tmp_path / "class.zip") == [(tmp_path / "class.zip", A_ZIP)]
    for name in ("empty", "missing", "class.zip"):
        assert exit_code([tmp_path / "ada", tmp_path / name]) == exit_code([tmp_path / name]) == 1


@pytest.mark.parametrize(
    ("changes", "raises"),
    [
        ({"status": "not_started", "unwritten": True, "message": NOT_STARTED}, True),
        ({"status": "not_started", "message": "softmax is not defined."}, False),
        ({"message": "Not started, it says."}, False),
    ],
)
def test_a_feedback_page_relies_on_the_status_and_not_on_the_message(changes, raises):
    page = as_page("a", graded(exercises={"softmax": exercise(points=0.0, **changes)}))
    assert ("It still raises NotImplementedError" in page) == raises
    assert raises or changes["message"] in page


def test_a_feedback_page_shows_points_message_and_notes_once_each():
    page = as_page("a/b.ipynb", graded())
    assert "1.4 of 2" in page
    assert "width: 70%" in page
    assert re.search(r"Use <code[^>]*>\.reshape</code>, not <code[^>]*>&lt;b&gt;</code>\.", page)
    assert page.count("Builds on x.") == page.count("Something else.") == 1
    assert 'hint("softmax")' in html.unescape(page)


@pytest.mark.parametrize(
    "attack",
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "`<svg onload=alert(1)>`"],
)
def test_no_text_of_a_submission_becomes_html(attack):
    wrong = exercise(name=attack, mistake=attack, message=attack, note=attack, ended=attack, look_at=attack)
    page = as_page(attack, graded(lesson=attack, exercises={attack: wrong}, notes=[attack]))
    assert not re.search(r"<(script|img|svg)", page)
    assert "49" not in page
    assert plain(attack) in plain(page)


def test_feedback_pages_stay_in_their_folder_and_never_overwrite_each_other(tmp_path):
    places = ["s/../../x", "s/a/l", "s/b/l", "s/b/l", "/etc/passwd", "s/.", "s/a/l.html/l"]
    pages = write_feedback([(f"{place}.ipynb", graded()) for place in places], tmp_path / "feedback")
    files = {page.resolve() for page in (tmp_path / "feedback").rglob("*.html") if page.is_file()}
    assert {page.resolve() for page in pages} == files
    assert len(files) == len(places)
    pages = write_feedback([(f"{tmp_path}/s/{name}/l.ipynb", graded()) for name in ("zoe", "ada")], tmp_path)
    assert "· zoe/l.ipynb" in pages[0].read_text(encoding="utf-8"), "and not where it lay"


def test_a_feedback_page_that_cannot_be_written_stops_no_other_page(tmp_path):
    (tmp_path / "bob" / "l.html").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as error:
        write_feedback([(f"s/{name}/l.ipynb", graded()) for name in ("ada", "bob", "zoe")], tmp_path)
    assert error.value.filename == str(tmp_path / "bob" / "l.html")
    assert (tmp_path / "zoe" / "l.html").is_file()


FORMULAS = {
    **{f"{begin}SUM(A1)": f"'{begin}SUM(A1)" for begin in ("=", "+", "-", "@", "\t")},
    **{f"1{between}=1+1; (2, -1)": f"1{between}'=1+1; (2, -1)" for between in ";|\t\n"},
    "1; =1+1": "1; '=1+1",
    "1\r\n=1+1": "1\r\n'=1+1",
}


def test_no_text_in_grades_csv_acts_as_a_formula_with_any_separator(tmp_path):
    write_loose([(text, graded(notes=[text])) for text in FORMULAS], tmp_path / "new" / "grades.csv")
    header, *rows = rows_of(tmp_path / "new" / "grades.csv")
    assert [row[0] for row in rows] == [*FORMULAS.values()]
    assert [row[-1] for row in rows] == [safe(Note(INFO, text).text) for text in FORMULAS]
    assert [safe(text) for text in FORMULAS] == [*FORMULAS.values()]
    assert {row[header.index("softmax")] for row in rows} == {"1.4"}


def test_labels_of_submissions_are_short_and_distinct():
    path = "in/ada/01_masks/01_masks.ipynb"
    many = [path, "in/ada/02_split_concat/mine.ipynb", "in/ben/01_masks/01_masks.ipynb"]
    assert labels(many) == ["ada/01_masks", "ada/02_split_concat/mine.ipynb", "ben/01_masks"]
    assert (labels([path]), labels([])) == ([path], [])
