"""Settings and fixtures for all tests: one thread per process, copies of the course, a browser."""

import os
import shutil
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: many test processes share few cores
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # no test, and no lesson in one, downloads a model

ROOT = Path(__file__).resolve().parents[1]

import pytest

JUNK = "work demo dist graded submitted autograded feedback gradebook.db*"  # written by `make` or by grading
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", "*.egg-info", *JUNK.split())


def pytest_addoption(parser):
    about = "Of the tests marked `release`: a tenth, chosen by this commit's hash."
    parser.addoption("--tenth", metavar="COMMIT", help=about)


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config, items):
    for item in items:
        if "chromium" in item.fixturenames:
            item.add_marker(pytest.mark.system)
            if not item.get_closest_marker("xdist_group"):  # so one process opens the browser, once
                item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
    if commit := config.getoption("--tenth"):
        of_release = [item for item in items if item.get_closest_marker("release")]
        left_out = set(of_release) - set(of_release[int(commit, 16) % 10 :: 10])
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=list(left_out))


@pytest.fixture
def tree(tmp_path):
    """A copy of everything that a build reads, free to be changed."""
    return copy_of_tree(tmp_path)


def copy_of_tree(folder):
    unwanted = shutil.ignore_patterns("*.ipynb", "__pycache__")
    for name in ("solutions", "course_utils"):
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder


@pytest.fixture
def clone(tmp_path):
    """A copy of the whole tree that uses this venv: commands may write there."""
    copy = tmp_path / "clone"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED, symlinks=True)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    return copy


@pytest.fixture
def small_tree(tree, monkeypatch):
    """`tree` with its first two lessons only and without publishing answers, which it already holds."""
    for folder in sorted((tree / "solutions").glob("[0-9]*"))[2:]:
        shutil.rmtree(folder)
    monkeypatch.setattr("autograder.publish.build.publish_all", lambda *_: None)
    return tree


@pytest.fixture
def open_folder():
    """A folder that other users can read; tmp_path is made private again whenever a pytest session begins."""
    with tempfile.TemporaryDirectory(prefix="open-") as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.fixture(scope="session")
def chromium():
    """A browser without pages, one per test process. Tests that use it are marked `system`."""
    from tests.tools.lab_in_browser import browser

    with browser(system_program("chromium", "chromium")) as instance:
        yield instance


@pytest.fixture
def open_page(chromium):
    """open_page(pieces, ...) returns a Page with these pictures; any error in the page fails the test."""
    from tests.tools.page import Page

    with ExitStack() as pages:
        yield lambda *pieces, **settings: pages.enter_context(closing(Page(chromium, *pieces, **settings)))


@pytest.fixture
def bwrap():
    return system_program("bwrap", "bubblewrap")


def system_program(name, package):
    """The program's path. If it is missing, the test fails: `make test-all` promises to have run it."""
    path = shutil.which(name)
    if path is None:
        pytest.fail(f"{name} is missing: on Debian and Ubuntu, apt install {package}", pytrace=False)
    return path
