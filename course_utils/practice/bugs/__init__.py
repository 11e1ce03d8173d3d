"""bug_hunt, the object that a learner calls: a learner names a program's buggy line, an input that shows the
bug, and a fix; cards go out. `programs/` has the programs, one per file; `order.toml` lists them by level."""

import torch

from ...observe.trial import exception_of, in_words
from .. import log
from ..card import Card, Refusal, for_learners, kind_of, say, verdict
from ..schedule import Kind, in_turn
from ..session import Desk, Session, find_name
from . import pages
from .program import levels, load, reason, right_lines
from .run import Raised, difference, example, fault_of, run_both, text

PREFIX = "hunt:"
MINUTES = {1: 4, 2: 6, 3: 9, 4: 30}  # {level: minutes to read a program, find an input and fix it}


class Hunt(Session):
    """One bug hunt. Its events: "try" (a line was named), "clean", "hint", "place" (a right fix in another
    line), "fix", "end". `bug` in an event: that bug's line; events of November 2026 lack it where a program
    has only one. `of` in its start: the key of the mock interview that it belongs to."""

    LOG, SUBJECT = "hunts", "program"

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
        """{line number: the text that replaced it}, of the bugs that are fixed by a line."""
        return {event["line"]: event["text"] for event in self.events_of("fix") if event["text"]}

    @property
    def bugs(self):
        """The bugs that are not fixed yet."""
        return [bug for bug in self.program.bugs if not self.events_of("fix", bug=bug.line)]

    @property
    def found(self):
        """(an open bug, the line that was named for it together with an input that shows it), or None."""
        for bug in self.bugs:
            for event in self.of_bug("try", bug, result="found"):
                return bug, event["line"]
        return None

    @property
    def follow_up(self):
        """The program to write, once all bugs are fixed; None before, and if there is none."""
        return load(self.program.then) if self.program.then and not self.bugs else None

    def of_bug(self, event, bug, **fields):
        """The events of one kind that are about this bug."""
        first = self.program.bugs[0].line
        return [own for own in self.events_of(event, **fields) if own.get("bug", first) == bug.line]

    def places(self, bug):
        """The line numbers that count as the place of a bug."""
        return bug.places + [event["line"] for event in self.of_bug("place", bug)]

    def remember(self, right=True):
        """Record whether each bug was found at the first or second try and without a hint."""
        counts = right and self.tries <= 2 * max(1, len(self.program.bugs)) and not self.events_of("hint")
        log.remember(log.Fact(PREFIX + self.subject, log.now(), counts))

    @property
    def next_line(self):
        """The sentence that says how to go on after this program."""
        return text("next_in_mock" if self.about.get("of") else "next")

    @property
    def offer(self):
        return text("offer") if self.tries >= 2 and not self.events_of("hint") else ""


class Hunter(Desk):
    """`bug_hunt()` shows a program; `found`, `clean`, `fix`, `hint`, `skip` are its other calls."""

    how_to_start, Session = text("none"), Hunt

    @for_learners
    def __call__(self, name=None, level=None):
        """Show the open program, or the next one. name: a program to start. level: of the next program."""
        if name is not None:
            name = find_name("program", name, levels(), text("next"))
        if level is not None:
            find_name("level", level, sorted(set(levels().values())))
        hunt = next(reversed(self.sessions()), None)
        if name or hunt is None or hunt.closed or level not in (None, hunt.program.level):
            hunt = self.begin(program=name or next_name(level))
        pages.program_card(hunt).show()

    def ask(self, name, of=""):
        """Start a program and show it. of: the key of a mock interview; a program that it has already started
        is shown as it stands."""
        hunt = next(reversed(self.sessions()), None)
        if not of or hunt is None or (hunt.subject, hunt.about.get("of")) != (name, of):
            hunt = self.begin(program=name, of=of)
        pages.program_card(hunt).show()

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
        why_not = (bug and reason(bug, values, sizes)) or program.too_close or text("no_reason")
        card = verdict(kind == "found", program.title).say(text(kind, line, why_not))
        if kind == "found":
            pages.add_difference(card, shows, "this program")
            card.say(text("others_stay", line) if len(program.bugs) > 1 else "").quiet(pages.next_step(hunt))
            if len(hunt.bugs) == 1:
                hunt.remember()
        else:
            card.say("" if here else text("other_place", line)).quiet(hunt.offer)
        card.show()

    @for_learners
    def clean(self):
        """Say that the program has no bug."""
        hunt = self.running(searching=True)
        right = not hunt.program.bugs
        hunt.keep("clean", right=right)
        if right:
            hunt.remember()
            hunt.keep("end")
        card = verdict(right, hunt.program.title).say(text("clean" if right else "not_clean"))
        card.quiet(hunt.next_line if right else hunt.offer).show()

    @for_learners
    def fix(self, answer=None, line=None):
        """Give the corrected line as a text, or a correct function or class."""
        hunt = self.running()
        if hunt.follow_up:
            self._judge_follow_up(hunt, answer)
            return
        program, is_line = hunt.program, isinstance(answer, str)
        bug, place = hunt.found or (None, None)
        line = line if is_line and line is not None else place
        if line is None:
            raise Refusal(text("no_line", pages.how_to_try(program)))
        check_line(line, program)
        if not is_line and (not callable(answer) or len(program.bugs) > 1):
            raise Refusal(text("no_fix", program.main, kind_of(answer)))
        fault = own = None
        for own in [bug] if bug else hunt.bugs or [None]:
            fault = fault_of(program, with_line(program, line, answer, own) if is_line else answer)
            if not fault:
                break
        card = pages.fix_card(program, fault)
        if fault:
            card.show()
            return
        if own is None:
            raise Refusal(text("right_already"))
        if own is not bug:
            hunt.keep("place", line=line, bug=own.line)
            raise Refusal(text("place", line, pages.how_to_try(program, line)))
        self._keep_fix(hunt, own, line, answer if is_line else "")
        left = text("more_bugs", len(hunt.bugs)) if hunt.bugs else ""
        card.quiet(own.why, left, hunt.next_line if hunt.closed else "").show()
        if hunt.follow_up:
            pages.program_card(hunt).show()

    def _keep_fix(self, hunt, bug, line, answer):
        """Record the fix of a bug, and of those that the same text fixes too; after the last, the end."""
        program = hunt.program
        others = [other for other in hunt.bugs if other is not bug]
        gone = [other for other in others if not fault_of(program, with_line(program, line, answer, other))]
        for fixed in (bug, *gone):
            hunt.keep("fix", line=line, text=answer, bug=fixed.line)
        if gone and not hunt.bugs:  # the last ones were never named
            hunt.remember()
        if not hunt.bugs and not hunt.follow_up:
            hunt.keep("end")

    def _judge_follow_up(self, hunt, answer):
        """Judge the program that is asked for once all bugs are fixed."""
        program = hunt.follow_up
        if not callable(answer) or isinstance(answer, torch.nn.Module):
            raise Refusal(text("no_follow_up", program.main, kind_of(answer)))
        fault = fault_of(program, answer)
        if not fault:
            hunt.keep("end")
        pages.fix_card(program, fault).quiet("" if fault else hunt.next_line).show()

    @for_learners
    def hint(self):
        """Say where to look; the second time, give a kind of input that hides the bug."""
        hunt = self.running(searching=True)
        bug = next(iter(hunt.bugs), None)
        count = len(hunt.of_bug("hint", bug) if bug else hunt.events_of("hint"))
        hunt.keep("hint", nth=count + 1, bug=bug.line if bug else 0)
        hint = text("hint_clean")
        if bug:
            same = text("hint_same", next(iter(bug.same)))
            hint = same if count else text("hint_region", *hunt.program.region(bug))
        say(hint, text("last_hint") if count > 1 else None)

    @for_learners
    def skip(self):
        """Give up: show what is wrong, or that nothing is."""
        hunt = self.running()
        program, bugs, follow_up = hunt.program, hunt.bugs, hunt.follow_up
        if not follow_up and not (hunt.found and len(bugs) == 1):
            hunt.remember(right=False)
        hunt.keep("end")
        card = Card(program.title).say("" if program.bugs else text("clean"))
        for bug in bugs:
            pages.add_answer(card, program, bug, example(program.name, program.bugs.index(bug)))
        if follow_up:
            pages.add_code(card, follow_up.lines)
        card.quiet(hunt.next_line).show()

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
    return in_turn(names, PREFIX, log.recall(), log.now())[0]


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


bug_hunt = Hunter()
KIND = Kind(
    prefix=PREFIX,
    head="Bugs",
    minutes=lambda: {name: MINUTES[level] for name, level in levels().items()},
    title=lambda name: f"Bug hunt: {load(name).title}",
    ask=lambda names: bug_hunt.ask(*names),
    at_once=1,  # `bug_hunt.found` refers to the program that was shown last
    desk="bug_hunt",
)
