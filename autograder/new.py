"""Create a sample exercise or lesson under a given name, for an author to change.

The sample is the example in docs/contributing.md, renamed. It can be built, tested and graded as it is.
"""

import keyword
import re

from .exercises import FOLDER, names
from .refused import AuthorError

PAGE, EXAMPLE = "docs/contributing.md", "open_keys"
BLOCK = re.compile(r"^```(?:python|py)\n(.*?)^```$", re.M | re.S)
TEST_CELL = re.compile(r"^# %%.*\"grade_id\": \"test_.*\n(?:(?!# %%).*\n)*", re.M)
ROWS = re.compile(r"(?:^\| \d\d .*\n)+", re.M)
LESSON = (
    "# %% [markdown]\n# # {}\n#\n# <!-- minutes -->\n#\n# What it is about, in two or three sentences.\n\n"
)
NO_EXERCISE = (
    "a function's name has small letters, digits and _; to start a class, copy an existing exercise file"
)
WRITTEN = (
    "Written, to be changed as you like: it builds, tests and grades as it is.\n{}\n{} says what comes next."
)


def new_exercise(root, name, lesson):
    """Write the exercise `name` and its cells in a lesson; return a message that lists the files. Raises
    AuthorError, before anything is written, if the name or the lesson is not usable."""
    source = root / "solutions" / lesson / f"{lesson}.py"
    part = root / "autograder" / FOLDER.name / re.sub(r"^\d+_", "", lesson)
    declaration, programs = part / f"{name}.py", root / "tests" / "programs" / f"{name}.py"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise AuthorError(f"{name!r} cannot be an exercise's name: {NO_EXERCISE}")
    if not source.is_file():
        lessons = ", ".join(sorted(path.name for path in root.glob("solutions/[0-9]*")))
        raise AuthorError(f"there is no lesson {lesson}: there are {lessons}; new-lesson makes one")
    if name in names() or declaration.exists() or programs.exists():
        raise AuthorError(f"there is an exercise {name} already: choose another name, or change that one")
    exercise, cells, answers = (text.replace(EXAMPLE, name) for text in examples(root, "Add an exercise")[:3])
    part.mkdir(exist_ok=True)
    if not (part / "__init__.py").exists():
        (part / "__init__.py").write_text(f'"""{lesson}."""\n', encoding="utf-8")
    declaration.write_text(exercise, encoding="utf-8")
    programs.write_text(answers, encoding="utf-8")
    text = source.read_text(encoding="utf-8").rstrip() + "\n\n"
    place = max((match.end() for match in TEST_CELL.finditer(text)), default=len(text))
    heading = f"# %% [markdown]\n# ### Exercise: {name}\n\n"
    source.write_text(f"{text[:place]}{heading}{cells}\n{text[place:]}".rstrip() + "\n", encoding="utf-8")
    files = "\n".join(f"  {path.relative_to(root)}" for path in (declaration, programs, source))
    return WRITTEN.format(files, PAGE)


def new_lesson(root, name):
    """Write the lesson `name` and its row in the README's map; return a message that lists the files. Raises
    AuthorError, before anything is written, if the name is not usable."""
    lessons = {path.name[:2]: path.name for path in root.glob("solutions/[0-9]*") if path.is_dir()}
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", name):
        raise AuthorError(f"{name!r} cannot be a lesson's name: two digits, _, and small letters: 09_mine")
    if name[:2] in lessons:
        raise AuthorError(f"the number {name[:2]} is taken by {lessons[name[:2]]}: choose another one")
    source, readme = root / "solutions" / name / f"{name}.py", root / "README.md"
    cells, *_ = examples(root, "Add a lesson")
    source.parent.mkdir(parents=True)
    source.write_text(LESSON.format(name) + cells, encoding="utf-8")
    row = f"| {name[:2]} {name[3:].replace('_', ' ')} | ? | what you build | what you can then explain |\n"
    text = ROWS.sub(lambda rows: rows[0] + row, readme.read_text(encoding="utf-8"), count=1)
    readme.write_text(text, encoding="utf-8")
    return WRITTEN.format(f"  {source.relative_to(root)}\n  README.md (its row in the map)", PAGE)


def examples(root, heading):
    """Return the Python code blocks under this heading of the page for contributors."""
    page = (root / PAGE).read_text(encoding="utf-8")
    return BLOCK.findall(page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0])
