"""The two ways to install: a wheel holds only course_utils, a clone has the autograder too."""

import subprocess
import sys
import zipfile
from importlib.metadata import PathDistribution

import pytest

from tests.conftest import ROOT
from tests.tools.cells import ANSWERS, plain_cells

PIP = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
TRY, FIND = (text for _, _, text in plain_cells(ANSWERS / "tried_in_a_wheel.txt"))


def run(*command, cwd):
    result = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


@pytest.mark.slow
def test_a_wheel_holds_only_course_utils_and_a_clone_also_the_autograder(clone, bare, tmp_path):
    run(*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, clone, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        folder = next(name for name in names if "dist-info" in name).split("/")[0]
        about = PathDistribution(zipfile.Path(file, f"{folder}/"))
        assert about.metadata.get_payload().startswith("#"), "the readme"
    assert {name.split("/")[0] for name in names if "dist-info" not in name} == {"course_utils"}
    data = {p.relative_to(ROOT).as_posix() for p in (ROOT / "course_utils").rglob("*") if p.is_file()}
    assert {name for name in data if "__pycache__" not in name} <= {*names}
    run(*PIP, "--python", bare, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    assert run(bare, "-I", "-c", TRY, cwd=tmp_path)[-2:] == ["True", "Axes"]
    assert run(bare, "-I", "-c", FIND, cwd=tmp_path) == ["True", "False"]
    command = (*PIP, "--python", bare, "install", "--no-deps", "--no-build-isolation", "-e", clone)
    run(*command, cwd=tmp_path)
    origin = run(bare, "-I", "-c", "import autograder; print(autograder.__file__)", cwd=tmp_path)
    assert origin == [str(clone / "autograder" / "__init__.py")]
