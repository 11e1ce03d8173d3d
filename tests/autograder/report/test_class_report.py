"""make report: every count is the truth, what students wrote does no harm, any class works."""

import csv
import io
import json
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from nbgrader.api import Gradebook

from autograder.gradebook.writer import Writer
from autograder.grading.graded import GradedExercise, GradedSubmission
from autograder.refused import Refused
from autograder.releases import store
from autograder.report.class_report import command
from autograder.report.class_report.collect import Course, collect
from autograder.report.class_report.lecture import tables_of
from autograder.report.class_report.pages import page_of
from autograder.report.class_report.published import GENERAL, mistakes_in, sentence_of
from autograder.report.class_report.reports import report_on
from autograder.report.class_report.signs import sentence_without
from autograder.report.class_report.tables import files
from tests.tools.school import (
    LESSON,
    ROOT,
    WRITTEN,
    copy_of,
    graded,
    new_course,
    submit,
    submitted,
)
from tests.tools.simulated_class import LESSONS, as_entry, exercise, simulated

UTILS = ROOT / "course_utils"
FATES = {  # a fate of the simulation: its name in a report
    "right": "right", "mistake": "known mistake", "one_left": "known mistake", "wrong": "wrong otherwise",
    "error": "error or limit", "limit": "error or limit", "not_started": "not started",
}  # fmt: skip


@pytest.fixture(scope="module")
def class_of_300():
    course, truth = simulated(300)
    return course, truth, *report_on(course, with_names=True)


# ---- every count


def test_who_handed_in_started_and_finished(class_of_300):
    _, truth, _, lessons = class_of_300
    for lesson in LESSONS:
        report, passed = lessons[lesson], truth.passed[lesson]
        assert report["students"] == 300
        assert report["handed_in"] == 300 - truth.absent[lesson]
        assert report["rejected"] == truth.rejected[lesson] > 0
        assert (
            report["finished"]
            == sum(all(right for right, _ in item.values()) for item in passed.values())
            > 0
        )
        assert report["started"] == truth.started[lesson] < len(passed)


def test_what_became_of_each_exercise(class_of_300):
    _, truth, _, lessons = class_of_300
    for lesson in LESSONS:
        rows = lessons[lesson]["exercises"]
        assert [row["exercise"] for row in rows] == list(store.current(lesson).exercises)
        for row in rows:
            fates = truth.states[lesson, row["exercise"]]
            wanted = Counter()
            for fate, count in fates.items():
                wanted[FATES[fate]] += count
            assert row["states"] == {state: wanted[state] for state in row["states"]}
            assert row["graded"] == sum(fates.values())
            assert row["started"] == row["graded"] - fates["not_started"]
            assert row["one_left"] == fates["one_left"] > 0
            assert row["share_right"] == pytest.approx(fates["right"] / row["graded"], abs=1e-4)
            assert row["points"]["all"] == fates["right"]
            assert row["points"]["nearly all"] == fates["one_left"]
            assert sum(row["points"].values()) == row["graded"]


def test_each_mistake_is_counted_by_student_and_by_exercise(class_of_300):
    _, truth, whole, lessons = class_of_300
    assert {item["mistake"] for item in whole["mistakes"]} == set(truth.mistakes)
    for item in whole["mistakes"]:
        new = truth.mistakes[item["mistake"]]
        assert item["students"] == len(new)
        assert item["who"] == sorted(new)
        assert item["came_back"] == sum(count > 1 for count in new.values())
        where = {(item["mistake"], w["lesson"], w["exercise"]): w["students"] for w in item["exercises"]}
        assert where == {key: n for key, n in truth.where.items() if key[0] == item["mistake"]}
    counts = [item["students"] for item in whole["mistakes"]]
    assert counts == sorted(counts, reverse=True)
    of_lessons = Counter()
    for report in lessons.values():
        for item in report["mistakes"]:
            for where in item["exercises"]:
                of_lessons[item["mistake"], where["lesson"], where["exercise"]] += where["students"]
    assert of_lessons == truth.where


def test_wrong_without_a_name_flags_and_doubts(class_of_300):
    course, truth, whole, _ = class_of_300
    unnamed = {(row["lesson"], row["exercise"]): row["students"] for row in whole["unnamed"]}
    assert unnamed == {
        key: fates["wrong"] + fates["error"] + fates["limit"] for key, fates in truth.states.items()
    }
    flags = {row["kind"]: row["who"] for row in whole["flags"]}
    assert flags["ready_made"] == sorted(truth.ready_made)
    assert flags["limit"] == sorted(truth.at_limit)
    assert len({e.student for part in course.lessons.values() for e in part if e.rejected}) == len(
        flags["rejected"]
    )
    left = {
        (row["lesson"], row["exercise"]): row["students"]
        for row in whole["doubts"]
        if row["kind"] == "one_left"
    }
    assert left == {key: fates["one_left"] for key, fates in truth.states.items()}


def test_strong_students_who_fail_without_a_named_mistake_are_found(class_of_300):
    _, truth, _, lessons = class_of_300
    for lesson in LESSONS:
        points, result = store.current(lesson).exercises, {}
        for entry in class_of_300[0].lessons[lesson]:
            for name, item in entry.tries.items():
                rest = sum(truth.passed[lesson][entry.student][other][1] for other in points if other != name)
                strong = rest >= 0.8 * (sum(points.values()) - points[name])
                if strong and item.message in (
                    "Entry 0 is 1.0 instead of 2.0.",
                    "ValueError: too many values",
                ):
                    result.setdefault(name, []).append(entry.student)
        who = {row["exercise"]: row["who"] for row in lessons[lesson]["doubts"] if row["kind"] == "strong"}
        assert who == result
        assert result


def test_scores_are_numpys_too(class_of_300):
    _, truth, _, lessons = class_of_300
    for lesson in LESSONS:
        totals = np.array([sum(p for _, p in item.values()) for item in truth.passed[lesson].values()])
        scores, full = lessons[lesson]["scores"], sum(store.current(lesson).exercises.values())
        assert scores["submissions"] == len(totals)
        assert scores["mean"] == pytest.approx(totals.mean(), abs=1e-3)
        assert scores["median"] == pytest.approx(np.median(totals), abs=1e-3)
        shares = np.minimum(np.round(totals / full, 9), 1)
        assert (
            scores["tenths"]
            == np.histogram(shares, bins=np.arange(11) / 10 + 1e-10 * (np.arange(11) < 10) * -1)[0].tolist()
        )


def test_where_releases_have_other_full_marks_both_are_said():
    course, _ = simulated(5)
    for entry in course.lessons[LESSON]:
        entry.rejected, entry.score, entry.max_score = False, 15.0, 15.0
    same = report_on(course)[1][LESSON]
    assert "median of 15 points" in page_of(same, [LESSON], False)
    course.lessons[LESSON][0].max_score = 17.0
    report = report_on(course)[1][LESSON]
    assert "median of 15 to 17 points" in page_of(report, [LESSON], False)
    assert sum(report["scores"]["tenths"][:9]) == 1, "15 of 17; 15 of 15 are full marks"


def test_the_csv_and_the_json_say_the_same(class_of_300, tmp_path):
    course, _, whole, _ = class_of_300
    rows = list(csv.DictReader(io.StringIO(files(whole)["exercises.csv"])))
    assert [(row["exercise"], int(row["right"]), int(row["known mistake"])) for row in rows] == [
        (item["exercise"], item["states"]["right"], item["states"]["known mistake"])
        for item in whole["exercises"]
    ]
    rows = list(csv.DictReader(io.StringIO(files(whole)["mistakes.csv"])))
    assert sum(int(row["students_there"]) for row in rows) == sum(class_of_300[1].where.values())
    command.write(*report_on(course), tmp_path, False)
    assert (
        json.loads((tmp_path / "course.json").read_text())["mistakes"][0]["students"]
        == whole["mistakes"][0]["students"]
    )


class Tables(HTMLParser):
    """The cells of the tables behind the plots."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.inside, self.cell = [], 0, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.inside += tag == "details"
        if tag == "table" and self.inside:
            self.tables.append([])
        elif tag == "tr" and self.inside and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.inside and self.tables:
            self.tables[-1][-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        self.inside -= tag == "details"
        self.cell = self.cell and tag not in ("td", "th")

    def handle_data(self, data):
        if self.cell:
            self.tables[-1][-1][-1] += data.strip()


def test_each_plot_has_a_description_and_a_table_of_its_numbers(class_of_300):
    report = class_of_300[3]["02_split_concat"]
    page = page_of(report, list(LESSONS), False)
    assert len(re.findall(r'class="bars" role="img" aria-label="[^"]+"', page)) == page.count("<figure>") == 4
    states = next(table for table in Tables(page).tables if table[0][:2] == ["exercise", "right"])
    assert states[1:] == [[row["exercise"], *map(str, row["states"].values())] for row in report["exercises"]]


OF_ALL_EXERCISES = (
    r'Problem\([^\n]*, "([a-z_]+)"\)', r'Finding\([^\n]*, "([a-z_]+)"', r'Tell\(\s*"([a-z_]+)"',
    r'(?:yield|return) \(?\s*"([a-z_]+)",\s',
)  # fmt: skip


def test_every_mistake_that_all_exercises_share_has_a_sentence():
    texts = [
        path.read_text()
        for name in ("diagnose", "compare", "observe")
        for path in (UTILS / name).glob("*.py")
    ]
    named = {name for text in texts for way in OF_ALL_EXERCISES for name in re.findall(way, text)} - {
        "not_started"
    }
    assert len(named) > 40
    assert named <= GENERAL.keys()
    assert (
        sentence_of("returns_none", "softmax", {"It is Ada's": 9})
        == "It returns None: a `return` is missing."
    )
    # an exercise's own sentence goes first, and of several the one that students read
    own = mistakes_in("softmax")["unstable"][0]
    assert sentence_of("unstable", "softmax", {}) == own + "."


# ---- odd classes


def of_one(fate, students=1, lesson="02_split_concat", mistake=None):
    release, course = store.current(lesson), Course()
    for number in range(students):
        done = {name: exercise(name, p, fate, mistake) for name, p in release.exercises.items()}
        course.students.add(f"s{number:03d}")
        entry = as_entry(f"s{number:03d}", lesson, GradedSubmission(lesson, release.id, exercises=done))
        course.lessons.setdefault(lesson, []).append(entry)
    return course


def test_an_empty_class_has_a_page():
    whole, lessons = report_on(Course())
    assert lessons == {}
    assert "Nobody has handed anything in." in page_of(whole, [], False)


@pytest.mark.parametrize(
    ("course", "says"),
    [
        (of_one("right"), "All have it right."),
        (of_one("wrong", 40), "Nobody has it right."),
        (of_one("not_started", 40), "0 of 40"),
        (of_one("mistake", 20, mistake="no_such_mistake"), "No such mistake."),
    ],
)
def test_one_student_nobody_right_everybody_right_nobody_started(course, says):
    whole, lessons = report_on(course)
    for report in (whole, *lessons.values()):
        assert says in re.sub(r"\s+", " ", page_of(report, list(lessons), False))


def test_a_class_with_ungraded_work_alone():
    course = Course(
        {"ada"}, {LESSON: []}, {LESSON: ["ada", "ben"]}, [("x.zip", "A zip file is not looked into.")]
    )
    whole, lessons = report_on(course)
    assert lessons[LESSON]["handed_in"] == lessons[LESSON]["not_graded_yet"] == 2
    assert lessons[LESSON]["students"] == whole["students"] == 2
    assert "No exercise was graded." in page_of(lessons[LESSON], [LESSON], False)
    assert [row["students"] for row in whole["waiting"]] == [2, 1]
    assert "zip" in page_of(whole, [LESSON], False)


# ---- the gradebook, and what lies beside it


@pytest.fixture
def course(nobody, tmp_path):
    course = copy_of(nobody, tmp_path / "course")
    with Writer(course) as writer:
        for student, lesson, share in (("ada", LESSON, 1.0), ("ben", LESSON, 0.0), ("ben", WRITTEN, 0.0)):
            submit(course, student, lesson)
            texts = {
                "what_may_one_conclude": "Nothing.",
                "softmax": f"def softmax(x, dim=-1):\n    # {student}\n    return x\n",
            }
            writer.write(submitted(course, student, lesson), graded(lesson, share, texts))
    return course


def test_the_pages_beside_the_gradebook_are_read(course):
    submit(course, "cho")
    result = collect(course)
    assert result.students == {"ada", "ben", "cho"}
    assert result.ungraded == {LESSON: ["cho"]}
    _, lessons = report_on(result)
    assert list(lessons) == [LESSON, WRITTEN]
    (mistake,) = lessons[LESSON]["mistakes"]
    assert (mistake["mistake"], mistake["students"]) == ("scale_missing", 1)
    assert {"softmax": 1}.items() <= {
        item["exercise"]: item["students"] for item in mistake["exercises"]
    }.items()
    assert [row["sentence"] for row in lessons[WRITTEN]["waiting"]] == ["1 written answer waits."]


def change_page(course, student, change):
    path = course / "autograded" / student / LESSON / f"{LESSON}.ipynb"
    page = json.loads(path.read_text())
    change(page["metadata"]["course"]["grading"])
    path.chmod(0o644)
    path.write_text(json.dumps(page))
    return path


def test_a_gradebook_of_an_earlier_version_still_gives_a_report_that_says_what_is_missing(course):
    for student in ("ada", "ben"):
        change_page(course, student, lambda memory: memory.pop("exercises"))
    _, lessons = report_on(collect(course))
    report = lessons[LESSON]
    assert [row["states"]["right"] for row in report["exercises"]] == [1] * len(report["exercises"])
    assert [item["mistake"] for item in report["mistakes"]] == ["scale_missing"]
    assert report["missing"][0].startswith("Graded by an earlier version of the course: 2.")


def test_before_releases_mistakes_alone_were_kept(course):
    def older(memory):
        saved = {
            "softmax": {"mistake": "unstable", "message": "."},
            "create_causal_mask": {"mistake": None, "message": ""},
        }
        del memory["happened"]
        memory["exercises"] = saved

    change_page(course, "ben", older)
    change_page(course, "ada", lambda memory: None)
    report = report_on(collect(course))[1][LESSON]
    states = {row["exercise"]: row["states"] for row in report["exercises"]}
    assert states["softmax"]["known mistake"] == 1
    assert states["create_causal_mask"]["wrong otherwise"] == 1
    assert report["missing"][0].startswith("Graded by an earlier version of the course: 1.")


def test_points_that_a_person_added_and_exercises_that_the_weak_have_right_are_doubted(course):
    with Gradebook(f"sqlite:///{course}/gradebook.db", "attention") as book:
        grade = book.find_grade("test_softmax", LESSON, LESSON, "ben")
        grade.manual_score = 2.0
        book.db.commit()
    doubts = report_on(collect(course), with_names=True)[1][LESSON]["doubts"]
    assert [(row["kind"], row["exercise"], row["who"]) for row in doubts] == [("by_hand", "softmax", ["ben"])]
    odd = of_one("right", 40, LESSON)
    for number, entry in enumerate(odd.lessons[LESSON]):
        for name, item in entry.tries.items():
            if (number < 20) != (name == "softmax"):
                item.state, item.points = "wrong otherwise", 0.0
    doubts = report_on(odd)[1][LESSON]["doubts"]
    message = {row["kind"]: row["sentence"] for row in doubts if row["exercise"] == "softmax"}
    assert message["strong"].startswith("20 students")


def test_a_submission_whose_page_is_gone_counts_as_handed_in(course):
    change_page(course, "ben", lambda memory: None).unlink()
    report = report_on(collect(course))[1][LESSON]
    assert (report["handed_in"], report["scores"]["submissions"]) == (2, 2)
    assert {row["graded"] for row in report["exercises"]} == {1}
    assert "Without a page in autograded/ that can be read: 1." in report["missing"][0]


def test_excused_work_is_in_no_count_but_its_own(course):
    submit(course, "cho")
    lines = [f"{student},{LESSON},excused,ill" for student in ("ben", "cho", "nobody_of_this_class")]
    (course / "extensions.csv").write_text("\n".join(["student,lesson,extension,reason", *lines]))
    report = report_on(collect(course))[1][LESSON]
    assert (report["excused"], report["handed_in"], report["not_graded_yet"]) == (2, 1, 0)
    assert (report["mistakes"], report["scores"]["submissions"]) == ([], 1)
    assert "<b>2</b>excused" in page_of(report, [LESSON], False)
    (course / "extensions.csv").write_text("student,lesson\nben,nothing\n")
    with pytest.raises(Refused, match="extensions.csv"):
        command.run(course)


def test_names_only_with_names_and_in_a_folder_of_their_own(course):
    submit(course, "zoe")
    command.run(course)
    command.run(course, with_names=True)
    for folder, named in (("report", False), ("report_with_names", True)):
        texts = {path.name: path.read_text() for path in (course / folder).iterdir()}
        assert set(texts) == {
            "index.html", "course.json", "exercises.csv", "mistakes.csv", "to_look_at.csv",
            f"{LESSON}.html", f"{LESSON}.json", f"{WRITTEN}.html", f"{WRITTEN}.json",
        }  # fmt: skip
        for name in ("ben", "zoe"):
            assert any(re.search(rf"\b{name}\b", text) for text in texts.values()) is named


def test_without_a_gradebook_a_sentence_says_what_to_do(tmp_path):
    with pytest.raises(Refused, match="grade the class first, with `make grade`"):
        command.run(new_course(tmp_path))
    assert not (tmp_path / "gradebook.db").exists()
    assert not (tmp_path / "report").exists()


def test_a_gradebook_with_nobody_gives_an_empty_page(nobody, tmp_path):
    empty = copy_of(nobody, tmp_path / "empty")
    command.run(empty)
    assert "Nobody has handed anything in." in (empty / "report" / "index.html").read_text()


# ---- what students wrote


def test_sentences_lose_names_and_what_students_chose():
    message = "ada was not in the gradebook and was added: if that is misspelt, rename ada."
    assert sentence_without(message, ("ada",)) == "(name) was not in the gradebook and was added."
    others = "There are 2 notebooks and none is called 01.ipynb (my own.ipynb): keep one."
    assert sentence_without(others, ()) == "There are 2 notebooks and none is called 01.ipynb."
    assert sentence_without("my file: This is no notebook at all.", ()) == "This is no notebook at all."
    assert sentence_without("ada.ipynb", ("ada",)) == "A sentence that may hold a student's text."


def test_no_file_of_a_class_says_who_anybody_is(class_of_300, tmp_path):
    course = class_of_300[0]
    whole, lessons = report_on(course)
    command.write(whole, lessons, tmp_path, False)
    for path in tmp_path.iterdir():
        text = path.read_text()
        assert "wrote this" not in text, path
        assert not re.search(r"student\d\d\d", text), path
    assert "This is no notebook." in (tmp_path / "index.html").read_text()


def test_an_error_whose_cause_is_known_counts_as_that_mistake():
    release = store.current(LESSON)
    done = {name: exercise(name, p, "error", "view_noncontiguous") for name, p in release.exercises.items()}
    entry = as_entry("ada", LESSON, GradedSubmission(LESSON, release.id, exercises=done))
    report = report_on(Course({"ada"}, {LESSON: [entry]}))[1][LESSON]
    assert {row["states"]["known mistake"] for row in report["exercises"]} == {1}
    assert report["mistakes"][0]["sentence"].startswith("`.view` cannot read")


RUN = "window.pwned=1"
HOSTILE = (
    f"<script>{RUN}</script>", f"</pre><img src=x onerror={RUN}>", f"</title></desc></svg><svg onload={RUN}>",
    f"`<img src=x onerror={RUN}>`", f'" onfocus="{RUN}" autofocus="', "</style><script>alert(1)</script>",
    "{{ 7*7 }}", "=1+1", "\ud800",
)  # fmt: skip


def hostile(with_names=True):
    """Names, errors, sentences, names of mistakes, identifiers and code that are attacks."""
    lesson, course = "02_split_concat", Course()
    release = store.current(lesson)
    for number, attack in enumerate(HOSTILE * 2):
        done = {
            name: GradedExercise(
                name, 0.0, p, False, ("error", "wrong")[number % 2], (None, "unstable", attack)[number % 3],
                message=attack, ended=attack,
            )
            for name, p in release.exercises.items()
        }  # fmt: skip
        texts = dict.fromkeys(
            release.exercises, f"def f(x):\n    return x < 1 or '''{attack}''' or x.scripté\n"
        )
        graded = GradedSubmission(
            lesson,
            release.id,
            exercises=done,
            notes=[attack],
            waits=[attack],
            status="needs_review",
            texts=texts,
        )
        course.students.add(attack)
        course.lessons.setdefault(lesson, []).append(
            as_entry(f"{attack}{number}", lesson, graded, attack, attack)
        )
        course.lessons[lesson][-1].open_points = [attack]
        course.ungraded.setdefault(lesson, []).append(attack)
        course.left_out.append((attack, attack))
    return report_on(course, with_names)


class Elements(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.found, self.attributes = set(), set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        self.attributes |= {name for name, _ in attributes}


@pytest.mark.parametrize("with_names", [True, False])
def test_nothing_that_students_wrote_is_html(with_names):
    whole, lessons = hostile(with_names)
    for report in (whole, *lessons.values()):
        page = page_of(report, list(lessons), with_names)
        seen = Elements(page)
        assert not seen.found & {"script", "img", "iframe", "object", "link", "form", "input"}
        assert not {name for name in seen.attributes if name.startswith("on") or name == "autofocus"}
        assert "default-src 'none'" in page
        assert "49" not in re.findall(r">\s*49\s*<", page)
        assert page.count("</style>") == 1
    if with_names:
        assert HOSTILE[0] in unescape(page)


def test_a_spreadsheet_takes_no_name_for_a_formula(tmp_path):
    whole, lessons = hostile()
    for text in files(whole).values():
        assert not any(
            cell.startswith(("=", "+", "@")) for row in csv.reader(io.StringIO(text)) for cell in row
        )
    command.write(whole, lessons, tmp_path, True)  # a half of a character does not stop it
    assert json.loads((tmp_path / "course.json").read_text())


def test_the_tables_of_a_lecture_are_made_by_the_courses_own_mistake():
    tables, look_at = tables_of("split_heads", "split_without_transpose")
    assert "<table" in tables
    assert look_at.startswith("Look at the case")
    assert tables_of("split_heads", "no_such_mistake") is None
    assert tables_of("no_such_exercise", "unstable") is None


# ---- in a browser


@pytest.mark.xdist_group("browser")
@pytest.mark.system
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_open_offline_without_a_message_and_work_by_keyboard(
    chromium, class_of_300, tmp_path, scheme
):
    command.write(*report_on(class_of_300[0]), tmp_path / "plain", False)
    command.write(*hostile(), tmp_path / "hostile", True)
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 800, "height": 900}, offline=True)
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or messages.append(request.url))
    for path in sorted(tmp_path.glob("*/*.html")):
        page.goto(path.as_uri())
        wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= window, path
        assert page.evaluate("window.pwned") is None
    assert messages == []
    page.goto((tmp_path / "plain" / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.tagName") != "SUMMARY":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
    assert page.evaluate("document.activeElement.parentElement.querySelector('table').offsetHeight") > 20
    assert page.pdf()[:4] == b"%PDF"
    context.close()


@pytest.mark.xdist_group("browser")
@pytest.mark.system
def test_nothing_is_cut_off_on_paper_and_no_row_is_stretched_on_a_phone(chromium, class_of_300, tmp_path):
    command.write(*report_on(class_of_300[0]), tmp_path, False)
    page = chromium.new_page(viewport={"width": 690, "height": 900})  # of A4, in pixels
    page.emulate_media(media="print")
    for path in sorted(tmp_path.glob("*.html")):
        page.goto(path.as_uri())
        cut = """[...document.querySelectorAll("figure, pre, .scroll, [data-pair] > div")]
            .filter((part) => part.scrollWidth > document.body.clientWidth).map((part) => part.innerText)"""
        assert page.evaluate(cut) == [], path
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto((tmp_path / "index.html").as_uri())
    tall = "Math.max(...[...document.querySelectorAll('.scroll > table tr')].map((row) => row.offsetHeight))"
    assert page.evaluate(tall) < 120
    page.close()


@pytest.mark.xdist_group("browser")
@pytest.mark.system
@pytest.mark.parametrize("width", [420, 700, 1000])
def test_words_in_plots_can_be_read_and_lie_inside_them(chromium, class_of_300, tmp_path, width):
    command.write(*report_on(class_of_300[0]), tmp_path, False)
    page = chromium.new_page(viewport={"width": width, "height": 900})
    cut = """[...document.querySelectorAll(".bars span")].map((word) => {
        const size = parseFloat(getComputedStyle(word).fontSize), box = word.getBoundingClientRect()
        return [word.textContent, size, box.left >= 0 && box.right <= innerWidth + 1]
    })"""
    for path in sorted(tmp_path.glob("*.html")):
        page.goto(path.as_uri())
        words = page.evaluate(cut)
        assert words
        assert [word for word in words if word[1] < 11 or not word[2]] == [], path
    page.close()
