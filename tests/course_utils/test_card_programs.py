"""Programs after what students publish get the sentence that stands beside them: tests/programs/cards, one
file for each exercise, "# %% NAME: cause", then its outcome, and a part of what its card says."""

import linecache
import re
from pathlib import Path

import pytest

from course_utils.diagnose.visible import assess_visible

FOLDER = Path(__file__).resolve().parents[1] / "programs" / "cards"
HEAD = re.compile(r"^# %% ([^:\n]+): (.+)\n# (.+)\n# says: (.+)\n", re.M)


def programs():
    for path in sorted(FOLDER.glob("*.py")):
        _, *parts = HEAD.split(path.read_text(encoding="utf-8"))
        for start in range(0, len(parts), 5):
            name, _, outcome, words, source = parts[start : start + 5]
            yield pytest.param(path.stem, source, outcome, words, id=f"{path.stem}-{name}")


@pytest.mark.parametrize(("exercise", "source", "outcome", "words"), programs())
def test_a_students_program_gets_its_sentence(exercise, source, outcome, words):
    file, space = f"<ipython-input-{exercise}>", {"__name__": "answer"}
    linecache.cache[file] = (
        len(source),
        None,
        source.splitlines(True),
        file,
    )  # as IPython keeps a cell's source
    exec(compile(source, file, "exec"), space)
    result = assess_visible(exercise, space[exercise])
    left = f"taken, one left {result.points:g}" if result.accepted else "refused"
    assert f"{left}: {result.mistake or 'shown'}" == outcome, result.message
    assert words in result.message
