"""A topic, the number of its part and what somebody wrote come in, the Judgement for this part goes out."""

from .judge import judge


def judge_stage(topic, number, obj, said=None, asked=False):
    """What does a later part of the topic does the first one too: it then counts as right for the first, and a
    mistake that is known there is named. asked: has this part asked its question already?"""
    said = said or {}
    found = judge_problem(topic.stages[number], obj, said, asked)
    if found.right or found.question or number or found.mistake in ("ready_made", "too_long"):
        return found
    for stage in topic.stages[1:]:
        if not stage.problem or found.read and found.mistake:
            continue
        later = judge_problem(stage, obj, said, asked)
        if later.right or later.question or later.mistake and later.read and not found.read:
            return later
    return found


def judge_problem(stage, obj, said, asked):
    """What was said counts where the part knows the word."""
    problem = stage.problem()
    known = {word: value for word, value in said.items() if word in problem.roles}
    return judge(problem, obj, known, asked=asked)
