"""One class has one set of cases: after a change nothing of the lesson is graded until all of it is graded
again; and a release that lacks exercises counts only if the instructor accepts it."""

import json
import re

import pytest

from autograder.exchange import export
from autograder.gradebook.class_table import status, waiting_for_a_person
from autograder.gradebook.standing import outcomes_now
from autograder.gradebook.writer import FILES_GONE
from autograder.notes import texts_of
from autograder.publish import rules
from autograder.refused import NotAgreed, Refused
from autograder.releases import store
from autograder.releases.store import version
from tests.autograder.publish.test_build import edit
from tests.tools.points import full_marks
from tests.tools.school import LESSON

TODAY, FEWER = "07_today", "63e0b2635411"  # a kept release from before merge_partials


@pytest.fixture
def changed(monkeypatch):
    """changed(name) gives this exercise other cases, as far as the fingerprints tell."""
    real = store.measures

    def change(*names):
        other = lambda *place: {n: m + "x" * (n in names) for n, m in real(*place).items()}  # noqa: E731
        monkeypatch.setattr(store, "measures", other)

    return change


def accept(course, release):
    (course / "releases.csv").write_text(f"lesson,release\n{TODAY},{release}\n")


def agree(*changes):
    return True


def pages(course):
    return {path: path.read_bytes() for path in sorted((course / "autograded").rglob("*.ipynb"))}


def test_after_a_change_of_cases_nothing_is_graded_until_the_whole_lesson_is_graded_again(
    course, hand_in, grade, ran, changed
):
    hand_in("ada", words="half")
    grade()
    changed("softmax", "create_causal_mask")
    hand_in("ben")
    for choices in (
        {},
        {"students": ["ben"]},
        {"students": ["ada", "ben"], "regrade": True},
        {"regrade": True},
    ):
        outcomes = grade(**choices)
        assert outcomes["ben"].state == "left", choices
        (reason,) = texts_of(outcomes["ben"].notes)
        assert "has changed (create_causal_mask, softmax) since" in reason
        assert f"(version {version()}, seed " in reason
    assert ran == ["ada"]
    before, asked = pages(course), []
    with pytest.raises(NotAgreed):
        grade(regrade=True, consent=lambda *changes: asked.append(changes))
    assert pages(course) == before
    assert {o.student: o.state for o in outcomes_now(course)} == {"ada": "unchanged", "ben": "left"}
    ((rows,),) = asked
    assert [(row[0], row[-1]) for row in rows] == [("ben", f"- -> {full_marks():g} of {full_marks():g}")]
    assert {o.state for o in grade(regrade=True, consent=agree).values()} == {"new"}
    assert {o.state for o in grade().values()} == {"unchanged"}
    hand_in("cho")
    assert grade()["cho"].state == "new"


def test_the_table_before_a_regrade_shows_old_and_new_scores(hand_in, grade, monkeypatch):
    hand_in("ada", "ben")
    grade()
    hand_in("ada", words="half")
    asked = []
    with pytest.raises(NotAgreed):
        grade(regrade=True, consent=lambda *changes: asked.append(changes))
    full = full_marks()
    assert [(row[0], row[-1]) for row in asked[0][0]] == [
        ("ada", f"{full:g} of {full:g} -> {full / 2:g} of {full:g}")
    ]


def test_a_lesson_is_graded_again_for_everybody_or_nobody(course, hand_in, grade, changed):
    hand_in("ada", "ben")
    grade()
    (course / "submitted" / "ada" / LESSON).rename(course / "away")
    changed("softmax")
    outcomes = grade(regrade=True, consent=agree)
    assert texts_of(outcomes["ben"].notes) == [FILES_GONE.format(LESSON, "ada")]
    assert outcomes["ada"].score.final == outcomes["ben"].score.final == full_marks(), "nothing is changed"
    (course / "away").rename(course / "submitted" / "ada" / LESSON)
    assert {outcome.state for outcome in grade(regrade=True, consent=agree).values()} == {"new"}


def test_a_gradebook_from_before_the_fingerprints_is_asked_about_as_well(course, hand_in, grade):
    hand_in("ada")
    grade()
    (page,) = pages(course)
    content = json.loads(page.read_text())
    for key in ("measured_by", "version", "release_question"):
        del content["metadata"]["course"]["grading"][key]
    page.chmod(0o644)
    page.write_text(json.dumps(content))
    hand_in("ben")
    outcomes = grade()
    assert outcomes["ada"].state == "unchanged"
    assert re.search(
        r"\(.*softmax.*\).*\(version of before 2026-11-28, seed \d+\)", outcomes["ben"].notes[0].text
    )
    assert {o.state for o in grade(regrade=True, consent=agree).values()} == {"new"}


def test_another_seed_for_one_student_is_refused_and_a_lost_one_is_remembered(course, hand_in, grade):
    hand_in("ada")
    grade(seed=5)
    hand_in("ben")
    note = grade(seed=6)["ben"].notes[0].text
    graded_by = f"(version {version()}, seed 5)"
    assert f"(the seed of the hidden cases) since others of this class were graded {graded_by}" in note
    assert f"--regrade --lesson {LESSON} --seed 6`" in note
    assert (course / ".grading.seed").read_text() == "5\n", "a refused seed is not stored"
    (course / ".grading.seed").unlink()
    assert grade()["ben"].memory["seed"] == 5


# ---- fingerprints


@pytest.mark.parametrize(
    ("change", "decides"),
    [
        (lambda sheet: sheet["cases"].append(sheet["cases"][0]), True),
        (lambda sheet: sheet["cases"][0]["$case"].update(edge=True), True),
        (lambda sheet: sheet["wanted"][0].update(gradients=None), True),
        (lambda sheet: sheet.update(core=0.5), True),
        (lambda sheet: sheet.update(weights={"probes": 2}), True),
        (lambda sheet: sheet.update(drawn="0123456789ab"), True),
        (lambda sheet: sheet.update(uses=["split_heads"]), True),
        (lambda sheet: sheet["contract"]["$contract"].update(probes=False), True),
        (
            lambda sheet: sheet.update(hints=["Another hint."], points=7.0, mistakes=[]),
            False,
        ),
    ],
)
def test_what_decides_points_is_in_an_exercises_fingerprint_and_no_sentence_is(
    tmp_path, monkeypatch, change, decides
):
    data = (store.ANSWERS / "softmax.json").read_bytes()
    sheet = json.loads(data)
    assert sheet["drawn"]
    change(sheet)
    before, measure = store.fingerprint_of_sheet("softmax"), store.fingerprint_of_sheet.__wrapped__
    monkeypatch.setattr(store, "ANSWERS", tmp_path)
    (tmp_path / "softmax.json").write_bytes(data)
    assert measure("softmax") == before
    (tmp_path / "softmax.json").write_text(json.dumps(sheet))
    assert (measure("softmax") != before) is decides


@pytest.mark.parametrize(
    ("old", "new", "decides"),
    [
        ('"""Every fault', '"""Each fault', False),
        ("    case, observation =", "    # another comment\n    case, observation =", False),
        ("if observation.changed:", "if observation.changed and case.edge:", True),
        ('"same dtype"', '"one dtype"', True),
        ('yield "not_copies"', 'yield "not_copied"', True),
    ],
)
def test_a_rule_about_faults_is_in_every_fingerprint_and_its_words_are_not(
    tmp_path, monkeypatch, old, new, decides
):
    file = tmp_path / "course_utils" / "compare" / "faults.py"
    file.parent.mkdir(parents=True)
    file.write_bytes((rules.ROOT / "course_utils" / "compare" / "faults.py").read_bytes())
    monkeypatch.setattr(rules, "ROOT", tmp_path)
    before = rules.rules.__wrapped__()
    edit(file, old, new)
    assert (rules.rules.__wrapped__() != before) is decides


# ---- releases that lack exercises


def test_a_release_that_lacks_an_exercise_counts_only_after_the_instructor_accepts_it(
    course, hand_in, grade, ran, capsys
):
    hand_in("ada", "ben", words=FEWER, lesson=TODAY)
    hand_in("cho", lesson=TODAY)
    outcomes = grade()
    ((where, question),) = waiting_for_a_person(o for o in outcomes.values() if o.lesson == TODAY)
    assert where == f"{TODAY} (2 submissions)"
    assert "lacks merge_partials" in question
    assert f"write the line {TODAY},{FEWER} into releases.csv, below a first line lesson,release" in question
    assert [status(outcomes[name, TODAY]) for name in ("ada", "ben", "cho")] == [
        *["needs a person"] * 2,
        "graded",
    ]
    assert {o.state for o in grade().values() if o.lesson == TODAY} == {"unchanged"}
    accept(course, "feedfeedfeed")
    with pytest.raises(Refused, match='releases.csv, line 2: the grader has no release "feedfeedfeed"'):
        grade()
    accept(course, FEWER)
    outcomes, graded = grade(), ran[3:]
    assert graded == ["ada", "ben"]
    assert {status(outcomes[name, TODAY]) for name in ("ada", "ben", "cho")} == {"graded"}
    assert waiting_for_a_person(o for o in outcomes.values() if o.lesson == TODAY) == []


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,{0} (1)
    Points Possible,,,,,100
Ada,1,ada,ada,,
"""


def test_a_score_whose_release_waits_is_not_exported_and_not_scaled(course, hand_in, grade, capsys):
    hand_in("ada", words=FEWER, lesson=TODAY)
    grade()
    template, filled = course / "canvas.csv", course / "export" / "canvas.csv"
    template.write_text(CANVAS.format(TODAY))
    for unfinished, accepted, score in ((False, False, ""), (True, False, ""), (False, True, "100")):
        if accepted:
            accept(course, FEWER)
            grade()
        export.run(course, "canvas", template, TODAY, scale=True, unfinished=unfinished)
        assert filled.read_text().splitlines()[-1] == f"Ada,1,ada,ada,,{score}"


def test_a_release_with_more_exercises_is_asked_about_as_well(course, hand_in, grade):
    """Its notebook would be worth more than the class's."""
    hand_in("ada", words="2bd766f3f107", lesson="03_self_attention")
    outcome = grade()["ada", "03_self_attention"]
    assert status(outcome) == "needs a person"
    assert "which also has trace_causal_attention." in outcome.memory["release_question"]


def test_a_lesson_that_was_measured_in_two_ways_is_not_exported(course, hand_in, grade):
    """A regrade that was killed in the middle leaves one."""
    hand_in("ada", "ben")
    grade()
    page = next(path for path in pages(course) if "ada" in path.parts)
    content = json.loads(page.read_text())
    content["metadata"]["course"]["grading"]["measured_by"]["softmax"] = "another"
    page.chmod(0o644)
    page.write_text(json.dumps(content))
    template = course / "canvas.csv"
    template.write_text(CANVAS.format(LESSON))
    with pytest.raises(Refused, match=rf"^{LESSON}: .* as softmax was graded by different cases"):
        export.run(course, "canvas", template, LESSON, scale=True)
