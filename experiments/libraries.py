"""Record what lesson 06 prints with other people's libraries: `python -m experiments.libraries`."""

import contextlib
import io
import re
from pathlib import Path

import matplotlib as mpl

from autograder.publish.lesson import current
from course_utils.wild import others

LESSON = Path(__file__).parents[1] / "solutions" / "06_in_the_wild" / "06_in_the_wild.py"
RECORD = Path(others.__file__).with_name("recorded.toml")
CALL = re.compile(r'library\("[\w.]+", "(\w+)"\)')


def main():
    """Run the lesson's code cells in order; one that asks for a library prints its version first."""
    mpl.use("agg")
    space, records = {}, []
    for cell in current(LESSON).cells:
        if cell.cell_type != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(cell.source, str(LESSON), "exec"), space)
        for name in CALL.findall(cell.source):
            lines = [line for line in printed.getvalue().splitlines() if not line.startswith("yours gives")]
            quoted = "\n".join(lines[1:])
            records.append(f"[{name}]\nversion = \"{lines[0]}\"\nlines = '''\n{quoted}'''\n")
    RECORD.write_text("\n".join(records), encoding="utf-8")
    print(RECORD.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
