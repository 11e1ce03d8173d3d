"""The set-up makes a venv when one is needed and otherwise leaves it alone; lists of requirements agree."""

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml

from autograder.setup import install
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# These tests may be run by make, which sets variables for its children.
OF_MAKE = re.compile("MAKE|MFLAGS|PYTHON$")
OUTSIDE = {key: value for key, value in os.environ.items() if not OF_MAKE.match(key)}


def name_of(requirement):
    return re.split(r"[<>=!~ \[]", requirement)[0].lower()


def make(*words, **environment):
    call = {"cwd": ROOT, "env": OUTSIDE | environment, "capture_output": True, "text": True}
    return subprocess.run(["make", *words], **call)


@pytest.fixture
def course(tmp_path):
    """A folder with the files that decide whether anything has to be installed, and an empty venv."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text(name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    with_pip(tmp_path, "")
    install.write_stamp(tmp_path / ".venv", wanted=install.fingerprint(tmp_path))
    return tmp_path


def with_pip(course, source):
    pip = next((course / ".venv" / "lib").glob("*/site-packages")) / "pip.py"
    pip.write_text(source)
    return pip


def test_without_a_network_the_installation_fails_within_a_minute(monkeypatch, tmp_path, capfd):
    """The package index is at an address where nothing listens."""
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    (tmp_path / "pyproject.toml").write_text('[build-system]\nrequires = ["setuptools"]\n')
    (tmp_path / "constraints.txt").touch()
    start = time.monotonic()
    assert not install.install(Path(sys.prefix), tmp_path, [], [])
    assert "from versions: none" in capfd.readouterr().err
    assert time.monotonic() - start < 60, "pip's own patience lasts longer, on a busy machine too"


def test_a_venv_is_used_only_if_it_is_complete_and_not_moved(course, monkeypatch):
    env = course / ".venv"
    python, pip = env / "bin" / "python", with_pip(course, "")
    assert install.is_usable(env, exactly=True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "base_prefix", "/another/python")
        assert not install.is_usable(env, exactly=True), "a named Python is the one that is used"
        assert install.is_usable(env)
    moved_env = env.rename(course / "moved")
    assert not install.is_usable(moved_env)
    moved_env.rename(env)
    pip.unlink()
    assert not install.is_usable(env)
    with_pip(course, "")
    python.unlink()
    python.symlink_to("/nowhere/python3.10")
    assert not install.is_usable(env)


@pytest.mark.parametrize("file_name", ["pyproject.toml", "constraints.txt"])
def test_new_requirements_are_installed_into_the_same_venv_until_pip_succeeds(course, capfd, file_name):
    (course / file_name).write_text("something new")
    marker = course / ".venv" / "kept"
    marker.touch()
    with_pip(course, "import sys; sys.exit(1)")
    assert install.main("no address", root=course) == 1
    assert "pip could not install the course" in capfd.readouterr().err
    with_pip(course, "")
    assert install.main("no address", root=course) == 0
    assert "Installing the course" in capfd.readouterr().out
    assert marker.exists()
    assert install.main("no address", root=course) == 0
    assert capfd.readouterr().out == ""


def test_an_extra_is_installed_on_request_and_reinstalled_from_then_on(course, monkeypatch):
    calls = []
    monkeypatch.setattr(install, "install", lambda env, root, options, more: calls.append(more) or True)
    for extras, in_all in (((), []), (("wild",), [["wild"]]), ((), [["wild"]])):
        assert install.main("no address", *extras, root=course) == 0
        assert calls == in_all
    (course / "constraints.txt").write_text("something new")
    assert install.main("no address", root=course) == 0
    assert calls == [["wild"], ["wild"]]


def test_only_the_site_and_the_full_test_targets_need_extras():
    extras = {"test": "", "test-all": "wild scale site", "test-release": "wild scale site", "site": "site"}
    for target, names in extras.items():
        line = next(line for line in make("-n", target).stdout.splitlines() if "install.py" in line)
        assert line.rpartition('"')[2] == f" {names}; \\"


def test_debian_without_venv_is_told_what_to_install(course, monkeypatch, capsys):
    shutil.rmtree(course / ".venv")
    monkeypatch.setattr(install.importlib.util, "find_spec", {"venv": True}.get)
    assert install.main("", root=course) == 1
    message = capsys.readouterr().err
    assert "apt install python3-venv" in message
    assert message.count("\n") == 1
    assert not (course / ".venv").exists()


def test_torch_without_cuda_is_chosen_if_no_gpu_exists_and_the_index_is_reachable(monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "linux")  # the CPU index is used on Linux only
    for gpu, reachable, options, lines in (
        (False, True, ["--extra-index-url", "https://index"], 0),
        (False, False, [], 1),
        (True, False, [], 0),
    ):
        monkeypatch.setattr(install, "has_nvidia_gpu", lambda gpu=gpu: gpu)
        monkeypatch.setattr(install, "is_reachable", lambda url, reachable=reachable: reachable)
        assert install.torch_options("https://index") == options
        assert capsys.readouterr().out.count("\n") == lines


def test_a_package_index_that_does_not_answer_is_unreachable():
    for url in ("http://127.0.0.1:9/whl", "https://no.such.host.invalid/whl", "", "x"):
        assert install.is_reachable(url, seconds=2) is False


def test_make_without_a_target_prints_every_target():
    result = make()
    targets = re.findall(r"^  make ([a-z-]+) +\S.*$", result.stdout, re.M)
    course = "lab test test-all test-release notebooks demo grade report bundle anki site lines"
    assert targets == course.split()
    assert (result.returncode, len(result.stdout.splitlines())) == (0, len(targets))


def test_a_missing_python_is_reported_and_a_named_one_is_never_replaced(tmp_path):
    for tool in ("make", "sh"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    for result, words in (
        (make("ready", PATH=str(tmp_path)), "none was found"),
        (make("ready", "PYTHON=/no such/python3.9"), "PYTHON=/no such/python3.9 is none of them"),
    ):
        assert result.returncode == 2
        assert f"needs Python 3.11, 3.12 or 3.13 and {words}" in result.stderr


def test_every_dependency_has_a_reason_and_a_pinned_version():
    needs = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [r for r in needs if not re.search(re.escape(f'"{r}",') + r" +# \w", text)] == [], "no reason"
    pinned_names = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    assert {name_of(r) for r in needs} <= {name.lower() for name in pinned_names}
    package = (ROOT / "course_utils" / "__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{PROJECT["version"]}"' in package


def test_environment_yml_uses_the_same_requirements():
    index, lists = "--extra-index-url https://download.pytorch.org/whl/cpu", "-c constraints.txt"
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, pip, lines = conda["dependencies"]
    assert (python, pip) == (f"python{PROJECT['requires-python']}", "pip")
    assert lines["pip"] == [index, lists, "-e .[grading]"]
    packages = {"jupyterlab", "torch", "matplotlib", "ipywidgets", "nbgrader", "jupytext"}
    needed = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["grading"]
    assert packages <= {name_of(requirement) for requirement in needed}
