"""The zip for a class can be installed elsewhere, its lessons run, `check` works, and it holds no answer."""

import json
import re
import shutil
import subprocess
import tomllib
import zipfile

import pytest
import yaml

from autograder.publish.bundle import hand_out, write_bundle
from autograder.publish.lesson import LessonError
from autograder.publish.solutions import answers
from autograder.releases import store
from autograder.releases.store import lessons
from autograder.setup.sample_class import solved, untouched
from tests.conftest import ROOT
from tests.lessons.test_student_files import pairs_of, secret_pairs, strings_in
from tests.tools.executed import errors, execute_from_here, points, save, shortened

INTERVIEW = "08_interview"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """The folder that a student gets by unzipping the bundle."""
    place = tmp_path_factory.mktemp("downloads")
    write_bundle(ROOT, place / "new folder" / "course.zip")
    with zipfile.ZipFile(place / "new folder" / "course.zip") as file:
        file.extractall(place)
    (folder,) = [path for path in place.iterdir() if path.name != "new folder"]
    return folder


def read(path):
    return path.read_text(encoding="utf-8")


NAMES = "ANSWERS.md LICENSE README.md constraints.txt course_utils environment.yml notebooks pyproject.toml"
ENDINGS = {"", ".md", ".txt", ".yml", ".toml", ".py", ".js", ".css", ".json", ".npz", ".ipynb"}


def test_the_bundle_holds_what_a_class_needs_and_nothing_else(bundle):
    assert sorted(path.name for path in bundle.iterdir()) == NAMES.split()
    assert {path.suffix for path in bundle.rglob("*") if path.is_file()} <= ENDINGS
    assert len([*bundle.glob("notebooks/*/*.ipynb")]) == len([*ROOT.glob("notebooks/*/*.ipynb")]) - 1
    paths = [path for path in (bundle / "course_utils").rglob("*.*") if "answers" not in path.parts]
    assert all(path.read_bytes() == (ROOT / path.relative_to(bundle)).read_bytes() for path in paths)
    unwanted = {"__pycache__", "interview", "bugs", "mock"}  # references, right programs and model answers
    paths = [path.relative_to(bundle) for path in bundle.rglob("*")]
    assert not [path for path in paths if "interview" in path.name or unwanted & {*path.parts}]


def test_the_bundle_holds_no_two_lines_of_an_answer(bundle):
    secrets = secret_pairs()
    for path in bundle.rglob("*"):
        if path.is_file() and path.suffix != ".npz":
            text = read(path)
            text += strings_in(text) if path.suffix in (".json", ".ipynb") else ""
            assert not pairs_of(text) & secrets, path
            assert "autograder" not in text, path


def test_a_bundle_that_would_hold_an_answer_is_refused(tree, tmp_path):
    shutil.copytree(ROOT / "notebooks", tree / "notebooks")
    for name in ("LICENSE", "constraints.txt", "pyproject.toml", "environment.yml"):
        shutil.copy(ROOT / name, tree)
    answer = "\n".join(answers("01_masks")["masked_softmax"].splitlines()[-2:])
    notebook = json.loads(read(tree / "notebooks" / "01_masks" / "01_masks.ipynb"))
    notebook["cells"][-1]["source"] = answer
    for file, text in {
        "course_utils/check.py": f"x = 1\n{answer}",
        "course_utils/note.json": json.dumps([answer]),
        "notebooks/01_masks/01_masks.ipynb": json.dumps(notebook),
        "LICENSE": answer,
    }.items():
        before = (tree / file).read_bytes() if (tree / file).exists() else b"{}"
        (tree / file).write_text(text)
        with pytest.raises(LessonError, match=f"{re.escape(file)}.* would give away"):
            write_bundle(tree, tmp_path / "course.zip")
        (tree / file).write_bytes(before)
    assert not (tmp_path / "course.zip").exists()


def test_handing_out_stores_releases_and_equal_files_make_equal_zips(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "KEPT", tmp_path / "kept")
    with pytest.raises(LessonError, match=f"^{INTERVIEW} is for self-study: "):
        hand_out(ROOT, tmp_path / "class.zip", [INTERVIEW])
    assert not list(tmp_path.iterdir())
    hand_out(ROOT, tmp_path / "course.zip")
    assert set(store.kept_files()) == {(lesson, release.id) for lesson, release in lessons().items()}
    write_bundle(ROOT, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "course.zip").read_bytes()


def test_the_bundle_requires_only_student_packages_and_its_readme_is_right(bundle):
    bundled, whole = (tomllib.loads(read(folder / "pyproject.toml")) for folder in (bundle, ROOT))
    assert bundled["project"]["dependencies"] == whole["project"]["dependencies"]
    assert "optional-dependencies" not in bundled["project"]
    assert bundled["tool"]["setuptools"]["packages"]["find"] == {"include": ["course_utils*"]}
    readme, environment = read(bundle / "README.md"), read(bundle / "environment.yml")
    conda = yaml.safe_load(environment)
    assert conda["dependencies"][-1]["pip"][-2:] == ["-c constraints.txt", "-e ."]
    assert f"conda activate {conda['name']}" in readme
    assert "nbgrader" not in readme + environment
    assert len(readme.splitlines()) < 50
    for path in re.findall(r"notebooks/[\w/.]*\w", readme):
        assert (bundle / path).exists(), path


def test_the_bundle_installs_elsewhere_and_a_lesson_works(bundle, bare):
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-e", "."]
    subprocess.run([bare, "-m", "pip", "install", *options], cwd=bundle, check=True, capture_output=True)
    code = "from importlib.util import find_spec as f; print(f('course_utils').origin, f('autograder'))"
    output = subprocess.run([bare, "-c", code], cwd="/", capture_output=True, text=True, check=True)
    assert output.stdout.strip() == f"{bundle / 'course_utils' / '__init__.py'} None"
    exercises = lessons()["01_masks"].exercises
    lesson = shortened(solved("01_masks"), exercises)
    path = save(lesson, bundle / "notebooks" / "01_masks" / "mine.ipynb")
    ran = execute_from_here(bare, path)
    assert (errors(ran), points(ran)) == ([], exercises)
    assert not list(path.parent.glob(".course-*")), "the installed package is used, not the copy"


def test_two_notebooks_in_one_folder_work_without_the_package(bare, tmp_path):
    for number, lesson in enumerate(list(lessons())[:2], 1):
        first = list(lessons()[lesson].exercises)[:1]
        path = save(shortened(untouched(lesson), first), tmp_path / "downloads" / f"{lesson}.ipynb")
        ran = execute_from_here(bare, path)
        assert (errors(ran), list(points(ran))) == ([], first)
        assert len(list(path.parent.glob(".course-*"))) == number
