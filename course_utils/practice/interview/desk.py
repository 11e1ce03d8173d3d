"""interview(topic): what a learner calls. Each call shows a card and returns nothing; none raises."""

import secrets
from difflib import get_close_matches
from inspect import getsource, isfunction

from ...show.card import display_both
from ..cards import sentence
from ..judge import judge as judge_answer
from ..judge import say as say_answer
from ..memory import now
from ..typed import Unreadable, quoted, shown
from .cards import answer_card, sheet_card, task_card, verdict_card
from .kind import remember_end
from .questions import QUESTIONS
from .record import interviews, keep
from .stages import judge_problem, judge_stage, words_of
from .topics import TOPICS

MINUTES = 20
MOST = 600
NONE = 'No interview is running: `interview("mha")` starts one. There are: {}.'
RUNNING = (
    "An interview on {} is running: `interview()` shows it, `interview.stop()` ends it, and then another "
    "one can start."
)
SAME_CLOCK = (
    "Its clock goes on, with {:g} minutes: to begin again with others, type `interview.stop()` first."
)
BAD_MINUTES = "`minutes` is a number above 0 and at most {}, and {} came: nothing was started."
BAD_TOPIC = "There is no topic called {}. There are: {}."
NOTHING = "`interview.check(NAME)` takes the function or the class that you wrote, and {} came."
IS_TEXT = "Give the function or the class itself, without quotes: `interview.check({})`."
IS_QUESTION = "Here a question is asked, and nothing is to be written: `interview.answer(...)` answers it."
NO_QUESTION = "Here something is to be written: `interview.check(NAME)` tries it."
ALREADY = "What you wrote does this already: {}."
OVER = "The time is over. This is your sheet; it is kept, and `interview.sheets()` shows it again."
DONE = "That was all of it. This is your sheet; it is kept, and `interview.sheets()` shows it again."
STOPPED = "This is your sheet; it is kept, and `interview.sheets()` shows it again."
IS_METHOD = "Give the class itself, not one of its methods: `interview.check({})`."
NO_HINTS = (
    "An interview gives no hints. Write the slowest loop that is certainly right, for one query and one "
    "head, and make it faster from there. `interview.skip()` goes on to the next part."
)
NO_HINTS_TO_QUESTION = (
    "An interview gives no hints. Take smaller numbers, and count on paper. `interview.skip()` shows the "
    "answer and goes on."
)
LATE = "Handed in when the time was over, so it does not count. What is said of it: {}"
LATE_RIGHT = "it does what this part asks for."
THE_ANSWER = "The answer: {}. {}"
_last_tries = {}  # {key of an interview: what was tried last in this kernel, with its verdict}
UNKNOWN_WORD = "`{}` is no word that is used here: there are {}."


class Interviewer:
    """`interview("mha")` starts; `check`, `answer`, `hint`, `skip`, `stop` and `sheets` are its other
    calls."""

    def __call__(self, topic=None, minutes=MINUTES, **said):
        """Start an interview on a topic, or show the one that is running. A function or a class that is given
        in place of a topic is checked."""
        if topic is not None and not isinstance(topic, str):
            self.check(topic, **said)
            return
        running, notes = current()
        if topic is None:
            show_running(running, notes)
            return
        name = topic.strip().lower().replace(" ", "_").replace("-", "_")
        if name not in TOPICS:
            say(bad_topic(topic))
        elif running is not None and not time_over(running):
            if running.topic == name:
                show_running(running, [*clock_note(running, minutes), *notes])
            else:
                say(RUNNING.format(running.topic))
        elif not is_minutes(minutes):
            say(BAD_MINUTES.format(MOST, quoted(minutes)))
        else:
            if running is not None:
                finish(running, OVER)
            start(name, minutes, notes)

    def check(self, obj=None, **said):
        """Try a function or a class on what the interview asks for."""
        running, notes = current()
        if running is None:
            say(NONE.format(", ".join(TOPICS)))
        elif time_over(running):
            finish(running, OVER, late(running, obj, said))
        else:
            check(running, obj, said, notes)

    def answer(self, typed=None):
        """Answer the question that the interview asks."""
        running, notes = current()
        if running is None:
            say(NONE.format(", ".join(TOPICS)))
        elif time_over(running):
            finish(running, OVER)
        elif not stage_of(running).question:
            say(NO_QUESTION)
        else:
            answer(running, typed, notes)

    def hint(self):
        """Say what to do instead: there are no hints."""
        running, _ = current()
        if running is None or time_over(running):
            self()
        else:
            say(NO_HINTS_TO_QUESTION if stage_of(running).question else NO_HINTS)

    def skip(self):
        """Leave this part, and go on to the next one. The answer to a question is shown."""
        running, _ = current()
        if running is None:
            say(NONE.format(", ".join(TOPICS)))
        elif time_over(running):
            finish(running, OVER)
        else:
            told = keep(running.key, "skip", stage=running.stage(), done=True, right=False)
            go_on(running.key, [told, answer_to(stage_of(running).question)])

    def stop(self):
        """End the interview, and show its sheet."""
        running, _ = current()
        say(NONE.format(", ".join(TOPICS))) if running is None else finish(running, STOPPED)

    def sheets(self):
        """Show the sheets of all interviews that are over, the newest last."""
        found, notes = interviews()
        over = [one for one in found if one.closed and one.topic in TOPICS]
        for one in over:
            display_both(*sheet_card(one))
        if not over:
            say("There is no sheet yet.", *notes)
        elif notes:
            say(*notes)

    def __repr__(self):
        return 'interview("mha") starts an interview; the topics: ' + ", ".join(TOPICS)


def say(*lines):
    display_both(*sentence(*filter(None, lines)))


def is_minutes(minutes):
    return isinstance(minutes, (int, float)) and not isinstance(minutes, bool) and 0 < minutes <= MOST


def clock_note(running, minutes):
    """[the sentence that the minutes that were given change nothing], or []."""
    new = is_minutes(minutes) and minutes not in (MINUTES, running.minutes)
    return [SAME_CLOCK.format(running.minutes)] if new else []


def bad_topic(topic):
    near = get_close_matches(topic.lower(), list(TOPICS), n=1, cutoff=0.5)
    return BAD_TOPIC.format(shown(topic) or '""', ", ".join(TOPICS)) + (
        f" Did you mean {near[0]}?" if near else ""
    )


def current():
    """(the interview that is running or whose time is over, None; [sentences])."""
    found, notes = interviews()
    open_ = [one for one in found if not one.closed and one.topic in TOPICS]
    return (open_[-1] if open_ else None), notes


def time_over(running):
    return now() >= running.end


def left(running):
    """Minutes; never more than there were, if the computer's clock was set back."""
    return min(max((running.end - now()).total_seconds() / 60, 0.0), running.minutes)


def stage_of(running):
    return TOPICS[running.topic].stages[running.stage()]


def show_running(running, notes):
    if running is None:
        say(NONE.format(", ".join(TOPICS)), *notes)
    elif time_over(running):
        finish(running, OVER)
    else:
        display_both(*task_card(running, left(running), notes))


def start(name, minutes, notes):
    key = secrets.token_hex(6)
    told = keep(key, "start", topic=name, minutes=minutes)
    go_on(key, [told, *notes])


def find(key):
    return next(one for one in interviews()[0] if one.key == key)


def go_on(key, notes=(), obj=None, said=None):
    """Show the next part, or the sheet after the last one. What does the next part already is not asked for
    again."""
    running = find(key)
    stages = TOPICS[running.topic].stages
    notes = [one for one in notes if one]
    while obj is not None and running.stage() < len(stages) and stages[running.stage()].problem:
        stage = stages[running.stage()]
        if not judge_problem(stage.problem(), obj, said or {}, True).right:
            break
        keep(key, "try", stage=running.stage(), done=True, right=True, mistake="")
        notes.append(ALREADY.format(stage.name))
        running = find(key)
    if running.stage() >= len(stages):
        finish(running, DONE, notes)
    else:
        display_both(*task_card(running, left(running), notes))


def finish(running, sentence_, notes=()):
    told = keep(running.key, "end")
    ended = find(running.key)
    told = remember_end(ended) or told
    display_both(*sheet_card(ended, [*notes, sentence_, *([told] if told else [])]))


def check(running, obj, said, notes):
    problem = IS_QUESTION if stage_of(running).question else no_program(obj)
    if problem:
        say(problem)
    else:
        words = words_of(TOPICS[running.topic], running.stage())
        unknown = [word for word in said if word not in words]
        if unknown:
            say(UNKNOWN_WORD.format(unknown[0], ", ".join(words)))
            return
        judged(running, obj, said, notes)


def no_program(obj):
    """The sentence on what is neither a function nor a class, else None."""
    if isinstance(obj, str):
        return IS_TEXT.format(obj if obj.isidentifier() else "NAME")
    if obj is None or not callable(obj) and not isinstance(obj, object_with_methods(obj)):
        return NOTHING.format("nothing" if obj is None else shown(type(obj).__name__))
    *_, owner, _ = ["", "", *getattr(obj, "__qualname__", "").split(".")]
    if isfunction(obj) and owner.isidentifier() and "self" in obj.__code__.co_varnames[:1]:
        return IS_METHOD.format(owner)
    return None


def late(running, obj, said):
    """[the sentence on a program that came when the time was over], empty for what is no program."""
    if stage_of(running).question or no_program(obj):
        return []
    judgement = judge_stage(TOPICS[running.topic], running.stage(), obj, said, True)
    name = getattr(obj, "__name__", type(obj).__name__)
    sentences = [LATE_RIGHT] if judgement.right else judgement.sentences
    return [LATE.format(" ".join(sentences).replace("NAME", name))]


def answer_to(name):
    """The sentence that says the answer to a question, None where there is no question."""
    if not name:
        return None
    question = QUESTIONS[name]
    answer = say_answer(question, question.answer)
    if question.kind == "choice":
        answer += f" · {question.choices[question.letters.index(answer)]}"
    return THE_ANSWER.format(answer, question.right)


def object_with_methods(obj):
    """Its class, where that is one that somebody wrote; else nothing that it could be."""
    return type(obj) if type(obj).__module__ not in ("builtins", "torch", "numpy") else ()


def judged(running, obj, said, notes):
    asked = any(event.get("asked") for event in running.events if event.get("stage") == running.stage())
    judgement = judge_stage(TOPICS[running.topic], running.stage(), obj, said, asked)
    told = None if is_again(running, obj, said, judgement) else keep_try(running, judgement)
    name = getattr(obj, "__name__", type(obj).__name__)
    display_both(*verdict_card(judgement, name, [one for one in (told, *notes) if one]))
    if judgement.right:
        go_on(running.key, obj=obj, said=said)


def keep_try(running, judgement):
    """Add the try's line; the sentence that says why it could not be kept, else None."""
    return keep(
        running.key,
        "try",
        stage=running.stage(),
        done=judgement.right,
        right=judgement.right,
        mistake=judgement.beside or judgement.mistake,
        asked=bool(judgement.question),
    )


def is_again(running, obj, said, judgement):
    """Is it the text that was tried last, with the same words and the same verdict? Then it counts once."""
    tried = (running.stage(), source_of(obj), repr(said), judgement.sentences)
    before = _last_tries.get(running.key)
    _last_tries[running.key] = tried
    return tried == before and not judgement.right


def source_of(obj):
    """Its text; the object itself where Python does not have that."""
    try:
        return getsource(obj if isfunction(obj) or isinstance(obj, type) else type(obj))
    except (OSError, TypeError):  # from a file that is gone, or typed at a prompt
        return obj


def answer(running, typed, notes):
    question = QUESTIONS[stage_of(running).question]
    try:
        verdict = judge_answer(question, typed)
    except Unreadable as unreadable:
        say(str(unreadable).replace(f'predict("{question.name}", ', "interview.answer("))
        return
    told = keep(running.key, "answer", stage=running.stage(), done=verdict.right, right=verdict.right)
    display_both(*answer_card(verdict, [one for one in (told, *notes) if one]))
    if verdict.right:
        go_on(running.key)
