"""bug_hunt: what a learner calls. Each call shows a card and returns nothing; none raises."""

from difflib import get_close_matches

from ....observe.trial import first_line
from ....show.card import display_both
from ...cards import sentence
from ...due import lesson_here
from ...memory import Fact, now, recall, remember
from ...typed import quoted, shown
from ..desk import BAD_MINUTES, MOST, is_minutes
from . import cards
from .files import level_of, load, names
from .hunter import Hunt, example
from .kind import PREFIX
from .read_input import Unfit

NONE = "No program is open: `bug_hunt()` shows the next one."
DONE = "This one is done: {}"
BAD_NAME = "There is no program called {}.{} `bug_hunt()` shows the next one."
BAD_LEVEL = "`level` is 1, 2 or 3, and {} came."
BAD_LINE = "`line` is the number of a line, from 1 to {}, and {} came."
EMPTY_LINE = "Line {} is empty."
NO_INPUT = "Give an input as well, on which the result is wrong: {}. {}"
TOO_MANY = "The program takes {} arguments, and {} came."
BOTH_RAISE = "This input is none that the program can take: both versions end with {}."
FIRST_FIND = "First the line, and an input on which it shows: {}."
IS_LINE = "`bug_hunt.fix(...)` takes the right line as a text in quotes, or your own {}, and {} came."
NOT_PYTHON = "With this line the program cannot be read: {}."
NO_MAIN = "With this line the program no longer defines `{}`."
WITH_CHANGE = (
    "With this change of line {} the results are right. Now an input on which they are wrong without it: {}."
)


class Hunter:
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip`, `show` are its other calls."""

    def __init__(self):
        self._hunt = None

    def __call__(self, name=None, minutes=None, level=None):
        """Show the next program, or the one that is open; or that of a name, or the next one of a level."""
        if minutes is not None and not is_minutes(minutes):
            say(BAD_MINUTES.format(MOST, quoted(minutes)))
        elif name is not None and name not in names():
            say(bad_name(name))
        elif level is not None and not is_level(level):
            say(BAD_LEVEL.format(quoted(level)))
        else:
            if name is not None or not self._open() or level not in (None, self._hunt.program.level):
                self._hunt = Hunt(load(name or next_name(level)))
            if minutes is not None:
                self._hunt.start_clock(minutes)
            self.show()

    def ask(self, name, then="", since=None):
        """Show a program. then: the sentence on what comes after it. One that was begun since `since` is
        shown as it is now."""
        hunt = self._hunt
        if since is None or hunt is None or hunt.program.name != name or hunt.start < since:
            self._hunt = Hunt(load(name))
        self._hunt.then = then
        self.show()

    def show(self):
        """Show the program again."""
        if self._hunt is None:
            say(NONE)
        else:
            display_both(*cards.program_card(self._hunt))

    def found(self, line=None, *given, **named):
        """Name the line of the bug, and an input on which it shows: the program's arguments, or a dict."""
        if not self._ready():
            return
        hunt, lines = self._hunt, self._hunt.program.lines
        if not is_line(line, hunt.program):
            say(BAD_LINE.format(len(lines), quoted(line) if line is not None else "nothing"))
        elif not lines[line - 1].strip():
            say(EMPTY_LINE.format(line))
        elif not given and not named:
            say(no_input(hunt.program, line))
        else:
            self._guess(line, given, named)

    def clean(self):
        """Say that the program has no bug."""
        if not self._ready():
            return
        verdict = self._hunt.say_clean()
        note = self._remember() if verdict.kind == "clean" else None
        display_both(*cards.verdict_card(self._hunt, verdict, 0, [note]))

    def fix(self, answer=None, line=None):
        """Give the right line as a text, or a function or class that is right."""
        if self._hunt is None or self._hunt.over:
            say(NONE if self._hunt is None else DONE.format(cards.next_line(self._hunt)))
        elif isinstance(answer, str):
            self._fix_line(answer, line)
        elif not self._hunt.found:
            say(FIRST_FIND.format(cards.example_call(self._hunt.program)))
        elif not callable(answer):
            came = "nothing" if answer is None else shown(type(answer).__name__)
            say(IS_LINE.format(f"`{self._hunt.program.main}`", came))
        else:
            self._judge_fix(answer)

    def hint(self):
        """Where to look; then on which inputs it does not show."""
        if self._ready():
            self._hunt.hints += 1
            display_both(*cards.hint_card(self._hunt))

    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        if self._hunt is None or self._hunt.over:
            say(NONE if self._hunt is None else DONE.format(cards.next_line(self._hunt)))
            return
        hunt = self._hunt
        note = None if hunt.found else self._remember(right=False)
        hunt.over = True
        display_both(*cards.skipped_card(hunt, example(hunt.program) if hunt.program.bug else None, [note]))

    def __repr__(self):
        return "bug_hunt() shows a program; bug_hunt.found(line, ...) says where its bug is."

    # ---- how the calls are done

    def _open(self):
        return self._hunt is not None and not self._hunt.over

    def _ready(self):
        """Is a program open whose bug is not found yet? If not, it is said."""
        if self._open() and not self._hunt.found:
            return True
        if self._open():
            display_both(*cards.now_fix_card(self._hunt))
        else:
            say(NONE if self._hunt is None else DONE.format(cards.next_line(self._hunt)))
        return False

    def _guess(self, line, given, named):
        hunt = self._hunt
        try:
            given, _ = hunt.program.read(by_name(hunt.program, given, named))
        except Unfit as unfit:
            say(str(unfit))
            return
        verdict = hunt.guess(line, given)
        if verdict.shown.error and verdict.right.error:
            hunt.tries -= 1
            say(BOTH_RAISE.format(verdict.right.error))
            return
        note = self._remember() if verdict.kind == "found" else None
        display_both(*cards.verdict_card(hunt, verdict, line, [note]))

    def _remember(self, right=None):
        """Keep the fact; a sentence where it could not be kept, else None."""
        hunt = self._hunt
        right = hunt.counts() if right is None else right
        return remember(Fact(PREFIX + hunt.program.name, now(), right, None, lesson_here()))

    def _fix_line(self, text, line):
        hunt = self._hunt
        program = hunt.program
        number = hunt.line if line is None else line
        if number is None:
            say(FIRST_FIND.format(cards.example_call(program)))
        elif not is_line(number, program):
            say(BAD_LINE.format(len(program.lines), quoted(number)))
        else:
            try:
                made = program.object_of(program.with_change(number, text))
            except KeyError:
                say(NO_MAIN.format(program.main))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # of a text that is no Python, or that raises
                say(NOT_PYTHON.format(f"{type(error).__name__}: {first_line(error)}"))
            else:
                self._judge_fix(made, number)

    def _judge_fix(self, made, line=None):
        hunt = self._hunt
        verdict = hunt.try_object(made)
        if verdict.kind == "fixed" and not hunt.found:
            hunt.places.add(line)
            say(WITH_CHANGE.format(line, cards.example_call(hunt.program, line)))
            return
        hunt.over = verdict.kind == "fixed"
        display_both(*cards.verdict_card(hunt, verdict, line))


def say(*lines):
    display_both(*sentence(*filter(None, lines)))


def bad_name(name):
    near = get_close_matches(name, names(), n=1, cutoff=0.5) if isinstance(name, str) else []
    return BAD_NAME.format(shown(name), f' Did you mean "{near[0]}"?' if near else "")


def next_name(level=None):
    """The first program, of this level if one is given, that was never asked; after all, one that was missed,
    or else the oldest."""
    every = [name for name in names() if level in (None, level_of(name))]
    last = {fact.name.removeprefix(PREFIX): fact for fact in recall()[0] if fact.name.startswith(PREFIX)}
    new = [name for name in every if name not in last]
    if new:
        return new[0]
    return min(every, key=lambda name: (last[name].right, last[name].when))


def no_input(program, line):
    return NO_INPUT.format(cards.example_call(program, line), cards.random_sizes(program)).strip()


def is_level(level):
    return isinstance(level, int) and not isinstance(level, bool) and level in map(level_of, names())


def is_line(number, program):
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(program.lines)


def by_name(program, given, named):
    """{argument: value} of what was given in order, or as one dict, and by name."""
    if len(given) == 1 and isinstance(given[0], dict):
        return {**given[0], **named}
    if len(given) > len(program.inputs):
        raise Unfit(TOO_MANY.format(len(program.inputs), len(given)))
    return {**dict(zip(program.inputs, given, strict=False)), **named}
