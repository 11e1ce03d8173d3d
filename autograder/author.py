"""Say what an exercise still lacks, and show its mistakes, programs and minutes as they are now.

In: names of exercises. Out: lines for their author, with what is missing; with `renew`, also the record of
their mistakes, the outcomes beside their sample programs, and the minutes in the README.
"""

import re
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import torch

from autograder.exercises import file_of, load, names
from autograder.publish.build import lesson_order, sheet_text
from autograder.publish.generate import complete
from autograder.publish.lesson import current, lesson_sources
from autograder.publish.minutes import Times, times_of, to_five
from autograder.refused import AuthorError
from tests import programs
from tests.release import implementations, record

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
FEWEST_MISTAKES, FEWEST_RIGHT_PROGRAMS = 5, 6
NAMED = record.VISIBLE, str(record.SEEDS[0])  # the cases on which a mistake must get its name
RENEW = "read what differs, then accept it with --renew"


def run(only: list[str], renew: bool) -> bool:
    """Print the lines and what is missing for these exercises, or all; return whether anything is missing.
    renew: accept the outcomes and minutes of today first."""
    if unknown := [name for name in only if name not in names()]:
        raise AuthorError(f"there is no exercise {unknown[0]}: new-exercise writes one")
    lacks = about_readme(renew)
    with ProcessPoolExecutor(2, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        for lines, lacks_here in pool.map(partial(examine, renew=renew), only or names()):
            print(*lines, *(f"missing: {text}" for text in lacks_here), "", sep="\n", flush=True)
            lacks += lacks_here
    print(f"{len(lacks)} missing: {'; '.join(lacks)}" if lacks else "Nothing is missing.")
    return bool(lacks)


def examine(name: str, renew: bool = False) -> tuple[list[str], list[str]]:
    """Return (lines about the exercise, what it lacks)."""
    outcomes = implementations.outcomes(name)
    samples = programs.read(name) if name in programs.exercise_names() else []
    results = {program.name: program.results() for program in samples}
    if renew:
        record.write(name, outcomes)
        if samples:
            programs.renew(name, {who: programs.expectation(result) for who, result in results.items()})
            samples = programs.read(name)
    parts = (
        about_mistakes(name, outcomes),
        about_record(name, outcomes),
        about_programs(samples, results),
        about_lesson(name),
    )
    lines, lacks = ([line for part in parts for line in part[side]] for side in (0, 1))
    return [f"{name}: {load(name).points:g} points, {file_of(name).relative_to(ROOT)}", *lines], lacks


def about_mistakes(name, outcomes):
    """Each mistake with the sentence on its card; those without a card of their own are missing."""
    exercise, lines, lacks = load(name), ["mistakes:"], []
    mistakes = dict.fromkeys(mistake.name for mistake in exercise.mistakes)
    for mistake in mistakes:
        lines.append(f"    {mistake}: {outcomes[f'mistake/{mistake}/0', record.VISIBLE].sentence}")
    for (who, seed), outcome in outcomes.items():
        kind, *mistake = who.split("/")
        if kind == "mistake" and outcome.points == exercise.points:
            lacks.append(f"a case that shows {who} ({seed}): it earns full marks")
        elif kind == "mistake" and seed in NAMED and outcome.mistake != mistake[0]:
            lacks.append(f"the name of {who} on its card ({seed}): {outcome.sentence}")
        elif kind == "reference" and outcome.status != "passed":
            lacks.append(f"a reference that passes ({seed}): {outcome.sentence}")
    if len(mistakes) < FEWEST_MISTAKES:
        lacks.append(f"mistakes: {len(mistakes)} of at least {FEWEST_MISTAKES}")
    if not exercise.hints:
        lacks.append("hints, from a question to nearly the answer")
    return lines, lacks


def about_record(name, outcomes):
    """How the outcomes of the reference and the mistakes differ from the record."""
    recorded = record.read(name)
    if not recorded:
        return ["record: none"], ["a record of what its mistakes get: --renew writes it"]
    lines = [
        f"    {who} ({' '.join(seeds)})\n        was {was}\n        now {now}"
        for (who, was, now), seeds in record.differences(recorded, outcomes).items()
    ]
    lacks = [f"outcomes as recorded: {RENEW}"] if lines else []
    return [f"record: {len(recorded)} outcomes, {len(lines)} differ", *lines], lacks


def about_programs(samples, results):
    """What the sample programs get, beside what is expected of them if that differs."""
    lines, lacks = [f"programs: {len(samples)}"], []
    for program in samples:
        now = programs.expectation(results[program.name])
        lines.append(f"    {program.name:40} {now}")
        if now != program.expected:
            lacks.append(f"the outcome beside the program {program.name}: {RENEW}")
            sentences = dict.fromkeys(result.message for result in results[program.name].values())
            lines += [
                f"        {text}" for text in (f"expected: {program.expected or 'nothing'}", *sentences)
            ]
    right = sum(program.is_right for program in samples)
    if right < FEWEST_RIGHT_PROGRAMS:
        lacks.append(f"right programs in tests/programs/: {right} of at least {FEWEST_RIGHT_PROGRAMS}")
    return lines, lacks


def about_lesson(name):
    """The minutes of its lesson's sections, and whether its published sheet is up to date."""
    lessons = [lesson for lesson, exercises in lesson_order(ROOT).items() if name in exercises]
    if not lessons:
        return ["lesson: none"], ["two cells in a lesson"]
    (lesson,) = lessons
    times, sheet = lesson_times(ROOT / "solutions" / lesson / f"{lesson}.py"), published_sheet(name)
    sittings = ", ".join(str(to_five(minutes)) for minutes in times.sittings)
    lines = [f"{lesson}: {format_minutes(times)} minutes, in sittings of {sittings}"]
    lines += [f"    {section.minutes:5.1f}  {section.title}" for section in times.sections]
    return lines, [] if sheet == sheet_text(name) else ["an up-to-date sheet: make notebooks"]


def published_sheet(name):
    path = ROOT / "course_utils" / "answers" / f"{name}.json"
    return path.read_text(encoding="utf-8") if path.exists() else ""


# ---- the minutes in the README


def about_readme(renew: bool) -> list[str]:
    """What the README lacks; renew: write the minutes of today into it first."""
    old = README.read_text(encoding="utf-8")
    new = with_minutes(old, all_times())
    if renew:
        README.write_text(new, encoding="utf-8")
    return [] if renew or old == new else ["the lessons' minutes in the README: --renew writes them"]


def all_times() -> dict[str, Times]:
    """Return {lesson: Times}, from the lessons' sources."""
    return {py.stem: lesson_times(py) for py in lesson_sources(ROOT)}


def lesson_times(py):
    nb = current(py)
    complete(nb, py)
    return times_of(nb)


def format_minutes(times):
    """Format the minutes of a lesson for the README's table."""
    return f"{times.core} of {times.total}" if times.has_optional else f"{times.total}"


def with_minutes(text, times):
    """Return the README's text with the second column of its table updated, and the sum in its last row."""
    for lesson, minutes in ((lesson, format_minutes(of_lesson)) for lesson, of_lesson in times.items()):
        text = re.sub(rf"^(\| {lesson[:2]} [^|]*\|)[^|]*\|", rf"\1 {minutes} |", text, flags=re.M)
    sums = f"{sum(t.core for t in times.values())} of {sum(t.total for t in times.values())}"
    return re.sub(r"^(\| all \|)[^|]*\|", rf"\1 {sums} |", text, flags=re.M)
