"""bug_hunt: what a learner calls."""

from ...observe.trial import exception_of, in_words
from .. import log
from ..card import Refusal, for_learners, say
from ..session import Desk, check_minutes, check_name
from ..typed import kind_of, quoted
from . import pages
from .hunt import Hunt, Verdict, example
from .program import levels

PREFIX = "hunt:"
LEVELS = 1, 2, 3


@for_learners
class Hunter(Desk):
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip` are its other calls."""

    log_name, none, Session = "hunts", f"No program is open: {pages.NEXT['']}", Hunt

    def __call__(self, name=None, minutes=None, level=None):
        """Show the next program, or the one that is open; or that of a name, or the next one of a level. With
        minutes it begins anew, on a clock."""
        if minutes is not None:
            check_minutes(minutes)
        if name is not None:
            check_name("program", name, list(levels()), pages.NEXT[""])
        if level is not None:
            check_name("level", level, LEVELS)
        hunt = next(reversed(self.sessions()[0]), None)
        is_open = hunt is not None and not hunt.closed and level in (None, hunt.program.level)
        if name or minutes or not is_open:
            name = name or (hunt.subject if is_open else next_name(level))
            hunt, _ = self.begin(program=name, minutes=minutes)
        pages.program_card(hunt).show()

    def ask(self, name, of="", since=None):
        """Show a program; of="mock" where a mock interview asks it. One that was begun since `since` is shown
        as it is now."""
        hunt = next(reversed(self.sessions()[0]), None)
        if since is None or hunt is None or hunt.subject != name or hunt.start < since:
            hunt, _ = self.begin(program=name, of=of)
        pages.program_card(hunt).show()

    def found(self, line=None, *given, **named):
        """Name the line of the bug, and an input on which it shows: the program's arguments."""
        hunt = self.running(searching=True)
        program = hunt.program
        check_line(line, program)
        if not given and not named:
            raise Refusal(f"Not only the line, but also {pages.how_to_try(program, line)}")
        judged = hunt.guess(line, program.read(*given, **named))
        note = remember(hunt, hunt.counts) if judged.kind == "found" else None
        pages.verdict_card(hunt, judged, line, note).show()

    def clean(self):
        """Say that the program has no bug."""
        hunt, note = self.running(searching=True), None
        hunt.keep("clean", right=not hunt.program.bug)
        if not hunt.program.bug:
            note = remember(hunt, hunt.counts)
            hunt.keep("end")
        pages.verdict_card(hunt, Verdict("not_clean" if hunt.program.bug else "clean"), 0, note).show()

    def fix(self, answer=None, line=None):
        """Give the right line as a text, or a function or class that is right."""
        hunt = self.running()
        program, is_line = hunt.program, isinstance(answer, str)
        line = line if is_line and line is not None else hunt.found
        if not line:
            raise Refusal(f"First the line, and an input on which it shows: {pages.example_call(program)}.")
        check_line(line, program)
        if not is_line and not callable(answer):
            came = "nothing" if answer is None else kind_of(answer)
            own = f"your own `{program.main}`"
            raise Refusal(
                f"`bug_hunt.fix(...)` takes the right line as a text in quotes, or {own}, and {came} came."
            )
        judged = hunt.try_object(with_line(program, line, answer) if is_line else answer)
        if judged.kind == "fixed" and not hunt.found:
            hunt.keep("place", line=line)
            right = f"With this change of line {line} the results are right"
            call = pages.example_call(program, line)
            raise Refusal(f"{right}. Now an input on which they are wrong without it: {call}.")
        if judged.kind == "fixed":
            hunt.keep("end")
        pages.verdict_card(hunt, judged, line).show()

    def hint(self):
        """Where to look; then on which inputs it does not show."""
        hunt = self.running(searching=True)
        hunt.keep("hint", nth=hunt.hints + 1)
        program = hunt.program
        if not program.bug:
            text = (
                "Some programs have no bug. Take a line that you suspect, and work out by hand what it gives."
            )
        elif hunt.hints == 1 or not program.same:
            text = "Look at lines {} to {}.".format(*hunt.region())
        else:
            text = f"An input on which it does not show: {next(iter(program.same))}"
        last = "There is no further hint: `bug_hunt.skip()` shows the answer."
        say(text, last if hunt.hints > 2 else None)

    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        hunt = self.running()
        note = None if hunt.found else remember(hunt, False)
        hunt.keep("end")
        pages.skipped_card(hunt, example(hunt.program.name), note).show()

    def running(self, searching=False):
        """The hunt that was begun last, while it is open; searching: while its bug is not found."""
        hunt = self.newest()
        if hunt.closed:
            raise Refusal(f"This one is done: {pages.next_line(hunt)}")
        if searching and hunt.found:
            raise Refusal("The bug is found.", pages.HOW_TO_FIX.format(hunt.program.main))
        return hunt


def remember(hunt, right):
    """Keep the fact; a sentence where it could not be kept, else None."""
    return log.remember(log.Fact(PREFIX + hunt.program.name, log.now(), right))


def next_name(level=None):
    """The first program, of this level if one is given, that was never asked; after all, one that was missed,
    or else the oldest."""
    every = [name for name, own in levels().items() if level in (None, own)]
    last = {fact.name.removeprefix(PREFIX): fact for fact in log.recall()[0] if fact.name.startswith(PREFIX)}
    new = [name for name in every if name not in last]
    return new[0] if new else min(every, key=lambda name: (last[name].right, last[name].when))


def check_line(number, program):
    last = len(program.lines)
    if number not in range(1, last + 1):
        came = "nothing" if number is None else quoted(number)
        raise Refusal(f"`line` is the number of a line, from 1 to {last}, and {came} came.")


def with_line(program, number, text):
    """The program's main object, with another text in the place of one line."""
    objects = []
    error = exception_of(lambda: objects.append(program.object_of(program.with_line(number, text))))
    if isinstance(error, KeyError):
        raise Refusal(f"With this line the program no longer defines `{program.main}`.")
    if error is not None:
        raise Refusal(f"With this line the program cannot be read: {': '.join(in_words(error))}.")
    return objects[0]
