"""An instructor's afternoon in one command: scores, recognised mistakes, a page and a row for each student."""

import csv
import html
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.exercises import load
from autograder.report.feedback import as_page, page_names, write_feedback
from autograder.report.labels import labels
from autograder.report.spreadsheet import write_csv
from autograder.setup import demo

ROOT = Path(__file__).resolve().parents[3]
NAMED = {
    "ben": "multi_head_attention: scale_d_model",
    "cho": "split_heads: split_without_transpose",
    "dara": "merge_heads: merge_without_transpose",
    "eli": "scaled_dot_product_attention: mask_inverted",
    "fay": "scaled_dot_product_attention: softmax_over_queries",
}


@pytest.fixture(scope="module")
def afternoon(tmp_path_factory):
    """(folder, what the command said, {student: row of grades.csv})."""
    folder = tmp_path_factory.mktemp("an afternoon") / "demo"
    command = [sys.executable, "-m", "autograder", "demo", folder]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={"COLUMNS": "200", "PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 0, done.stderr
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    return folder, done.stdout, rows


def test_every_submission_gets_its_score(afternoon):
    _, said, rows = afternoon
    full = sum(load(name).points for name in demo_exercises(rows))
    scores = {name: row["score"] and float(row["score"]) for name, row in rows.items()}
    lost = {name: load(exercise).points for name, (exercise, _) in demo.MISTAKES.items()}
    assert scores == {
        "ada": full,
        **{n: full - points for n, points in lost.items()},
        "gus": 0.0,
        "hana": full,
        "ivo": "",
    }
    assert rows["ivo"]["status"] == "rejected"
    for name, score in scores.items():
        assert re.search(rf"^{name} +.*{f'{score:g} of {full:g}' if score != '' else 'rejected'}", said, re.M)


def demo_exercises(rows):
    columns = list(rows["ada"])
    return columns[columns.index("max_score") + 1 : columns.index("mistakes")]


def test_the_typical_mistakes_are_recognised(afternoon):
    _, said, rows = afternoon
    assert {name: row["mistakes"] for name, row in rows.items() if row["mistakes"]} == NAMED
    assert all(mistake in said for mistake in NAMED.values())


def test_every_student_gets_a_page_that_says_the_mistake(afternoon):
    folder, _, rows = afternoon
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "feedback").iterdir()}
    assert set(pages) == set(rows)
    for name, mistake in NAMED.items():
        exercise, known = mistake.split(": ")
        sentence = next(m[1] for m in load(exercise).mistakes if m[0] == known)
        assert plain(sentence)[:60] in plain(pages[name]).lower()
        assert re.search(r"yours: .*wanted: ", pages[name]), "yours beside the target"
    assert "could not be graded" in pages["ivo"]
    assert "not valid JSON" in pages["ivo"]
    assert pages["gus"].count("It still raises NotImplementedError") == len(demo_exercises(rows))


def plain(text):
    """What a reader reads."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).replace("`", "").split()).lower()


def test_it_says_where_everything_lies(afternoon):
    folder, said, _ = afternoon
    for name in ("submitted", "feedback", "grades.csv"):
        assert (folder / name).exists()
        assert str(folder / name) in said


def entry(**changes):
    told = {
        "points": 1.4,
        "max_points": 2.0,
        "passed": False,
        "mistake": "m",
        "message": "Use `.reshape`, not `<b>`.",
    }
    return {"submission": "a/b.ipynb", "lesson": "01_masks", "status": "graded", "score": 1.4, "max_score": 2.0,
            "exercises": {"softmax": told}, "notes": ["softmax: Builds on x.", "Something else."], **changes}  # fmt: skip


def test_a_page_shows_points_sentence_and_notes_each_once():
    page = as_page(entry(), {})
    assert "1.4 of 2" in page
    assert "width: 70%" in page
    assert re.search(r"Use <code[^>]*>\.reshape</code>, not <code[^>]*>&lt;b&gt;</code>\.", page)
    assert page.count("Builds on x.") == page.count("Something else.") == 1
    assert 'hint("softmax")' in html.unescape(page)


@pytest.mark.parametrize(
    "evil",
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "`<svg onload=alert(1)>`"],
)
def test_nothing_of_a_submission_becomes_html(evil):
    told = {"points": 0.0, "max_points": 2.0, "passed": False, "mistake": evil, "message": evil}
    page = as_page(
        entry(submission=evil, lesson=evil, exercises={evil: told}, notes=[evil, f"{evil}: {evil}"]), {}
    )
    assert not re.search(r"<(script|img|svg)", page)
    assert "49" not in page
    assert plain(evil) in plain(page)


def test_pages_stay_in_their_folder_and_apart(tmp_path):
    names = [
        "s/../../x.ipynb",
        "s/a/l.ipynb",
        "s/b/l.ipynb",
        "s/b/l.ipynb",
        "/etc/passwd",
        "s/a/l.html/l.ipynb",
        "s/a/" + "\ufffd" * 240 + ".ipynb",
        "s/..ipynb",
    ]
    names += [f"s/c/{'n' * 230}{n}.ipynb" for n in range(70)]  # all that fits is the same
    assert len(set(page_names(names))) == len(names)
    pages = write_feedback([(entry(submission=name), {}) for name in names], tmp_path / "feedback")
    assert all((tmp_path / "feedback") in page.resolve().parents for page in pages)
    assert len([page for page in (tmp_path / "feedback").rglob("*.html") if page.is_file()]) == len(names)


def test_a_page_of_before_is_no_folder_of_now(tmp_path):
    write_feedback([(entry(submission=name), {}) for name in ("s/zoe/l.ipynb", "s/ada/l.ipynb")], tmp_path)
    names = ["s/zoe/l.html/l.ipynb", "s/zoe/L.HTML/l.ipynb", "s/zz/l.ipynb"]
    pages = write_feedback([(entry(submission=f"{tmp_path}/{name}"), {}) for name in names], tmp_path)
    assert "· zoe/l.html/l.ipynb" in pages[0].read_text(encoding="utf-8"), "and not where it lay"
    assert pages == [tmp_path / "zoe/l.html_/l.html", tmp_path / "zoe/L.HTML_/l.html", tmp_path / "zz/l.html"]


def test_a_path_too_long_for_a_page_gets_one_further_up(tmp_path):
    deep = "/".join(["s/zoe", *["b" * 200] * 19])
    pages = write_feedback(
        [(entry(submission=name), {}) for name in (f"{deep}/l.ipynb", f"{deep}/b/l.ipynb", "s/zz/l.ipynb")],
        tmp_path,
    )
    above = tmp_path / "/".join(["zoe", *["b" * 200] * 4])
    assert pages == [above / "l.html", above / "l_1.html", tmp_path / "zz" / "l.html"]


def test_a_page_that_cannot_be_written_is_named_and_the_others_are_there(tmp_path):
    (tmp_path / "bob" / "l.html").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as error:
        write_feedback(
            [(entry(submission=f"s/{name}/l.ipynb"), {}) for name in ("ada", "bob", "zoe")], tmp_path
        )
    assert error.value.filename == str(tmp_path / "bob" / "l.html")
    assert [path.parent.name for path in sorted(tmp_path.rglob("l.html")) if path.is_file()] == ["ada", "zoe"]


def test_a_folder_of_one_gets_a_page_with_its_name(tmp_path):
    (page,) = write_feedback([(entry(submission="work/01_masks/01_masks.ipynb"), {})], tmp_path)
    assert page == tmp_path / "01_masks.html"


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t"])
def test_a_spreadsheet_takes_no_name_for_a_formula(tmp_path, begin):
    write_csv([entry(submission=f"{begin}SUM(A1)", notes=[f"{begin}1"])], tmp_path / "new" / "grades.csv")
    with (tmp_path / "new" / "grades.csv").open(encoding="utf-8", newline="") as file:
        header, row = csv.reader(file)
    assert row[0] == f"'{begin}SUM(A1)"
    assert row[-1] == f"'{begin}1"
    assert dict(zip(header, row, strict=True))["softmax"] == "1.4"


@pytest.mark.parametrize("separator", [";", "; ", "\t", "|", "\n", "\r\n"])
def test_nor_a_part_of_a_note_where_something_else_separates_columns(tmp_path, separator):
    write_csv([entry(notes=[f"It said: 1{separator}=1+1; (2, -1)"])], tmp_path / "grades.csv")
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1][-1] == f"It said: 1{separator}'=1+1; (2, -1)"


def test_a_lesson_that_changed_is_found_before_the_demonstration_is_wrong(monkeypatch, tmp_path):
    monkeypatch.setitem(demo.MISTAKES, "ben", ("split_heads", [("words that no answer holds", "")]))
    with pytest.raises(ValueError, match="split_heads no longer says"):
        demo.hand_in(tmp_path)


def test_a_table_tells_submissions_apart_in_few_words():
    many = [
        "in/ada/01_masks/01_masks.ipynb",
        "in/ada/02_split_concat/mine.ipynb",
        "in/ben/01_masks/01_masks.ipynb",
    ]
    assert labels(many) == ["ada/01_masks", "ada/02_split_concat/mine.ipynb", "ben/01_masks"]
    assert labels(["in/ada/01_masks/01_masks.ipynb"]) == ["in/ada/01_masks/01_masks.ipynb"]
    assert labels([]) == []


@pytest.mark.parametrize("option", ["--json", "--csv", "--feedback"])
def test_a_place_that_cannot_be_written_is_said_before_the_work(option, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "empty.ipynb").touch()
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        tmp_path / "empty.ipynb",
        "--no-sandbox",
        option,
        tmp_path / "file" / "out",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == ""
    warning, said = done.stderr.splitlines()
    assert warning.startswith("WITHOUT the sandbox")
    assert re.fullmatch(
        r".*file.*: .*\. Look at the path, who may write there, and the space on the disk\.", said
    )
