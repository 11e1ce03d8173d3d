"""bug_hunt: what a learner calls."""

from ...observe.trial import exception_of, in_words
from .. import log
from ..card import Card, Refusal, for_learners, say, verdict
from ..session import Desk, Session, check_minutes, check_name
from ..typed import kind_of, quoted
from . import pages
from .pages import text
from .program import levels, load
from .run import DRAWS, both, difference, example, fault_of

PREFIX = "hunt:"


class Hunt(Session):
    """Events: "try" (a line was named), "clean", "hint", "place" (a right fix in another line), "end". Files
    of November 2026 also have "clock"."""

    SUBJECT, EVENTS = "program", {"start", "try", "clean", "hint", "place", "clock", "end"}

    @property
    def program(self):
        return load(self.subject)

    @property
    def closed(self):
        return super().closed or self.subject not in levels()

    @property
    def tries(self):
        return len(self.of("try") + self.of("clean"))

    @property
    def found(self):
        """The line that was found, with an input that shows it; None before that."""
        return next((event["line"] for event in self.of("try", result="found")), None)

    @property
    def places(self):
        """The lines that count as the place of the bug."""
        return [*self.program.places, *(event["line"] for event in self.of("place"))]

    def remember(self, right=True):
        """Record whether it was found in time, at the first or second try and without a hint. Returns a
        sentence if that could not be saved, else None."""
        counts = right and self.tries <= 2 and not self.of("hint") and not self.time_over
        return log.remember(log.Fact(PREFIX + self.subject, log.now(), counts))

    @property
    def next_line(self):
        """What comes after this program."""
        return text("next_in_mock" if self.about.get("of") == "mock" else "next")

    @property
    def offer(self):
        return text("offer") if self.tries >= 2 and not self.of("hint") else ""


@for_learners
class Hunter(Desk):
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip` are its other calls."""

    log_name, none, Session = "hunts", text("none"), Hunt

    def __call__(self, name=None, minutes=None, level=None):
        """Show the open program, or else the next one. name: show this program. level: show the next one of
        this level. minutes: start the program again, on a clock."""
        if minutes is not None:
            check_minutes(minutes)
        if name is not None:
            check_name("program", name, list(levels()), text("next"))
        if level is not None:
            check_name("level", level, sorted(set(levels().values())))
        hunt = self._last()
        is_open = hunt is not None and not hunt.closed and level in (None, hunt.program.level)
        if name or minutes or not is_open:
            name = name or (hunt.subject if is_open else next_name(level))
            hunt, _ = self.begin(program=name, minutes=minutes)
        pages.program_card(hunt).show()

    def ask(self, name, of="", since=None):
        """Show a program; of="mock" where a mock interview asks it. One that was begun since `since` is shown
        as it is now."""
        hunt = self._last()
        if since is None or hunt is None or hunt.subject != name or hunt.start < since:
            hunt, _ = self.begin(program=name, of=of)
        pages.program_card(hunt).show()

    def _last(self):
        return next(reversed(self.sessions()[0]), None)

    def found(self, line=None, *inputs, **named):
        """Name the line of the bug, and an input on which it shows: the program's arguments."""
        hunt = self.running(searching=True)
        program = hunt.program
        check_line(line, program)
        if not inputs and not named:
            raise Refusal(text("no_input", pages.how_to_try(program, line)))
        values = program.read(*inputs, **named)
        shown, right = both(program, values)
        if shown.error and right.error:  # no try
            raise Refusal(text("both_raise", right.error))
        shows = difference(shown, right)
        if line in hunt.places:
            kind, reason = "found" if shows else "same", program.reason(values) or text("no_reason")
        else:
            kind, reason = "line" if shows else "both", ""
        hunt.keep("try", line=line, result=kind)
        card = verdict(kind == "found", program.title).say(text(kind, line, reason))
        if kind == "found":
            pages.add_difference(card, shows, "this program")
            card.quiet(
                text("late") if hunt.time_over else "", text("how_to_fix", program.main), hunt.remember()
            )
        else:
            card.say(text("other_place", line) if line not in hunt.places else "").quiet(hunt.offer)
        card.show()

    def clean(self):
        """Say that the program has no bug."""
        hunt = self.running(searching=True)
        right = not hunt.program.bug
        hunt.keep("clean", right=right)
        card = verdict(right, hunt.program.title).say(text("clean" if right else "not_clean"))
        if right:
            card.quiet(
                text("late") if hunt.time_over else "", hunt.next_line, hunt.remember(), hunt.keep("end")
            )
        else:
            card.quiet(hunt.offer)
        card.show()

    def fix(self, answer=None, line=None):
        """Give the right line as a text, or a function or class that is right."""
        hunt = self.running()
        program, is_line = hunt.program, isinstance(answer, str)
        line = line if is_line and line is not None else hunt.found
        if not line:
            raise Refusal(text("no_line", pages.example_call(program)))
        check_line(line, program)
        if not is_line and not callable(answer):
            raise Refusal(text("no_fix", program.main, "nothing" if answer is None else kind_of(answer)))
        fault = fault_of(program, with_line(program, line, answer) if is_line else answer)
        card = verdict(fault is None, program.title)
        if fault:
            card.say(text("not_fixed"), f"The input: {pages.input_text(program, fault[0])}.")
            pages.add_difference(card, fault[1], "yours")
        elif not hunt.found:
            hunt.keep("place", line=line)
            raise Refusal(text("place", line, pages.example_call(program, line)))
        else:
            card.say(text("fixed", DRAWS + 1)).quiet(program.why, hunt.next_line, hunt.keep("end"))
        card.show()

    def hint(self):
        """Where to look; then on which inputs it does not show."""
        hunt = self.running(searching=True)
        program, count = hunt.program, 1 + len(hunt.of("hint"))
        hunt.keep("hint", nth=count)
        hint = text("hint_clean")
        if program.bug and (count == 1 or not program.same):
            hint = text("hint_region", *program.region)
        elif program.bug:
            hint = text("hint_same", next(iter(program.same)))
        say(hint, text("last_hint") if count > 2 else None)

    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        hunt = self.running()
        note, program = None if hunt.found else hunt.remember(right=False), hunt.program
        card = Card(program.title)
        if program.bug:
            pages.add_answer(card, program, example(program.name))
        else:
            card.say(text("clean"))
        card.quiet(hunt.next_line, note, hunt.keep("end")).show()

    def running(self, searching=False):
        """The hunt that was begun last, while it is open; searching: while its bug is not found."""
        hunt = self.newest()
        if hunt.closed:
            raise Refusal(text("done", hunt.next_line))
        if searching and hunt.found:
            raise Refusal(text("is_found"), text("how_to_fix", hunt.program.main))
        return hunt


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
        raise Refusal(text("bad_line", last, "nothing" if number is None else quoted(number)))


def with_line(program, number, line):
    """The program's main object, with another text in the place of one line."""
    objects = []
    error = exception_of(lambda: objects.append(program.object_of(program.with_line(number, line))))
    if isinstance(error, KeyError):
        raise Refusal(text("no_object", program.main))
    if error is not None:
        raise Refusal(text("unreadable", ": ".join(in_words(error))))
    return objects[0]
