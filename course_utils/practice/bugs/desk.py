"""bug_hunt: what a learner calls. Each call shows a card and returns nothing; none raises."""

from ...observe.trial import in_words
from .. import log
from ..card import say
from ..questions import lesson_here
from ..session import Desk, bad_minutes, is_count, is_flag, is_minutes, is_text, unknown
from ..typed import kind_of, quoted
from . import pages
from .hunt import Hunt, example
from .inputs import Unfit
from .program import levels

PREFIX = "hunt:"
NONE = "No program is open: `bug_hunt()` shows the next one."
DONE = "This one is done: {}"
IS_FOUND = "The bug is found."
LEVELS = 1, 2, 3
BAD_LINE = "`line` is the number of a line, from 1 to {}, and {} came."
EMPTY_LINE = "Line {} is empty."
NO_INPUT = "Give an input as well, on which the result is wrong: {}. {}"
TOO_MANY = "The program takes {} arguments, and {} came."
BOTH_RAISE = "The program cannot take this input: both versions end with {}."
FIRST_FIND = "First the line, and an input on which it shows: {}."
IS_LINE = "`bug_hunt.fix(...)` takes the right line as a text in quotes, or your own `{}`, and {} came."
NOT_PYTHON = "With this line the program cannot be read: {}."
NO_MAIN = "With this line the program no longer defines `{}`."
WITH_CHANGE = (
    "With this change of line {} the results are right. Now an input on which they are wrong without it: {}."
)
NO_BUG_HINT = "Some programs have no bug. Take a line that you suspect, and work out by hand what it gives."
NO_MORE = "There is no further hint: `bug_hunt.skip()` shows the answer."
MOST_HINTS = 2


class Hunter(Desk):
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip` are its other calls."""

    log_name, none, Session = "hunts", NONE, Hunt
    fields = {
        "start": {"program": is_text},
        "try": {"line": is_count, "result": is_text},
        "clean": {"right": is_flag},
        "hint": {},
        "place": {"line": is_count},
        "clock": {"minutes": is_minutes},
        "end": {},
    }

    def __call__(self, name=None, minutes=None, level=None):
        """Show the next program, or the one that is open; or that of a name, or the next one of a level."""
        if minutes is not None and bad_minutes(minutes):
            say(bad_minutes(minutes))
        elif name is not None and name not in list(levels()):
            say(unknown("program", name, list(levels()), pages.NEXT[""]))
        elif level is not None and not (is_count(level) and level in LEVELS):
            say(unknown("level", level, LEVELS))
        else:
            hunt = self.newest()
            if name or hunt is None or hunt.closed or level not in (None, hunt.program.level):
                hunt, _ = self.begin(program=name or next_name(level))
            if minutes is not None:
                hunt.keep("clock", minutes=minutes)
            pages.program_card(hunt).show()

    def newest(self):
        """The hunt that was begun last, done or not."""
        return next(reversed(self.sessions()[0]), None)

    def ask(self, name, of="", since=None):
        """Show a program; of="mock" where a mock interview asks it. One that was begun since `since` is shown
        as it is now."""
        hunt = self.newest()
        if since is None or hunt is None or hunt.about["program"] != name or hunt.start < since:
            hunt, _ = self.begin(program=name, of=of)
        pages.program_card(hunt).show()

    def found(self, line=None, *given, **named):
        """Name the line of the bug, and an input on which it shows: the program's arguments, or a dict."""
        hunt = self._searching()
        if hunt is None:
            return
        program = hunt.program
        if not is_line(line, program):
            say(BAD_LINE.format(len(program.lines), "nothing" if line is None else quoted(line)))
        elif not program.lines[line - 1].strip():
            say(EMPTY_LINE.format(line))
        elif not given and not named:
            say(NO_INPUT.format(pages.example_call(program, line), pages.random_sizes(program)).strip())
        else:
            try:
                judged = hunt.guess(line, program.read(by_name(program, given, named)))
            except Unfit as unfit:
                say(str(unfit))
                return
            if judged.kind == "raise":
                say(BOTH_RAISE.format(judged.right.error))
                return
            note = self._remember(hunt, hunt.counts) if judged.kind == "found" else None
            pages.verdict_card(hunt, judged, line, [note]).show()

    def clean(self):
        """Say that the program has no bug."""
        hunt = self._searching()
        if hunt is not None:
            judged = hunt.say_clean()
            note = None
            if judged.kind == "clean":
                note = self._remember(hunt, hunt.counts)
                hunt.keep("end")
            pages.verdict_card(hunt, judged, 0, [note]).show()

    def fix(self, answer=None, line=None):
        """Give the right line as a text, or a function or class that is right."""
        hunt = self._open()
        if hunt is None:
            return
        program = hunt.program
        if isinstance(answer, str):
            self._fix_line(hunt, answer, hunt.found if line is None else line)
        elif not hunt.found:
            say(FIRST_FIND.format(pages.example_call(program)))
        elif not callable(answer):
            say(IS_LINE.format(program.main, "nothing" if answer is None else kind_of(answer)))
        else:
            self._judge_fix(hunt, answer)

    def hint(self):
        """Where to look; then on which inputs it does not show."""
        hunt = self._searching()
        if hunt is None:
            return
        hunt.keep("hint", nth=hunt.hints + 1)
        program = hunt.program
        if not program.bug:
            text = NO_BUG_HINT
        elif hunt.hints == 1 or not program.same:
            text = "Look at lines {} to {}.".format(*hunt.region())
        else:
            text = f"An input on which it does not show: {next(iter(program.same))}"
        say(text, NO_MORE if hunt.hints > MOST_HINTS else None)

    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        hunt = self._open()
        if hunt is not None:
            note = None if hunt.found else self._remember(hunt, False)
            hunt.keep("end")
            pages.skipped_card(hunt, example(hunt.program.name), [note]).show()

    def __repr__(self):
        return "bug_hunt() shows a program; bug_hunt.found(line, ...) says where its bug is."

    # ---- helpers of the calls

    def _open(self):
        """The hunt that is open; None, after a card that says so."""
        hunt = self.newest()
        if hunt is not None and not hunt.closed:
            return hunt
        say(NONE if hunt is None else DONE.format(pages.next_line(hunt)))

    def _searching(self):
        """The open hunt whose bug is not found yet; None, after a card that says so."""
        hunt = self._open()
        if hunt is None or not hunt.found:
            return hunt
        say(IS_FOUND, pages.HOW_TO_FIX.format(hunt.program.main))

    def _remember(self, hunt, right):
        """Keep the fact; a sentence where it could not be kept, else None."""
        return log.remember(log.Fact(PREFIX + hunt.program.name, log.now(), right, None, lesson_here()))

    def _fix_line(self, hunt, text, number):
        program = hunt.program
        if number is None:
            say(FIRST_FIND.format(pages.example_call(program)))
        elif not is_line(number, program):
            say(BAD_LINE.format(len(program.lines), quoted(number)))
        else:
            try:
                main = program.object_of(program.with_line(number, text))
            except KeyError:
                say(NO_MAIN.format(program.main))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # of a text that is no Python, or that raises
                say(NOT_PYTHON.format(": ".join(in_words(error))))
            else:
                self._judge_fix(hunt, main, number)

    def _judge_fix(self, hunt, main, line=None):
        judged = hunt.try_object(main)
        if judged.kind == "fixed" and not hunt.found:
            hunt.keep("place", line=line)
            say(WITH_CHANGE.format(line, pages.example_call(hunt.program, line)))
            return
        if judged.kind == "fixed":
            hunt.keep("end")
        pages.verdict_card(hunt, judged, line).show()


def next_name(level=None):
    """The first program, of this level if one is given, that was never asked; after all, one that was missed,
    or else the oldest."""
    every = [name for name, own in levels().items() if level in (None, own)]
    last = {fact.name.removeprefix(PREFIX): fact for fact in log.recall()[0] if fact.name.startswith(PREFIX)}
    new = [name for name in every if name not in last]
    return new[0] if new else min(every, key=lambda name: (last[name].right, last[name].when))


def is_line(number, program):
    return is_count(number) and 1 <= number <= len(program.lines)


def by_name(program, given, named):
    """{argument: value} of what was given in order, or as one dict, and by name."""
    if len(given) == 1 and isinstance(given[0], dict):
        return {**given[0], **named}
    if len(given) > len(program.inputs):
        raise Unfit(TOO_MANY.format(len(program.inputs), len(given)))
    return {**dict(zip(program.inputs, given, strict=False)), **named}
