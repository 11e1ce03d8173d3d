"""Releases are stored when they are handed out, found by id, and refused if they were not built."""

import dataclasses
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import pytest

from autograder.refused import AuthorError
from autograder.releases import store
from autograder.releases.release import Release
from autograder.tables import replace_file
from tests.conftest import ROOT

LESSON = "01_masks"


@pytest.mark.parametrize("release_id", ["", "0" * 12, "../../kept/01_masks/de563128fb8d", None, 7, "\0"])
def test_an_unknown_release_id_is_not_found(release_id):
    assert store.find(LESSON, release_id) is None


def test_the_current_release_is_found_by_id():
    for lesson, release in store.lessons().items():
        assert store.find(lesson, release.id) is release is store.current(lesson)
        assert store.refusal(lesson) == ""


def test_a_stored_release_equals_the_current_one_and_is_written_once(tmp_path):
    file = store.keep(LESSON, tmp_path)
    stored, current = Release.of(json.loads(file.read_text(encoding="utf-8"))), store.current(LESSON)
    assert file == tmp_path / LESSON / f"{current.id}.json"
    for field in dataclasses.fields(Release):
        assert getattr(stored, field.name) == getattr(current, field.name), field.name
    before = file.stat()
    assert store.keep(LESSON, tmp_path).stat() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_what_a_benchmark_releases_is_not_kept_in_the_tree():
    keep = f"import benchmarks.killed; from autograder.releases import store; print(store.keep({LESSON!r}))"
    environment = {name: value for name, value in os.environ.items() if name != "COURSE_RELEASES"}
    process = subprocess.run([sys.executable, "-c", keep], cwd=ROOT, env=environment, capture_output=True)
    assert process.returncode == 0, process.stderr
    file = f"{LESSON}/{store.current(LESSON).id}.json"
    assert process.stdout.decode().strip().endswith(file)
    assert str(ROOT) not in process.stdout.decode()


WILD = "06_in_the_wild"


@pytest.mark.parametrize(
    ("lesson", "name", "earlier", "now", "waits"),
    [
        (WILD, "from_fused", {"container": "tuple"}, {"container": "sequence"}, False),
        (WILD, "from_fused", {"container": "sequence"}, {"container": "tuple"}, True),
        (WILD, "from_fused", {"container": "one"}, {"container": "sequence"}, True),
        (LESSON, "softmax", {}, {"returns": {"weights": "B T"}}, True),
        (LESSON, "softmax", {}, None, True),
    ],
)
def test_exercises_with_a_stricter_or_missing_contract_wait_for_a_person(
    monkeypatch, tmp_path, lesson, name, earlier, now, waits
):
    stored = next(path for (key, _), path in store.kept_files().items() if key == lesson)
    record, path = json.loads(stored.read_text(encoding="utf-8")), tmp_path / "kept.json"
    record["exercises"][name]["contract"] |= earlier
    path.write_text(json.dumps(record), encoding="utf-8")
    rest = dict(store.published())
    sheet = rest.pop(name)
    sheets = rest if now is None else rest | {name: sheet | {"contract": sheet["contract"] | now}}
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


def test_two_graders_may_write_the_same_release_at_once(tmp_path):
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(write_often, [tmp_path / "release.json"] * 2))
    assert [path.name for path in tmp_path.iterdir()] == ["release.json"]


def test_a_damaged_release_file_is_reported_by_name(tmp_path):
    damaged_file = tmp_path / "abc.json"
    damaged_file.write_text('{"notebook": ')
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: JSONDecodeError: "):
        store.read_kept(damaged_file)
    with pytest.raises(AuthorError, match=r"abc\.json: this release is damaged: NotJSONError: "):
        store.read_current(damaged_file)
