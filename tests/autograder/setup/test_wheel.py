"""The two ways to install: a wheel, which holds course_utils alone, and a clone, which has autograder too."""

import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
TRY = """
import torch
from course_utils import check, plot_mask
mask = torch.ones(5, 5, dtype=torch.bool).triu(1)  # (T, T)
def softmax(x, dim=-1):
    powers = (x - x.amax(dim, keepdim=True)).exp()
    return powers / powers.sum(dim, keepdim=True)
print(check("softmax", softmax).accepted)
print(type(plot_mask(mask)).__name__)
"""

FIND = """
from importlib.util import find_spec
print(find_spec("course_utils") is not None, find_spec("autograder") is not None)
"""


def run(*command, cwd):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_a_wheel_holds_course_utils_alone_and_works_in_an_empty_environment(clone, bare, tmp_path):
    run(*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, clone, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        about = PathDistribution(
            zipfile.Path(file, next(n for n in names if "dist-info" in n).split("/")[0] + "/")
        )
        assert about.metadata.get_payload().startswith("#"), "the readme"
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"course_utils"}
    data = {p.relative_to(ROOT).as_posix() for p in (ROOT / "course_utils").rglob("*") if p.is_file()}
    assert {name for name in data if "__pycache__" not in name} <= {*names}
    run(*PIP, "--python", bare, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    assert run(bare, "-I", "-c", TRY, cwd=tmp_path)[-2:] == ["True", "Axes"]
    assert run(bare, "-I", "-c", FIND, cwd=tmp_path) == ["True", "False"]


@pytest.mark.slow
def test_a_clone_that_is_installed_brings_the_grader_to_other_folders(clone, bare, tmp_path):
    command = (*PIP, "--python", bare, "install", "--no-deps", "--no-build-isolation", "-e", clone)
    run(*command, cwd=tmp_path)
    where = run(bare, "-I", "-c", "import autograder; print(autograder.__file__)", cwd=tmp_path)
    assert where == [str(clone / "autograder" / "__init__.py")]


def test_no_library_is_listed_twice():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for listed in (project["dependencies"], *project["optional-dependencies"].values()):
        assert len(listed) == len({*listed})
