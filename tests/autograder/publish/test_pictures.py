"""A picture that a lesson's text attaches is embedded in the notebook."""

import base64

import nbformat
import pytest

from autograder.publish.lesson import LessonError
from autograder.publish.pictures import add_pictures


def notebook(text):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])


def test_a_picture_next_to_the_lesson_is_embedded(tmp_path):
    for name, kind in (("query.png", "image/png"), ("query.JPEG", "image/jpeg")):
        (tmp_path / name).write_bytes(b"pixels")
        nb = notebook(f"see ![arrows](attachment:{name}), and ![dots](https://example.org/dots.png)")
        add_pictures(nb, tmp_path / "lesson.py")
        assert nb.cells[0]["attachments"] == {name: {kind: base64.b64encode(b"pixels").decode()}}
        nbformat.validate(nb)


def test_a_missing_picture_and_an_svg_are_refused(tmp_path):
    (tmp_path / "arrows.svg").write_text("<svg/>")
    with pytest.raises(LessonError, match="there is no gone.png"):
        add_pictures(notebook("![arrows](attachment:gone.png)"), tmp_path / "lesson.py")
    with pytest.raises(LessonError, match="does not show an attached arrows.svg"):
        add_pictures(notebook("![arrows](attachment:arrows.svg)"), tmp_path / "lesson.py")
