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
    records = record()
    parts = (
        f"[{name}]\nversion = \"{version}\"\nlines = '''\n{lines}'''\n"
        for name, (version, lines) in records.items()
    )
    RECORD.write_text("\n".join(parts), encoding="utf-8")
    print(RECORD.read_text(encoding="utf-8"))


def record():
    """Run the lesson's code cells in order; return {name: (library and version, its cell's output)}."""
    mpl.use("agg")
    space, records = {}, {}
    for cell in current(LESSON).cells:
        if cell.cell_type != "code":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(cell.source, str(LESSON), "exec"), space)
        for name in CALL.findall(cell.source):
            version, *lines = printed.getvalue().splitlines()
            records[name] = version, "\n".join(line for line in lines if not line.startswith("yours gives"))
    return records


if __name__ == "__main__":
    main()
