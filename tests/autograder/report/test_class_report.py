"""make report: every count is true, students' texts do no harm, and any class can be reported on."""

import csv
import json
import re
from collections import Counter
from html import unescape

import numpy as np
import pytest
from bs4 import BeautifulSoup

from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.notes import WAIT, Note
from autograder.refused import Refused
from autograder.releases import store
from autograder.report.class_report.collect import ERROR, OTHER, STATES, Course, collect
from autograder.report.class_report.mistakes import sentence_of, sentences_of, tables_of
from autograder.report.class_report.pages import page_of, run, write
from autograder.report.class_report.reports import report_on, sentence_without
from tests.tools.school import LESSON, WRITTEN, new_course
from tests.tools.simulated_class import LESSONS, as_entry, exercise, simulated

FATES = {  # a fate in the simulated class: its name in a report
    "right": "right", "mistake": "known mistake", "one_left": "known mistake", "wrong": "wrong otherwise",
    "error": "error or limit", "limit": "error or limit", "not_started": "not started",
}  # fmt: skip


@pytest.fixture(scope="module")
def class_of_300():
    course, truth = simulated(300)
    return course, truth, *report_on(course, with_names=True)


@pytest.fixture(scope="module")
def plain_pages(class_of_300, tmp_path_factory):
    """The folder with the class's report without names."""
    folder = tmp_path_factory.mktemp("report") / "plain"
    write(*report_on(class_of_300[0]), folder, False)
    return folder


# ---- counts


def test_counts_of_submissions_and_of_exercise_states_are_true(class_of_300):
    _, truth, _, lessons = class_of_300
    for lesson in LESSONS:
        results, report = truth.passed[lesson], lessons[lesson]
        finished = sum(all(right for right, _ in item.values()) for item in results.values())
        wanted = {"students": 300, "handed_in": 300 - truth.absent[lesson], "finished": finished}
        wanted |= {"rejected": truth.rejected[lesson], "started": truth.started[lesson]}
        assert {key: report[key] for key in wanted} == wanted
        assert 0 < finished < truth.started[lesson] < len(results)
        assert [row["exercise"] for row in report["exercises"]] == list(store.current(lesson).exercises)
        for row in report["exercises"]:
            fates, states = truth.states[lesson, row["exercise"]], Counter()
            for fate, count in fates.items():
                states[FATES[fate]] += count
            total = sum(fates.values())
            assert row["states"] == {state: states[state] for state in row["states"]}
            assert (row["graded"], row["started"]) == (total, total - fates["not_started"])
            assert row["one_left"] == fates["one_left"] > 0
            assert row["share_right"] == pytest.approx(fates["right"] / total, abs=1e-4)


def test_mistakes_are_counted_per_student_and_per_exercise(class_of_300):
    _, truth, whole, lessons = class_of_300
    for item in whole["mistakes"]:
        exercises = truth.mistakes[item["mistake"]]
        assert (item["students"], item["who"]) == (len(exercises), sorted(exercises))
        assert item["came_back"] == sum(count > 1 for count in exercises.values())
    counts = [item["students"] for item in whole["mistakes"]]
    assert counts == sorted(counts, reverse=True)
    assert {item["mistake"] for item in whole["mistakes"]} == set(truth.mistakes)
    for reports in ([whole], lessons.values()):
        assert truth.where == {
            (item["mistake"], place["lesson"], place["exercise"]): place["students"]
            for report in reports
            for item in report["mistakes"]
            for place in item["exercises"]
        }


def by_place(rows):
    return {(row["lesson"], row["exercise"]): row["students"] for row in rows}


def test_unnamed_mistakes_one_left_and_strong_students_are_counted(class_of_300):
    course, truth, whole, lessons = class_of_300
    unnamed = {key: fates["wrong"] + fates["error"] + fates["limit"] for key, fates in truth.states.items()}
    assert by_place(whole["unnamed"]) == unnamed
    one_left_rows = [row for row in whole["doubts"] if row["kind"] == "one_left"]
    assert by_place(one_left_rows) == {key: fates["one_left"] for key, fates in truth.states.items()}
    for lesson in LESSONS:
        points, strong = store.current(lesson).exercises, {}
        for entry in course.lessons[lesson]:
            for name, item in entry.tries.items():
                rest = sum(truth.passed[lesson][entry.student][part][1] for part in points if part != name)
                if rest >= 0.8 * (sum(points.values()) - points[name]) and item.state in (OTHER, ERROR):
                    strong.setdefault(name, []).append(entry.student)
        rows = {row["exercise"]: row["who"] for row in lessons[lesson]["doubts"] if row["kind"] == "strong"}
        assert rows == strong != {}


def test_score_statistics_equal_numpys(class_of_300):
    _, truth, _, lessons = class_of_300
    edges = np.arange(11) / 10 + 1e-10 * (np.arange(11) < 10) * -1
    for lesson in LESSONS:
        totals = np.array([sum(p for _, p in item.values()) for item in truth.passed[lesson].values()])
        scores, full = lessons[lesson]["scores"], sum(store.current(lesson).exercises.values())
        assert scores["submissions"] == len(totals)
        assert scores["mean"] == pytest.approx(totals.mean(), abs=1e-3)
        assert scores["median"] == pytest.approx(np.median(totals), abs=1e-3)
        shares = np.minimum(np.round(totals / full, 9), 1)
        assert scores["tenths"] == np.histogram(shares, bins=edges)[0].tolist()


def test_releases_with_different_full_marks_are_both_mentioned():
    course, _ = simulated(5)
    for entry in course.lessons[LESSON]:
        entry.rejected, entry.score, entry.max_score = False, 15.0, 15.0
    course.lessons[LESSON][0].max_score = 17.0
    report = report_on(course)[1][LESSON]
    assert "median of 15 or 17 points" in page_of(report, [LESSON], False)
    assert sum(report["scores"]["tenths"][:9]) == 1, "15 of 17; 15 of 15 are full marks"


def read_csv(path):
    return list(csv.DictReader(path.open(encoding="utf-8", newline="")))


def test_csv_json_and_plot_tables_have_the_same_numbers(class_of_300, plain_pages):
    _, truth, whole, lessons = class_of_300
    rows = [[row["exercise"], *map(str, row["states"].values())] for row in whole["exercises"]]
    table = read_csv(plain_pages / "exercises.csv")
    assert [[row[column] for column in ("exercise", *STATES)] for row in table] == rows
    mistakes = read_csv(plain_pages / "mistakes.csv")
    assert sum(int(row["students_there"]) for row in mistakes) == sum(truth.where.values())
    assert json.loads((plain_pages / "course.json").read_text())["exercises"] == whole["exercises"]
    page = BeautifulSoup((plain_pages / "index.html").read_text(), "html.parser")
    assert len(page.select('.bars[role="img"][aria-label]')) == len(page.select("figure")) == 3
    (states,) = [table for table in page.select("details table") if "not started" in table.text]
    table_rows = [
        [cell.get_text(strip=True) for cell in row.select("td, th")] for row in states.select("tbody tr")
    ]
    assert table_rows == rows


def test_a_mistake_is_described_by_the_courses_own_sentence():
    sentence = sentence_of("returns_none", "softmax", Counter(["It is Ada's"]))
    assert sentence == "It returns None: a `return` is missing."
    # an exercise's own sentence has priority; of several, the one that students read
    assert sentence_of("unstable", "softmax", Counter()) == sentences_of("softmax")["unstable"][0] + "."


# ---- unusual classes


def class_of(fate, students=1, lesson="02_split_concat", mistake=None):
    """A class in which all students have the same fate in all exercises."""
    release, course = store.current(lesson), Course()
    results = {name: exercise(name, p, fate, mistake) for name, p in release.exercises.items()}
    submission = GradedSubmission(lesson, release.id, exercises=results)
    course.students |= {f"s{number:03d}" for number in range(students)}
    course.lessons[lesson] += [as_entry(student, lesson, submission) for student in sorted(course.students)]
    return course


@pytest.mark.parametrize(
    ("course", "phrase"),
    [
        (class_of("right"), '<td class="n">100 %</td>'),
        (class_of("wrong", 40), '<td class="n">0 %</td>'),
        (class_of("not_started", 40), "0 of 40"),
        (class_of("mistake", 20, mistake="no_such_mistake"), "No such mistake."),
        (class_of("error", lesson=LESSON, mistake="view_noncontiguous"), ".view</code> cannot read"),
    ],
)
def test_a_report_works_for_one_student_and_for_uniform_classes(course, phrase):
    whole, lessons = report_on(course)
    assert lessons.keys() == course.lessons.keys()
    for report in (whole, *lessons.values()):
        assert phrase in re.sub(r"\s+", " ", page_of(report, list(lessons), False))


@pytest.mark.parametrize(("students", "is_shown"), [(1, False), (2, True)])
def test_an_error_of_only_one_student_is_not_shown(students, is_shown):
    whole, _ = report_on(class_of("error", students))
    assert ("too many values" in page_of(whole, [], False)) is is_shown


# ---- the gradebook and its pages


@pytest.fixture
def graded_class(hand_in, grade):
    """Ada has full marks, and Ben, who handed in a second lesson, half."""
    hand_in("ada")
    hand_in("ben", words="half")
    hand_in("ben", lesson=WRITTEN)
    grade()


def test_graded_pages_are_read_and_points_added_by_hand_are_listed_as_doubts(
    course, graded_class, hand_in, book
):
    hand_in("cho")
    with book() as gradebook:
        gradebook.find_grade("test_softmax", LESSON, LESSON, "ben").manual_score = 2.0
        gradebook.db.commit()
    result = collect(course)
    assert (result.students, result.ungraded) == ({"ada", "ben", "cho"}, {LESSON: ["cho"]})
    _, lessons = report_on(result, with_names=True)
    assert list(lessons) == [LESSON, WRITTEN]
    (mistake,) = lessons[LESSON]["mistakes"]
    assert (mistake["mistake"], mistake["students"]) == ("scale_missing", 1)
    assert ("softmax", 1) in [(item["exercise"], item["students"]) for item in mistake["exercises"]]
    assert [row["sentence"] for row in lessons[WRITTEN]["waiting"]] == ["1 written answer waits."]
    (doubt,) = lessons[LESSON]["doubts"]
    assert (doubt["kind"], doubt["exercise"], doubt["who"]) == ("by_hand", "softmax", ["ben"])


@pytest.mark.parametrize("is_gone", [False, True])
def test_without_a_current_page_the_gradebooks_points_decide(course, graded_class, is_gone):
    before_releases = {"softmax": {"mistake": "unstable", "message": "."}}
    for path in (course / "autograded").glob(f"*/{LESSON}/*.ipynb"):
        page = json.loads(path.read_text())
        page["metadata"]["course"]["grading"]["exercises"] = before_releases
        path.unlink()
        if not is_gone:
            path.write_text(json.dumps(page))
    report = report_on(collect(course))[1][LESSON]
    states = [row["states"] for row in report["exercises"]]
    assert {(item["right"], item["wrong otherwise"]) for item in states} == {(1, 1)}
    assert report["missing"].startswith("Without a record of what became of the exercises: 2.")
    assert (report["handed_in"], report["scores"]["submissions"]) == (2, 2)


def test_excused_work_is_only_in_its_own_count(course, graded_class, hand_in):
    hand_in("cho")
    lines = [f"{student},{LESSON},excused,ill" for student in ("ben", "cho", "nobody_of_this_class")]
    (course / "extensions.csv").write_text("\n".join(["student,lesson,extension,reason", *lines]))
    report = report_on(collect(course))[1][LESSON]
    assert (report["excused"], report["handed_in"], report["not_graded_yet"]) == (2, 1, 0)
    assert (report["mistakes"], report["scores"]["submissions"]) == ([], 1)
    assert "<b>2</b>excused" in page_of(report, [LESSON], False)
    (course / "extensions.csv").write_text("student,lesson\nben,nothing\n")
    with pytest.raises(Refused, match="extensions.csv"):
        run(course)


def test_names_appear_only_with_names_and_in_a_separate_folder(course, graded_class, grade, hand_in):
    hand_in("zoe")
    grade()
    hand_in("yan")
    run(course)
    run(course, with_names=True)
    for folder, has_names in (("report", False), ("report_with_names", True)):
        texts = {path.name: path.read_text() for path in (course / folder).iterdir()}
        assert len(texts) == 3 + 3 * 2, "three tables, and pages and JSON of the course and two lessons"
        for name in ("ben", "yan", "zoe was not in the gradebook"):
            assert any(re.search(rf"\b{name}\b", text) for text in texts.values()) is has_names


def test_a_report_handles_a_missing_or_empty_gradebook_and_ungraded_work(course, hand_in, tmp_path):
    with pytest.raises(Refused, match="grade the class first, with `grade`"):
        run(new_course(tmp_path / "new"))
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["nbgrader_config.py"]
    run(course)
    assert "Nobody has handed anything in." in (course / "report" / "index.html").read_text()
    hand_in("ada", "ben")
    (course / "submitted" / "x.zip").touch()
    run(course)
    report = json.loads((course / "report" / f"{LESSON}.json").read_text())
    assert {report[key] for key in ("handed_in", "not_graded_yet", "students")} == {2}
    assert "No exercise was graded." in (course / "report" / f"{LESSON}.html").read_text()
    assert "Zip files are not opened" in (course / "report" / "index.html").read_text()


# ---- students' texts


UNKNOWN = "was not in the gradebook and was added"
SEVERAL = "There are 2 notebooks and none is called 01.ipynb"


@pytest.mark.parametrize(
    ("message", "shortened"),
    [
        (f"ada {UNKNOWN}: if that is misspelt, rename ada.", f"(name) {UNKNOWN}."),
        (f"{SEVERAL} (my own.ipynb): keep one.", f"{SEVERAL}."),
        ("my file: This is no notebook at all.", "This is no notebook at all."),
        ("ada.ipynb", "A sentence that may hold a student's text."),
    ],
)
def test_sentences_lose_names_and_texts_that_students_chose(message, shortened):
    assert sentence_without(message, ("ada",)) == shortened


RUN = "window.pwned=1"
HOSTILE = (
    f"<script>{RUN}</script>", f"</pre><img src=x onerror={RUN}>", f"</title></desc></svg><svg onload={RUN}>",
    f"`<img src=x onerror={RUN}>`", f'" onfocus="{RUN}" autofocus="', "</style><script>alert(1)</script>",
    "{{ 7*7 }}", "=1+1", "\ud800",
)  # fmt: skip


def hostile_report(with_names=True):
    """The report on a class whose names, errors, sentences and mistakes are attacks."""
    lesson, course = "02_split_concat", Course(left_out=[(attack, attack) for attack in HOSTILE])
    release = store.current(lesson)
    for number, attack in enumerate(HOSTILE * 2):
        status, mistake = ("error", "wrong")[number % 2], (None, "unstable", attack)[number % 3]
        results = {
            name: GradedExercise(name, 0.0, p, False, status, mistake, message=attack, ended=attack)
            for name, p in release.exercises.items()
        }
        submission = GradedSubmission(lesson, release.id, exercises=results, notes=[Note(WAIT, attack)])
        course.students.add(attack)
        entry = as_entry(f"{attack}{number}", lesson, submission, attack, attack)
        entry.waits.append(attack)
        course.lessons[lesson].append(entry)
        course.ungraded[lesson].append(attack)
    return report_on(course, with_names)


@pytest.mark.parametrize("with_names", [True, False])
def test_students_texts_become_neither_html_nor_formulas(with_names, tmp_path):
    write(*hostile_report(with_names), tmp_path, with_names)  # half a character does not stop it
    for path in tmp_path.glob("*.html"):
        page = path.read_text(encoding="utf-8")
        tags = BeautifulSoup(page, "html.parser").find_all()
        assert not {tag.name for tag in tags} & {"script", "img", "iframe", "object", "link", "form", "input"}
        attributes = {name for tag in tags for name in tag.attrs}
        assert not {name for name in attributes if name.startswith("on") or name == "autofocus"}
        assert "default-src 'none'" in page
        assert not re.search(r">\s*49\s*<", page)
        assert page.count("</style>") == 1
        assert not with_names or HOSTILE[0] in unescape(page)
    cells = [cell for path in tmp_path.glob("*.csv") for row in read_csv(path) for cell in row.values()]
    assert cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_tables_for_a_lecture_come_from_the_declared_mistake():
    tables, look_at = tables_of("split_heads", "split_without_transpose")
    assert "<table" in tables
    assert look_at.startswith("Look at the case")
    assert tables_of("split_heads", "no_such_mistake") is None
    assert tables_of("no_such_exercise", "unstable") is None


# ---- in a browser


@pytest.mark.xdist_group("browser")
@pytest.mark.system
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_pages_work_offline_and_by_keyboard_without_messages(chromium, plain_pages, tmp_path, scheme):
    write(*hostile_report(), tmp_path, True)
    window, messages = {"width": 800, "height": 900}, []
    page = chromium.new_page(color_scheme=scheme, viewport=window, offline=True)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or messages.append(request.url))
    for path in [*tmp_path.glob("*.html"), *plain_pages.glob("*.html")]:
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate("window.pwned") is None
    assert messages == []
    page.goto((plain_pages / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    table_height = "document.activeElement.parentElement.querySelector('table').offsetHeight"
    assert page.evaluate(table_height) > 20
    assert page.pdf()[:4] == b"%PDF"
    page.close()


CUT = """[...document.querySelectorAll("figure, pre, .scroll, [data-pair] > div")]
    .filter((part) => part.scrollWidth > document.body.clientWidth).map((part) => part.innerText)"""
WORDS = """[...document.querySelectorAll(".bars span")].map((word) => {
    const size = parseFloat(getComputedStyle(word).fontSize), box = word.getBoundingClientRect()
    return size >= 11 && box.left >= 0 && box.right <= innerWidth + 1 || word.textContent
})"""
TALL = "Math.max(...[...document.querySelectorAll('.scroll > table tr')].map((row) => row.offsetHeight))"


@pytest.mark.xdist_group("browser")
@pytest.mark.system
def test_plots_are_readable_at_any_width_and_nothing_is_cut_off_on_paper(chromium, plain_pages):
    page = chromium.new_page()
    for path in sorted(plain_pages.glob("*.html")):
        page.goto(path.as_uri())
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 690, "height": 900})  # the width of A4 in pixels
        assert page.evaluate(CUT) == [], path
        page.emulate_media(media="screen")
        for width in (420, 700, 1000):
            page.set_viewport_size({"width": width, "height": 900})
            assert set(page.evaluate(WORDS)) == {True}, path
            assert width > 420 or page.evaluate(TALL) < 120, "no row is stretched on a phone"
    page.close()
