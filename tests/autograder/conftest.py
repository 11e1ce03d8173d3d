"""A school: a course whose gradebook knows two lessons, and nobody; and a Python without the course."""

import sys
import venv

import pytest

from tests.tools.school import LESSON, WRITTEN, copy_of, enter_all, new_course


@pytest.fixture(scope="session")
def nobody(tmp_path_factory):
    return enter_all(new_course(tmp_path_factory.mktemp("nobody")), LESSON, WRITTEN)


@pytest.fixture
def course(nobody, tmp_path):
    return copy_of(nobody, tmp_path / "course")


@pytest.fixture
def bare(tmp_path):
    """The Python of a venv that sees what is installed here, apart from the course itself."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    here = next(path for path in sys.path if path.endswith("site-packages"))
    (next(tmp_path.glob("venv/lib/*/site-packages")) / "here.pth").write_text(here)
    return tmp_path / "venv" / "bin" / "python"
