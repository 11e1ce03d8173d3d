"""docs/touch.md shows every picture to touch."""

import re
from pathlib import Path

from tools.draw_touch_gallery import DOCS, pieces


def test_the_page_of_pictures_to_touch_shows_every_one_that_lessons_use():
    lessons = "".join(path.read_text(encoding="utf-8") for path in DOCS.parent.glob("solutions/*/*.py"))
    imports = re.findall(r"^from course_utils\.touch\.\w+ import (.+)$", lessons, re.MULTILINE)
    used = {name for line in imports for name in line.split(", ")} - {"Snapshots", "recorded_runs"}
    text = (DOCS / "touch.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\w+)$", text, re.MULTILINE) == [function.__name__ for function in pieces()]
    assert used
    assert used <= {function.__name__ for function in pieces()}
    for picture in re.findall(r"\]\((touch/\w+\.png)\)", text):
        assert Path(DOCS, picture).read_bytes().startswith(b"\x89PNG")
