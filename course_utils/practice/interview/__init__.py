"""interview, the object that a learner calls: a topic's name and the learner's code come in; cards, a clock
and a sheet of results go out. `topics.py` has the tasks, `judge.py` judges programs."""

import re
from inspect import getsource, isfunction

from ...show.card import show
from .. import log
from ..card import Card, Refusal, for_learners, kind_of, say
from ..questions import judge as judge_answer
from ..questions import right_answer
from ..schedule import Kind
from ..session import Desk, Session, check_minutes, find_name
from . import pages, topics
from .judge import check as judge_program
from .program import WEIGHTS, Program
from .texts import QUESTIONS, text

PREFIX = "interview:"
MINUTES = 20
DONE, STOPPED = "That was the whole interview.", "You stopped the interview."


class Interview(Session):
    """Its events: "try", "answer" and "skip" of a part, with `done` if that completes the part, and "end"."""

    LOG, SUBJECT = "interviews", "topic"

    @property
    def title(self):
        return self.subject

    @property
    def topic(self):
        return topics.topic(self.subject)

    @property
    def closed(self):
        return super().closed or self.subject not in topics.names()

    @property
    def changed(self):
        """Have the topic's tasks changed since it began?"""
        return self.about.get("forms", "") != topics.mark(self.subject)

    @property
    def stage(self):
        """The index of the current part; the number of parts after the last one."""
        return 1 + max((event["stage"] for event in self.events if event.get("done")), default=-1)

    @property
    def part(self):
        return self.topic.parts[self.stage]

    @property
    def through(self):
        return self.stage >= len(self.topic.parts)

    @property
    def all_right(self):
        right = {event["stage"] for event in self.events if event.get("right")}
        return right.issuperset(range(len(self.topic.parts)))

    @property
    def spent(self):
        """Minutes from the start to the last event."""
        last = self.events[-1]["when"] if self.events else self.start
        return min(max((last - self.start).total_seconds() / 60, 0.0), self.minutes)

    def rows(self):
        """([(name, state, tries, mistakes)] of all parts as texts, [where in the lessons to revise])."""
        rows, revise = [], []
        for number, part in enumerate(self.topic.parts):
            events = [event for event in self.events if event.get("stage") == number]
            tries = [event for event in events if event["event"] in ("try", "answer")]
            names = list(dict.fromkeys(event["mistake"] for event in tries if event.get("mistake")))
            done = any(event.get("right") for event in events)
            skipped = any(event["event"] == "skip" for event in events)
            state = "right" if done else "skipped" if skipped else "not yet right" if tries else "not reached"
            count = f"{len(tries)} {'try' if len(tries) == 1 else 'tries'}" if tries else ""
            rows.append((part.name, state, count, ", ".join(names).replace("_", " ")))
            if not done or any(not event.get("right") for event in tries):
                revise += [topics.REVISE.get(name, part.revise) for name in names]
                revise += [] if done and names else [part.revise]
        return rows, [place for place in dict.fromkeys(revise) if place]


class Interviewer(Desk):
    """`interview("mha")` starts; `check`, `answer`, `hint`, `skip`, `stop` and `sheets` are its other
    calls."""

    Session = Interview

    def __init__(self):
        self._tries = {}  # {(key, index of a part): (the source that was checked last, its id, the verdict)}

    @property
    def how_to_start(self):
        tables = [*topics.tables()]
        more = ["and every exercise"] if len(topics.names()) > len(tables) else []
        return text("none", ", ".join(tables + more))

    @for_learners
    def __call__(self, topic=None, minutes: float = MINUTES):
        """Start an interview on a topic, or show the running one. topic: a name, or a function or class to
        check."""
        if topic is not None and not isinstance(topic, str):
            self.check(topic)
            return
        if topic is None:
            self.show_part(self.running())
            return
        name = find_name("topic", topic, topics.names(), self.how_to_start.partition(" starts one. ")[2])
        check_minutes(minutes)
        session = self.start(
            name, lambda: {"minutes": minutes, "forms": topics.mark(name)}, text("running", "{}")
        )
        if minutes not in (MINUTES, session.minutes):
            say(text("same_clock", session.minutes))

    @for_learners
    def check(self, obj=None, layers=None, load=None):
        """Check a function or a class: does it do what the current part asks for? layers: the names of a
        layer's own layers, {"W_q": "q", ...}. load: a function that copies weights into it instead."""
        problem = no_program(obj) or bad_layers(layers, load)
        session = self.running(lambda session: [] if problem else late(session, obj, layers, load))
        if session.part.question or problem:
            raise Refusal(text("is_question") if session.part.question else problem)
        self._judge(session, obj, layers, load)

    @for_learners
    def answer(self, typed=None):
        """Answer the question that the interview asks."""
        session = self.running()
        if not session.part.question:
            raise Refusal(text("no_question"))
        judged = judge_answer(QUESTIONS[session.part.question], typed, "interview.answer(")
        session.keep("answer", stage=session.stage, done=judged.right, right=judged.right)
        judged.card().quiet("" if judged.right else text("again")).show()
        if judged.right:
            self.show_part(session)

    @for_learners
    def hint(self):
        """Interviews give no hints: say what to do instead."""
        say(text("no_hints_to_question") if self.running().part.question else text("no_hints"))

    @for_learners
    def skip(self):
        """Skip this part: show a model solution, or the answer to a question, and go on."""
        session = self.running()
        part, number = session.part, session.stage
        session.keep("skip", stage=number, done=True, right=False)
        if not part.question:
            self.solutions_card(session.subject, session.key, number).show()
        self.show_part(session, answer_to(part.question))

    @for_learners
    def stop(self):
        """End the interview, and show its sheet."""
        self.finish(self.running(), STOPPED)

    @for_learners
    def sheets(self):
        """Show the sheets of all finished interviews, the newest last."""
        over = [own for own in self.sessions() if own.events_of("end") and own.subject in topics.names()]
        for session in over:
            pages.sheet_card(session).show()
        say("" if over else "There is no sheet yet.")

    def solutions_card(self, name, key=None, only=None):
        """A topic's model solutions next to the programs of the interview `key`. only: for one part."""
        programs = {number: attempt[0] for (own, number), attempt in self._tries.items() if own == key}
        return pages.solutions_card(topics.topic(name), programs, only) if name in topics.names() else Card()

    # ---- helpers

    def current(self):
        session = super().current()
        if session is None or session.time_over or not session.changed:
            return session
        session.keep("end")
        say(text("changed", session.subject, session.subject))
        return None

    def show_part(self, session, *notes, program=()):
        """Show the next part that the program (with its `layers` and `load`) does not solve already, or the
        sheet after the last one."""
        notes = [*notes]
        while program and not session.through and not session.part.question:
            if not judge_program(session.topic, session.stage, *program).result.passed:
                break
            self._tries[session.key, session.stage] = source_of(program[0]), 0, ""
            notes.append(text("already", session.part.name))
            session.keep("try", stage=session.stage, done=True, right=True, mistake="")
        if session.through:
            self.finish(session, DONE, notes)
        else:
            pages.task_card(session, notes).show()

    def finish(self, session, sentence, notes=()):
        """End an interview, and record a Fact for the schedule; show the sheet and the model solutions."""
        session.keep("end")
        log.remember(log.Fact(PREFIX + session.subject, min(log.now(), session.end), session.all_right))
        pages.sheet_card(session, [*notes, sentence, text("sheet")]).show()
        self.solutions_card(session.subject, session.key).show()

    def _judge(self, session, obj, layers, load):
        source = source_of(obj)
        outcome = judge_program(session.topic, session.stage, obj, layers, load)
        result = outcome.result
        if outcome.line:  # not a try: the learner is asked how to call it
            pages.forms_card(session.part, result.message, outcome.line).show()
            return
        attempt, place = (source, 0 if source else id(obj), result.message), (session.key, session.stage)
        again = self._tries.get(place) == attempt and not result.passed
        self._tries[place] = attempt
        if not again:  # the same source with the same verdict counts once
            fields = {"done": result.passed, "right": result.passed, "mistake": result.mistake or ""}
            session.keep("try", stage=session.stage, **fields)
        result.name = Program(obj).name
        show(result)
        if result.passed:
            self.show_part(session, program=(obj, layers, load))


def no_program(obj):
    """A sentence for the learner if this cannot be checked as a program, else None."""
    if isinstance(obj, str):
        return text("is_text", obj if obj.isidentifier() else "NAME")
    own = type(obj).__module__ not in ("builtins", "torch", "numpy")  # the learner wrote its class
    if obj is None or not callable(obj) and not own:
        return text("nothing", "nothing" if obj is None else kind_of(obj))
    return None


def source_of(obj):
    """An object's source; "" if Python cannot find it."""
    try:
        return getsource(obj if isfunction(obj) or isinstance(obj, type) else type(obj))
    except (OSError, TypeError):  # from a file that is gone, or typed at a prompt
        return ""


def bad_layers(layers, load):
    """A sentence for the learner if these do not say where each weight goes, else None."""
    if load is not None and (layers is not None or not callable(load)):
        return text("bad_load")
    if layers is None:
        return None
    names = " ".join(map(str, layers)) if isinstance(layers, dict) else ""
    places = [*layers.values()] if names else []
    right = sorted(re.findall(r"\w+", names)) == sorted(WEIGHTS) and all(isinstance(p, str) for p in places)
    return None if right and "..." not in places else text("bad_layers")


def late(session, obj, layers, load):
    """[a sentence with the verdict on a program that came after time was up]; [] if none was asked for."""
    if session.through or session.part.question:
        return []
    result = judge_program(session.topic, session.stage, obj, layers, load).result
    return [text("late", text("late_right") if result.passed else result.message)]


def answer_to(name):
    """The sentence that gives the answer to a question; None if the part has no question."""
    return text("the_answer", right_answer(QUESTIONS[name]), QUESTIONS[name].right) if name else None


def ask(names):
    """Say how to start an interview: its clock should only run once the learner starts it."""
    say(*(text("how_to_start", name, MINUTES, topics.topic(name).title) for name in names))


interview = Interviewer()
KIND = Kind(
    prefix=PREFIX,
    head="Interviews",
    minutes=lambda: dict.fromkeys(topics.names(), MINUTES),
    title=lambda name: f"Interview: {topics.topic(name).title}",
    ask=ask,
    new=lambda _: list(topics.tables()),  # exercises are practised from memory, without a clock
)
