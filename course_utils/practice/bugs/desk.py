"""bug_hunt, the object that a learner calls."""

import torch

from ...observe.trial import exception_of, in_words
from .. import log
from ..card import Card, Refusal, for_learners, say, verdict
from ..due import in_turn
from ..session import Desk, Session, check_name
from ..typed import kind_of
from . import pages
from .pages import text
from .program import levels, load, reason, right_lines
from .run import Raised, difference, example, fault_of, number_of_inputs, run_both

PREFIX = "hunt:"


class Hunt(Session):
    """One bug hunt. Its events: "try" (a line was named), "clean", "hint", "place" (a right fix in another
    line), "fix" (of one of several bugs), "end". `bug` in an event: that bug's line. `of` in its start: the
    key of the mock interview that it belongs to."""

    SUBJECT = "program"

    @property
    def program(self):
        return load(self.subject)

    @property
    def closed(self):
        return super().closed or self.subject not in levels()

    @property
    def tries(self):
        return len(self.events_of("try") + self.events_of("clean"))

    @property
    def fixes(self):
        """{line number: the text that replaced it}, of the bugs that are fixed."""
        return {event["line"]: event["text"] for event in self.events_of("fix")}

    @property
    def bugs(self):
        """The bugs that are not fixed yet."""
        return [bug for bug in self.program.bugs if not self.events_of("fix", bug=bug.line)]

    @property
    def found(self):
        """(an open bug, the line that was named for it together with an input that shows it), or None."""
        for event in self.events_of("try", result="found"):
            for bug in self.bugs:
                if event.get("bug", self.program.bug) == bug.line:
                    return bug, event["line"]
        return None

    @property
    def follow_up(self):
        """The program to write, once all bugs are fixed; None before, and if there is none."""
        return load(self.program.then) if self.program.then and not self.bugs else None

    def places(self, bug):
        """The line numbers that count as the place of a bug."""
        events = self.events_of("place")
        return bug.places + [e["line"] for e in events if e.get("bug", self.program.bug) == bug.line]

    def remember(self, right=True):
        """Record whether each bug was found at the first or second try and without a hint. Returns a sentence
        if that could not be saved, else None."""
        counts = right and self.tries <= 2 * max(1, len(self.program.bugs)) and not self.events_of("hint")
        return log.remember(log.Fact(PREFIX + self.subject, log.now(), counts))

    @property
    def next_line(self):
        """The sentence that says how to go on after this program."""
        return text("next_in_mock" if self.about.get("of") else "next")

    @property
    def offer(self):
        return text("offer") if self.tries >= 2 and not self.events_of("hint") else ""


class Hunter(Desk):
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip` are its other calls."""

    log_name, how_to_start, Session = "hunts", text("none"), Hunt

    @for_learners
    def __call__(self, name=None, level=None):
        """Show the open program, or the next one. name: a program to start. level: of the next program."""
        if name is not None:
            check_name("program", name, levels(), text("next"))
        if level is not None:
            check_name("level", level, sorted(set(levels().values())))
        hunt, note = self._last(), None
        if name or hunt is None or hunt.closed or level not in (None, hunt.program.level):
            hunt, note = self.begin(program=name or next_name(level))
        self.show_part(hunt, [note])

    def ask(self, name, of=""):
        """Start a program and show it. of: the key of a mock interview; a program that it has already started
        is shown as it stands."""
        hunt, note = self._last(), None
        if not of or hunt is None or (hunt.subject, hunt.about.get("of")) != (name, of):
            hunt, note = self.begin(program=name, of=of)
        self.show_part(hunt, [note])

    def show_part(self, hunt, notes=()):
        pages.program_card(hunt).quiet(*notes).show()

    def _last(self):
        return next(reversed(self.sessions()[0]), None)

    @for_learners
    def found(self, line=None, *inputs, **named):
        """Name the line of the bug and an input that shows it: arguments for the program."""
        hunt = self.running(searching=True)
        program = hunt.program
        check_line(line, program)
        if not inputs and not named:
            raise Refusal(text("no_input", pages.how_to_try(program, line)))
        values, sizes = program.read(*inputs, **named)
        here = [bug for bug in hunt.bugs if line in hunt.places(bug)]
        for bug in here or [None]:
            own, right = run_both(program, values, hunt.fixes, [bug] if bug else hunt.bugs)
            if isinstance(right.get(""), Raised) and own.keys() == right.keys():  # does not count as a try
                raise Refusal(text("both_raise", right[""]))
            if shows := difference(own, right, program.same_dtype):
                break
        kind = ("found" if here else "line") if shows else ("same" if here else "both")
        hunt.keep("try", line=line, result=kind, bug=bug.line if bug else 0)
        card = verdict(kind == "found", program.title)
        why_not = (bug and reason(bug, values, sizes)) or program.too_close or text("no_reason")
        card.say(text(kind, line, why_not))
        if kind == "found":
            pages.add_difference(card, shows, "this program")
            if len(program.bugs) == 1:
                card.quiet(text("how_to_fix", program.main), hunt.remember())
            else:
                card.say(text("others_stay", line)).quiet(text("how_to_fix_one"))
        else:
            card.say("" if here else text("other_place", line)).quiet(hunt.offer)
        card.show()

    @for_learners
    def clean(self):
        """Say that the program has no bug."""
        hunt = self.running(searching=True)
        right = not hunt.program.bug
        hunt.keep("clean", right=right)
        card = verdict(right, hunt.program.title).say(text("clean" if right else "not_clean"))
        lines = (hunt.next_line, hunt.remember(), hunt.keep("end")) if right else (hunt.offer,)
        card.quiet(*lines).show()

    @for_learners
    def fix(self, answer=None, line=None):
        """Give the corrected line as a text, or a correct function or class."""
        hunt = self.running()
        program, is_line = hunt.program, isinstance(answer, str)
        if hunt.follow_up:
            return self._judge_follow_up(hunt, answer)
        found_bug, place = hunt.found or (None, None)
        line = line if is_line and line is not None else place
        if line is None:
            raise Refusal(text("no_line", pages.how_to_try(program)))
        check_line(line, program)
        if not is_line and (not callable(answer) or len(program.bugs) > 1):
            raise Refusal(text("no_fix", program.main, kind_of(answer)))
        for bug in [found_bug] if found_bug else hunt.bugs or [None]:
            fault = fault_of(program, with_line(program, line, answer, bug) if is_line else answer)
            if not fault:
                break
        card = verdict(fault is None, program.title)
        if fault:
            pages.add_fault(card, program, fault)
        elif not program.bug:
            raise Refusal(text("right_already"))
        elif not hunt.found:
            hunt.keep("place", line=line, bug=bug.line)
            raise Refusal(text("place", line, pages.how_to_try(program, line)))
        else:
            card.say(text("fixed", number_of_inputs(program))).quiet(bug.why)
            if len(program.bugs) == 1:
                card.quiet(hunt.next_line, hunt.keep("end"))
            else:
                self._keep_fix(hunt, line, answer, bug)
                card.quiet(text("more_bugs", len(hunt.bugs)) if hunt.bugs else hunt.remember())
        card.show()
        if hunt.follow_up:
            pages.program_card(hunt).show()

    def _keep_fix(self, hunt, line, answer, bug):
        """Record the fix of one of several bugs, and those that the same text fixes too."""
        program = hunt.program
        others = [other for other in hunt.bugs if other is not bug]
        gone = [other for other in others if not fault_of(program, with_line(program, line, answer, other))]
        for fixed in (bug, *gone):
            hunt.keep("fix", line=line, text=answer, bug=fixed.line)

    def _judge_follow_up(self, hunt, answer):
        """Judge the program that is asked for once all bugs are fixed."""
        program = hunt.follow_up
        if not callable(answer) or isinstance(answer, torch.nn.Module):
            raise Refusal(text("no_follow_up", program.main, kind_of(answer)))
        fault = fault_of(program, answer)
        card = verdict(fault is None, program.title)
        if fault:
            pages.add_fault(card, program, fault)
        else:
            card.say(text("fixed", number_of_inputs(program))).quiet(hunt.next_line, hunt.keep("end"))
        card.show()

    @for_learners
    def hint(self):
        """Say where to look; the second time, give a kind of input that hides the bug."""
        hunt = self.running(searching=True)
        bug = next(iter(hunt.bugs), None)
        line = bug.line if bug else 0
        count = 1 + sum(event.get("bug", line) == line for event in hunt.events_of("hint"))
        hunt.keep("hint", nth=count, bug=line)
        hint = text("hint_clean")
        if bug:
            region = text("hint_region", *hunt.program.region(bug))
            hint = region if count == 1 else text("hint_same", next(iter(bug.same)))
        say(hint, text("last_hint") if count > 2 else None)

    @for_learners
    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        hunt = self.running()
        program, bugs = hunt.program, hunt.bugs
        is_done = hunt.found and len(program.bugs) == 1 or hunt.follow_up
        note = None if is_done else hunt.remember(right=False)
        card = Card(program.title)
        for bug in bugs:
            pages.add_answer(card, program, bug, example(program.name, program.bugs.index(bug)))
        if hunt.follow_up:
            pages.add_code(card, hunt.follow_up.lines)
        elif not program.bugs:
            card.say(text("clean"))
        card.quiet(hunt.next_line, note, hunt.keep("end")).show()

    def running(self, searching=False):
        """The newest hunt; a Refusal if it has ended or, with `searching`, if its bug was found."""
        hunt = self.newest()
        if hunt.closed:
            raise Refusal(text("done", hunt.next_line))
        if searching and hunt.follow_up:
            raise Refusal(text("all_fixed", *[hunt.follow_up.main] * 2))
        if searching and hunt.found:
            raise Refusal(text("is_found"), pages.next_step(hunt))
        return hunt


def next_name(level=None):
    """The name of the program to ask next, of this level if one is given."""
    names = [name for name, own in levels().items() if level in (None, own)]
    return in_turn(names, PREFIX, log.recall()[0], log.now())[0]


def check_line(number, program):
    last = len(program.lines)
    if type(number) is not int or not 1 <= number <= last:
        raise Refusal(text("bad_line", last, kind_of(number)))


def with_line(program, number, line, bug=None):
    """The program's main object, with one line of the code replaced, and every bug but this one fixed; a
    Refusal if that cannot run."""
    objects, others = [], right_lines([other for other in program.bugs if other is not bug]) if bug else {}
    code = program.code_with(others | {number: line})
    error = exception_of(lambda: objects.append(program.object_of(code)))
    if isinstance(error, KeyError):
        raise Refusal(text("no_object", program.main))
    if error is not None:
        raise Refusal(text("unreadable", ": ".join(in_words(error))))
    return objects[0]
