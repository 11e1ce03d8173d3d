"""What code in the sandbox can see."""

import itertools
import os
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from autograder.sandbox.host import bubblewrap, supervisor
from autograder.sandbox.host.bubblewrap import code_zip
from autograder.sandbox.shared.job import CODE, HOME
from tests.corpus.notebooks import ROOT

from .cells import errors


def test_the_code_zip_holds_no_answers():
    archive = zipfile.ZipFile(BytesIO(code_zip()))
    names = set(archive.namelist())
    assert {"course_utils/observe/probe.py", "autograder/sandbox/inside/runner.py"} <= names
    own_files = {name for name in names if name.startswith("autograder/")} - {"autograder/__init__.py"}
    assert all(name.startswith("autograder/sandbox/") and "/host/" not in name for name in own_files)
    near_answers = "answers", "interview", "practice/bugs", "practice/mock"
    assert not [name for name in names if any(part in name for part in near_answers)]
    data = {f"course_utils/world/{name}.npz" for name in ("who", "who_and_how", "training")}
    data |= {"course_utils/models/repeats.npz"}
    data |= {"course_utils/diagnose/sentences.toml"}  # general sentences, about no exercise
    assert {name for name in names if not name.endswith(".py")} == data
    assert archive.read("course_utils/standins.py") == archive.read("autograder/__init__.py") == b""


def test_everything_in_the_sandbox_is_read_only_and_outside_the_course():
    line = bubblewrap.command("bwrap", 3, 4)
    binds = [
        (word, Path(line[i + 1])) for i, word in enumerate(line) if "bind" in word and "data" not in word
    ]
    assert {word for word, _ in binds} == {"--ro-bind", "--ro-bind-try", "--dev-bind"}
    for word, path in binds:
        assert word != "--dev-bind" or path.is_relative_to("/dev")
        assert not ROOT.is_relative_to(path)
        assert not path.is_relative_to(ROOT) or path.name == "site-packages"
    assert all(path.startswith("/sandbox/") for path in (CODE, HOME))


def test_a_course_inside_a_mounted_folder_is_covered_except_its_packages(monkeypatch):
    course = Path("/usr/lib/course")
    site = course / ".venv" / "lib" / "site-packages"
    exists = os.path.exists
    monkeypatch.setattr(bubblewrap, "ROOT", course)
    monkeypatch.setattr(bubblewrap, "packages", lambda: [str(site)])
    pretend_exists = lambda path: str(path).startswith(str(course)) or exists(path)  # noqa: E731
    monkeypatch.setattr(bubblewrap.os.path, "exists", pretend_exists)
    line = bubblewrap.mounts()
    cover, packages_place = line.index(str(course)), len(line) - line[::-1].index(str(site)) - 1
    assert line[cover - 1] == "--tmpfs"
    assert line.index("/usr/lib") < cover < packages_place
    assert ("--remount-ro", str(course)) in zip(line, line[1:], strict=False)


def test_a_course_in_site_packages_and_the_base_packages_are_covered(monkeypatch, tmp_path):
    base, venv = (tmp_path / place / "lib/python3.11/site-packages" for place in ("base", "venv"))
    for folder, name in itertools.product((base, venv), ("autograder", "course_utils", "torch")):
        (folder / name).mkdir(parents=True)
    monkeypatch.setattr(bubblewrap, "python", lambda: tmp_path / "base/bin/python3.11")
    monkeypatch.setattr(bubblewrap, "packages", lambda: [str(venv)])
    line = bubblewrap.mounts()
    for path in (base, venv / "autograder", venv / "course_utils"):
        assert line[line.index(str(path)) - 1] == "--tmpfs"
    assert str(venv / "torch") not in line
    monkeypatch.setattr(bubblewrap, "packages", lambda: [str(venv), str(base)])
    assert base not in bubblewrap.covered_folders()
    assert base / "autograder" in bubblewrap.covered_folders()


@pytest.mark.system
def test_packages_of_the_base_interpreter_are_invisible_in_the_sandbox(worker, bwrap):
    result = {str(path) for lib in bubblewrap.libraries() for path in lib.glob("python3*/*-packages")}
    places = [path for path in result if not bubblewrap.imported_from(path)]
    assert errors(worker, f"import os\nfor p in {places!r}:\n    assert not os.listdir(p), p") == [None]


def test_the_self_test_looks_for_everything_in_a_home_except_its_python(tmp_path, monkeypatch):
    for name in ("letters", "course/.venv/lib", ".ssh"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(supervisor.Path, "home", lambda: tmp_path)
    visible = {tmp_path / "course/.venv/lib", Path("/usr/lib")}
    monkeypatch.setattr(supervisor, "visible_paths", lambda: visible)
    hidden = supervisor.hidden()
    assert {str(tmp_path / "letters"), str(tmp_path / ".ssh"), "/home"} <= set(hidden)
    assert str(tmp_path / "course") not in hidden
    monkeypatch.setattr(supervisor, "visible_paths", lambda: {Path("/home/ada/course/.venv/lib")})
    assert "/home" not in supervisor.hidden()
