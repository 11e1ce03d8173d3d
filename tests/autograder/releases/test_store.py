"""Releases are kept when they are handed out, found by their ids, and refused when they were not built."""

import dataclasses
import json
import subprocess
import sys

import pytest

from autograder.refused import AuthorError
from autograder.releases import store
from autograder.releases.release import Release
from tests.conftest import ROOT

LESSON, FIRST = "01_masks", "de563128fb8d"  # the id of the release of 20 November 2026


@pytest.fixture
def afresh():
    """What is remembered of releases is forgotten before and after."""
    functions = store.lessons, store.published, store.read_kept
    for function in functions:
        function.cache_clear()
    yield
    for function in functions:
        function.cache_clear()


def test_every_kept_release_can_still_be_graded_by_the_grader():
    assert (LESSON, FIRST) in store.kept_files()
    for lesson, release_id in store.kept_files():
        release = store.find(lesson, release_id)
        assert (release.lesson, release.id, release.by_person) == (lesson, release_id, {})
        assert release.exercises
        assert release.setup.startswith("from course_utils import")


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


def test_an_exercise_that_no_lesson_has_any_more_is_graded_for_its_release():
    for lesson, name in {"00_start_here": "row_sums", "03_self_attention": "trace_causal_attention"}.items():
        releases = [store.read_kept(path) for (of, _), path in store.kept_files().items() if of == lesson]
        with_it = [release for release in releases if name in release.record["exercises"]]
        assert with_it
        assert all(name in release.exercises and not release.by_person for release in with_it)


@pytest.fixture
def sheets(afresh, monkeypatch):
    """The published sheets, to change at will."""
    result = {n: sheet | {"contract": dict(sheet["contract"])} for n, sheet in store.published().items()}
    with monkeypatch.context() as patched:
        patched.setattr(store, "published", lambda: result)
        yield result


@pytest.mark.parametrize(
    ("then", "now", "waits"), [("tuple", "sequence", []), ("sequence", "tuple", ["from_fused"])]
)
def test_only_a_contract_that_takes_less_now_waits_for_a_person(sheets, tmp_path, then, now, waits):
    (saved,) = [path for (lesson, _), path in store.kept_files().items() if lesson == "06_in_the_wild"]
    record, path = json.loads(saved.read_text(encoding="utf-8")), tmp_path / "kept.json"
    record["exercises"]["from_fused"]["contract"]["container"] = then
    path.write_text(json.dumps(record), encoding="utf-8")
    sheets["from_fused"]["contract"]["container"] = now
    assert list(store.read_kept(path).by_person) == waits


@pytest.mark.parametrize("missing", [True, False])
def test_what_has_another_contract_now_waits_for_a_person(sheets, missing):
    saved = store.read_kept(store.kept_files()[LESSON, FIRST]).exercises
    store.read_kept.cache_clear()
    sheets["softmax"]["contract"]["returns"] = {"weights": "B T"}
    if missing:
        del sheets["softmax"]
    release = store.read_kept(store.kept_files()[LESSON, FIRST])
    assert release.exercises == {name: points for name, points in saved.items() if name != "softmax"}
    ((name, why),) = release.by_person.items()
    assert name == "softmax"
    assert why.endswith("its 2 points wait for a person.")


WRITE = """
import sys
from autograder.tables import replace_file
for _ in range(500):
    replace_file(sys.argv[1], "x")
"""


def test_two_graders_may_keep_the_same_release_at_once(tmp_path):
    call = [sys.executable, "-c", WRITE, str(tmp_path / "release.json")]
    graders = [subprocess.Popen(call, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(2)]
    assert [grader.communicate()[1] for grader in graders] == [b"", b""]
    assert [path.name for path in tmp_path.iterdir()] == ["release.json"]


def test_a_damaged_release_is_named(tmp_path):
    damaged = tmp_path / "abc.json"
    damaged.write_text('{"notebook": ')
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: JSONDecodeError: "):
        store.read_kept(damaged)
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: NotJSONError: "):
        store.read_current(damaged)
