"""Print the minutes of every section, and write those of the lessons into the README's table."""

import re
from pathlib import Path

from autograder.publish.generate import complete
from autograder.publish.lesson import current, lesson_sources
from autograder.publish.minutes import times_of, to_five

ROOT = Path(__file__).resolve().parents[1]


def all_times(root=ROOT):
    """Return {lesson: Times}, from the lessons' sources."""
    return {py.stem: lesson_times(py) for py in lesson_sources(root)}


def lesson_times(py):
    nb = current(py)
    complete(nb, py)
    return times_of(nb)


def format_minutes(times):
    """Format the minutes of a lesson for the README's table."""
    return f"{times.core} of {times.total}" if times.has_optional else f"{times.total}"


def with_minutes(text, times):
    """Return the README's text with the second column of its table updated, and the sum in its last row."""
    for lesson, lesson_times in times.items():
        row = rf"^(\| {lesson[:2]} [^|]*\|)[^|]*\|"
        text = re.sub(
            row,
            lambda match, lesson_times=lesson_times: f"{match[1]} {format_minutes(lesson_times)} |",
            text,
            flags=re.M,
        )
    sums = f"{sum(t.core for t in times.values())} of {sum(t.total for t in times.values())}"
    return re.sub(r"^(\| all \|)[^|]*\|", rf"\1 {sums} |", text, flags=re.M)


def main():
    for lesson, times in all_times().items():
        print(f"{lesson}: {times.total} minutes, sittings {[to_five(m) for m in times.sittings]}")
        for section in times.sections:
            print(f"    {section.minutes:5.1f}  {section.title}")
    readme = ROOT / "README.md"
    readme.write_text(with_minutes(readme.read_text(encoding="utf-8"), all_times()), encoding="utf-8")


if __name__ == "__main__":
    main()
