"""`author` says what an exercise lacks; --renew writes what may be accepted, and the rest stays missing."""

import pytest

from autograder import author
from autograder.author import about_mistakes, examine
from autograder.exercises import load
from autograder.refused import AuthorError
from tests import programs
from tests.release import record
from tests.release.implementations import outcomes

NAME = "causal_mask"


@pytest.fixture
def empty_records(tmp_path, monkeypatch):
    """Nothing is recorded, and one program has no outcome beside it and another a wrong one."""
    first, second, *_ = programs.read(NAME)
    monkeypatch.setattr(programs, "FOLDER", tmp_path)
    monkeypatch.setattr(record, "RECORDS", tmp_path / "records")
    cells = f"# %% first\n{first.source}# %% second\n# refused: nothing\n{second.source}"
    (tmp_path / f"{NAME}.py").write_text(cells)


def test_a_whole_exercise_lacks_nothing_and_its_sentences_programs_and_minutes_are_shown():
    lines, lacks = examine(NAME)
    assert lacks == []
    text = "\n".join(lines)
    for mistake in load(NAME).mistakes:
        assert f"    {mistake.name}: " in text
    assert all(program.name in text for program in programs.read(NAME))
    assert "00_start_here: " in text


@pytest.mark.usefixtures("empty_records")
def test_what_is_missing_is_listed_and_renew_records_what_is_seen():
    about = [
        "a record of what its mistakes get: --renew writes it",
        f"the outcome beside the program first: {author.RENEW}",
        f"the outcome beside the program second: {author.RENEW}",
    ]
    too_few = [f"right programs in tests/programs/: {n} of at least 6" for n in (0, 2)]
    assert examine(NAME)[1] == [*about, too_few[0]]
    assert examine(NAME, renew=True)[1] == [too_few[1]]
    assert record.read(NAME) == outcomes(NAME)
    assert [program.expected for program in programs.read(NAME)] == ["taken", "taken"]


def test_a_mistake_that_passes_or_gets_another_name_is_missing():
    seen = outcomes(NAME)
    first, second, *_ = (mistake.name for mistake in load(NAME).mistakes)
    passing, renamed = (f"mistake/{first}/0", "11"), (f"mistake/{second}/0", record.VISIBLE)
    seen[passing] = seen[passing]._replace(points=load(NAME).points)
    seen[renamed] = seen[renamed]._replace(mistake=None, sentence="Else.")
    assert sorted(about_mistakes(NAME, seen)[1]) == [
        f"a case that shows {passing[0]} (11): it earns full marks",
        f"the name of {renamed[0]} on its card (visible): Else.",
    ]


def test_the_readmes_minutes_are_missing_until_they_are_renewed(tmp_path, monkeypatch):
    text = author.README.read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| 00 "))
    monkeypatch.setattr(author, "README", tmp_path / "README.md")
    author.README.write_text(text.replace(row, row.replace(" | ", " | 1", 1)), encoding="utf-8")
    lacks = ["the lessons' minutes in the README: --renew writes them"]
    assert [author.about_readme(renew) for renew in (False, False, True, False)] == [lacks, lacks, [], []]
    assert author.README.read_text(encoding="utf-8") == text


def test_an_unknown_exercise_is_refused():
    with pytest.raises(AuthorError, match="^there is no exercise soft_max: new-exercise writes one$"):
        author.run([NAME, "soft_max"], renew=False)
