"""A school: a course folder whose gradebook knows two lessons, and nobody."""

import pytest

from tests.tools.school import LESSON, WRITTEN, copy_of, enter_all, new_course


@pytest.fixture(scope="session")
def nobody(tmp_path_factory):
    return enter_all(new_course(tmp_path_factory.mktemp("nobody")), LESSON, WRITTEN)


@pytest.fixture
def course(nobody, tmp_path):
    return copy_of(nobody, tmp_path / "course")
