"""The set-up: a venv made when needed and left alone otherwise; lists that agree with each other."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from autograder.setup import install

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# These tests may themselves be run by make, which tells its children so.
OUTSIDE = {
    key: value
    for key, value in os.environ.items()
    if not key.startswith("MAKE") and key not in ("MFLAGS", "PYTHON")
}


def name_of(requirement):
    return re.split(r"[<>=!~ \[]", requirement)[0].lower()


@pytest.fixture
def course(tmp_path):
    """A folder with what decides whether there is something to install, and a venv without anything in it."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text(name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    site = next((tmp_path / ".venv" / "lib").glob("*/site-packages"))
    (site / "pip.py").write_text("import sys; sys.exit(0)")
    install.write_stamp(tmp_path / ".venv", wanted=install.fingerprint(tmp_path))
    return tmp_path


@pytest.fixture
def no_network(monkeypatch):
    """As pip sees it: an index at an address where nobody listens."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)


@pytest.mark.usefixtures("no_network")
def test_without_a_network_it_is_one_sentence(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(install, "PATIENCE", 120)  # a busy machine starts pip slowly
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with pytest.raises(install.Trouble, match=r"^pip reaches no package index: .*\. Then run make again\.$"):
        install.ask_for_index(Path(sys.prefix), tmp_path)
    assert capfd.readouterr() == ("", "")


def test_an_index_that_is_slow_is_waited_for(course, monkeypatch, capsys):
    monkeypatch.setattr(install, "PATIENCE", 0.3)
    site = next((course / ".venv" / "lib").glob("*/site-packages"))
    (site / "pip.py").write_text("import time; time.sleep(60)")
    install.ask_for_index(course / ".venv", course)
    assert "does not answer yet" in capsys.readouterr().out


@pytest.mark.parametrize("prefix", [sys.base_prefix, "/another/python"])
def test_the_named_python_is_the_one_that_is_used(course, monkeypatch, prefix):
    monkeypatch.setattr(sys, "base_prefix", prefix)
    assert install.is_usable(course / ".venv", exactly=True) is (prefix != "/another/python")
    assert install.is_usable(course / ".venv")


def test_nothing_is_done_when_nothing_changed(course, monkeypatch, capsys):
    monkeypatch.setattr(install, "install", None)
    assert install.main("", root=course) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_new_requirements_are_installed_into_the_same_venv(course, capfd, changed):
    (course / changed).write_text("something new")
    saved = course / ".venv" / "kept"
    saved.write_text("")
    assert install.main("no address", root=course) == 0
    assert "Installing the course" in capfd.readouterr().out
    assert saved.exists()
    assert install.is_ready(course / ".venv", course)


def test_an_extra_is_installed_where_a_target_asks_for_it_and_kept_from_then_on(course, monkeypatch):
    installed = []
    monkeypatch.setattr(install, "install", lambda env, root, options, more: installed.append(more))
    assert install.main("no address", root=course) == 0
    assert installed == []
    assert install.main("no address", "wild", root=course) == 0
    assert install.main("no address", root=course) == 0
    assert installed == [["wild"]]
    (course / "constraints.txt").write_text("something new")
    assert install.main("no address", root=course) == 0
    assert installed == [["wild"], ["wild"]]


@pytest.mark.parametrize(
    ("target", "extras"),
    [("test", ""), ("test-all", "wild scale site"), ("test-release", "wild scale site"), ("site", "site")],
)
def test_only_the_site_and_the_targets_with_all_tests_ask_for_other_libraries(target, extras):
    printed = subprocess.run(
        ["make", "-n", target], cwd=ROOT, env=OUTSIDE, capture_output=True, text=True, check=True
    )
    line = next(line for line in printed.stdout.splitlines() if "install.py" in line)
    assert line.rpartition('"')[2] == f" {extras}; \\"


def test_a_moved_venv_is_made_anew(course, tmp_path_factory):
    moved = tmp_path_factory.mktemp("moved") / "course"
    course.rename(moved)
    assert not install.is_usable(moved / ".venv")


def test_a_half_made_venv_is_made_anew(course):
    next((course / ".venv" / "lib").glob("*/site-packages/pip.py")).unlink()
    assert not install.is_usable(course / ".venv")


def test_a_venv_whose_python_is_gone_is_made_anew(course):
    python = course / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3.10")
    assert not install.is_usable(course / ".venv")


def test_debian_without_venv_is_told_what_to_install(tmp_path, monkeypatch, capsys):
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(
        install.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name
    )
    assert install.main("", root=tmp_path) == 1
    printed = capsys.readouterr().err
    assert "apt install python3-venv" in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / ".venv").exists()


def test_a_failed_installation_is_tried_again(course, capsys):
    (course / "pyproject.toml").write_text("something new")
    next((course / ".venv" / "lib").glob("*/site-packages/pip.py")).write_text("import sys; sys.exit(1)")
    assert install.main("no address", root=course) == 1
    assert "pip could not install the course" in capsys.readouterr().err
    assert not install.is_ready(course / ".venv", course)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the index is used on Linux alone")
def test_torch_without_cuda_is_asked_for_when_it_can_be_had(monkeypatch, capsys):
    monkeypatch.setattr(install, "has_nvidia_gpu", lambda: False)
    monkeypatch.setattr(install, "is_reachable", lambda url: True)
    assert install.torch_options("https://index") == ["--extra-index-url", "https://index"]
    monkeypatch.setattr(install, "is_reachable", lambda url: False)
    assert install.torch_options("https://index") == []
    assert capsys.readouterr().out.count("\n") == 1
    monkeypatch.setattr(install, "has_nvidia_gpu", lambda: True)
    assert install.torch_options("https://index") == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/whl", "https://no.such.host.invalid/whl", "no address", ""]
)
def test_an_index_that_does_not_answer_is_not_reachable(url):
    assert install.is_reachable(url, seconds=2) is False


def test_make_alone_prints_every_target():
    printed = subprocess.run(
        ["make"], cwd=ROOT, env=OUTSIDE, capture_output=True, text=True, check=True
    ).stdout
    targets = re.findall(r"^  make ([a-z-]+) +\S.*$", printed, re.M)
    assert targets == [
        *("lab", "test", "test-all", "test-release", "notebooks", "demo", "grade", "report"),
        *("bundle", "anki", "site", "lines"),
    ]
    assert len(printed.splitlines()) == len(targets)


def test_a_missing_python_is_told_in_one_sentence(tmp_path):
    for tool in ("make", "sh"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    nothing = {**OUTSIDE, "PATH": str(tmp_path)}
    done = subprocess.run(["make", "ready"], cwd=ROOT, env=nothing, capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs Python 3.11, 3.12 or 3.13 and finds none" in done.stderr


def test_a_named_python_that_does_not_fit_is_not_replaced_by_another():
    done = subprocess.run(
        ["make", "ready", "PYTHON=/no such/python3.9"], cwd=ROOT, env=OUTSIDE, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "needs Python 3.11, 3.12 or 3.13 and PYTHON=/no such/python3.9 is none of them" in done.stderr


def test_every_dependency_has_a_reason_and_a_tried_version():
    extras = PROJECT["optional-dependencies"]
    more = [extra for name in ("grading", "wild", "scale", "site", "dev") for extra in extras[name]]
    listed = PROJECT["dependencies"] + more
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for requirement in listed:
        assert re.search(re.escape(f'"{requirement}",') + r" +# \w", text), (
            f"{requirement} has no reason beside it"
        )
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    assert {name_of(r) for r in listed} <= {name.lower() for name in pinned}


def test_the_version_is_the_same_in_both_places():
    text = (ROOT / "course_utils" / "__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{PROJECT["version"]}"' in text


def test_the_conda_door_leads_to_the_same_lists():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    python, pip, lines = environment["dependencies"]
    assert python == f"python{PROJECT['requires-python']}"
    assert pip == "pip"
    assert lines["pip"] == [
        "--extra-index-url https://download.pytorch.org/whl/cpu",
        "-c constraints.txt",
        "-e .[grading]",
    ]
    asked = {"jupyterlab", "torch", "matplotlib", "ipywidgets", "nbgrader", "jupytext"}
    assert asked <= {
        name_of(r) for r in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["grading"]
    }
