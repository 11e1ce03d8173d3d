"""Releases are stored when they are handed out, found by id, and refused if they were not built."""

import dataclasses
import json
from concurrent.futures import ProcessPoolExecutor

import pytest

from autograder.refused import AuthorError
from autograder.releases import store
from autograder.releases.release import Release
from autograder.tables import replace_file

LESSON, FIRST = "01_masks", "de563128fb8d"  # the id of the release of 20 November 2026


def test_every_kept_release_can_still_be_graded_by_the_grader():
    assert (LESSON, FIRST) in store.kept_files()
    graded = set()
    for lesson, release_id in store.kept_files():
        release = store.find(lesson, release_id)
        assert (release.lesson, release.id, release.by_person) == (lesson, release_id, {})
        assert release.exercises
        assert release.setup.startswith("from course_utils import")
        graded |= release.exercises.keys()
    assert {"row_sums", "trace_causal_attention"} <= graded, "exercises that no lesson has any more"


@pytest.mark.parametrize("release_id", ["", "0" * 12, "../../kept/01_masks/de563128fb8d", None, 7, "\0"])
def test_an_unknown_id_is_no_release(release_id):
    assert store.find(LESSON, release_id) is None


def test_the_current_release_is_found_by_its_id():
    for lesson, release in store.lessons().items():
        assert store.find(lesson, release.id) is release is store.current(lesson)
        assert store.refusal(lesson) == ""


def test_a_kept_release_is_what_was_handed_out(tmp_path):
    file = store.keep(LESSON, tmp_path)
    saved, current = Release.of(json.loads(file.read_text(encoding="utf-8"))), store.current(LESSON)
    assert file == tmp_path / LESSON / f"{current.id}.json"
    for field in dataclasses.fields(Release):
        assert getattr(saved, field.name) == getattr(current, field.name), field.name
    before = file.stat()
    assert store.keep(LESSON, tmp_path).stat() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


WILD = "06_in_the_wild"


@pytest.mark.parametrize(
    ("lesson", "name", "then", "now", "waits"),
    [
        (WILD, "from_fused", {"container": "tuple"}, {"container": "sequence"}, False),
        (WILD, "from_fused", {"container": "sequence"}, {"container": "tuple"}, True),
        (WILD, "from_fused", {"container": "one"}, {"container": "sequence"}, True),
        (LESSON, "softmax", {}, {"returns": {"weights": "B T"}}, True),
        (LESSON, "softmax", {}, None, True),
    ],
)
def test_what_takes_less_now_or_is_unknown_waits_for_a_person(
    monkeypatch, tmp_path, lesson, name, then, now, waits
):
    saved = next(path for (of, _), path in store.kept_files().items() if of == lesson)
    record, path = json.loads(saved.read_text(encoding="utf-8")), tmp_path / "kept.json"
    record["exercises"][name]["contract"] |= then
    path.write_text(json.dumps(record), encoding="utf-8")
    others = dict(store.published())
    sheet = others.pop(name)
    sheets = others if now is None else others | {name: sheet | {"contract": sheet["contract"] | now}}
    monkeypatch.setattr(store, "published", lambda: sheets)
    release = store.read_kept(path)
    assert (
        {*record["exercises"]} - {*release.exercises} == {*release.by_person} == ({name} if waits else set())
    )
    for why in release.by_person.values():
        assert why.endswith(f"its {sheet['points']:g} points wait for a person.")


def write_often(path):
    for _ in range(500):
        replace_file(path, "x")


def test_two_graders_may_keep_the_same_release_at_once(tmp_path):
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(write_often, [tmp_path / "release.json"] * 2))
    assert [path.name for path in tmp_path.iterdir()] == ["release.json"]


def test_a_damaged_release_is_named(tmp_path):
    damaged = tmp_path / "abc.json"
    damaged.write_text('{"notebook": ')
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: JSONDecodeError: "):
        store.read_kept(damaged)
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: NotJSONError: "):
        store.read_current(damaged)
