"""A topic, the number of its part and what somebody wrote come in, the Judgement for this part goes out."""

from course_utils.model.result import Result

from .judge import judge
from .outcome import Outcome, Question

DONE = ("ready_made", "too_long")


def judge_stage(topic, number, obj, said=None, asked=False):
    """What does a later part of the topic does the first one too: it then counts as right for the first, and
    a
    mistake that is known there is named. asked: has this part asked its question already?"""
    stage, said = topic.stages[number], said or {}
    found = judge_problem(stage.problem(), obj, said, asked)
    later = [one.problem for one in topic.stages[1:] if one.problem] if number == 0 else []
    for problem in (*stage.others, *later):
        if found.right or found.question or found.mistake in DONE or found.read and found.mistake:
            break
        other = judge_problem(problem(), obj, said, asked)
        if other.right or other.question or tells_more(other, found, stage.problem):
            found = other
    return found


def tells_more(other, found, problem):
    """Is a mistake known there, of a result that could be read, where nothing could be read here, or the
    numbers were those of no mistake though this part knows that one too?"""
    if not found.read:
        return other.mistake and (other.read or other.mistake in DONE)
    return other.read and other.mistake in problem().wrongs


def judge_problem(problem, obj, said, asked):
    """What was said counts where the problem knows the word."""
    known = {word: value for word, value in said.items() if word in problem.roles}
    return judge(problem, obj, known, asked=asked)


def words_of(topic, number):
    """The words that may be said with an answer to this part."""
    first = topic.stages[1:] if number == 0 else []
    problems = [topic.stages[number].problem, *topic.stages[number].others]
    problems += [one.problem for one in first if one.problem]
    return list(dict.fromkeys(role for problem in problems for role in problem().roles))


def check(topic, part, obj, source="", answers=None):
    """The Outcome of a try at a part of a topic. Never raises for what the object does."""
    judgement = judge_stage(topic, part, obj, answers or {})
    result = Result(topic.name, judgement.right, " ".join(judgement.sentences), judgement.mistake or None)
    result.status = "passed" if judgement.right else "wrong"
    result.crash, result.printed = judgement.crash, judgement.printed
    question = judgement.question and Question(*judgement.question[:2])
    return Outcome(result, question, way=judgement.way)
