"""Which declared mistake gives these results? All of them (exact), or some while the rest is right
(partial). A mistake that would spoil a case that is right is asked about, and not given as the name."""

import torch

from course_utils.compare.faults import listed
from course_utils.compare.tolerance import same_sketch
from course_utils.model.case import RAISED

from .exceptions import VIEW
from .finding import Finding, as_sentence, clearest

ROUNDING = 1e-10  # of sketches: whole numbers have no other tolerance


def recognise_exactly(attempt):
    """A known mistake gives just these results in every case; where several do, all of them are listed."""
    return named(fits_of(attempt.sheet.mistakes, attempt.verdicts).get(0), clearest(attempt.wrong))


def recognise_partly(attempt):
    """A known mistake explains all that is wrong, and predicts errors elsewhere; the one that predicts fewest
    wins."""
    fits = fits_of(attempt.sheet.mistakes, attempt.verdicts)
    if not fits:
        return None
    best = fits[min(fits)]
    explained = [verdict for verdict in attempt.wrong if not crashed_besides(attempt, verdict, best)]
    return named_or_asked(attempt, best, clearest(explained), attempt.wrong, seen_in(attempt, explained))


def recognise_core(attempt):
    """A known mistake gives just these results in all core cases. A second mistake may spoil edge cases."""
    core = [verdict for verdict in attempt.verdicts if not verdict.case.edge]
    wrong = [verdict for verdict in core if verdict.wrong]
    if not wrong:
        return None
    return named_or_asked(attempt, fits_of(attempt.sheet.mistakes, core).get(0), clearest(wrong), wrong)


def recognise_parts(attempt):
    """A known mistake gives just these numbers in some wrong core cases, among them the first or half of
    all. Others have another mistake, or both."""
    core = [verdict for verdict in attempt.wrong if not verdict.case.edge]
    name, sentence, explained = best_claim(attempt)
    crashed = next((verdict for verdict in core if verdict.seen.raised), None)
    if not explained or crashed or (core[0] not in explained and 2 * len(explained) < len(core)):
        return None
    return named({name: sentence}, explained[0], remark(attempt, explained))


def ask_about_parts(attempt):
    """The same of fewer cases, and where others raise: a question."""
    _, sentence, explained = best_claim(attempt)
    if not explained:
        return None
    crashed = next((verdict for verdict in attempt.raised if not verdict.case.edge), None)
    if crashed is None:
        text = f"is it this? {as_sentence(sentence)[:-1]}{remark(attempt, explained)}"
        return Finding(text, None, explained[0])
    raised = ": ".join(filter(None, crashed.seen.raised)).rstrip(".")
    text = f"in the {crashed.case.title} case it raises {raised}. Look there first. In the"
    text = f"{text} {explained[0].case.title} case, where it does not, is it this? {as_sentence(sentence)}"
    return Finding(text, None, crashed)


def best_claim(attempt):
    """(name, sentence, the verdicts that it alone explains) of the known mistake that explains most core
    cases on its own, and spoils none that is right; no verdicts where there is none."""
    claims = {}
    for verdict in (v for v in attempt.wrong if not v.case.edge and holds_numbers(v.seen)):
        fits = fits_of(attempt.sheet.mistakes, [verdict]).get(0, {})
        if len(fits) == 1 and not spoilt_by(*fits, attempt, [verdict]):
            claims.setdefault(*fits.items(), []).append(verdict)
    (name, sentence), explained = max(claims.items(), key=lambda claim: len(claim[1]), default=(("", ""), []))
    return name, sentence, explained if len(explained) < len(attempt.wrong) else []


def remark(attempt, explained):
    """That the mistake is not all."""
    rest = [verdict for verdict in attempt.wrong if verdict not in explained]
    told, others = (those([verdict.case.title for verdict in some]) for some in (explained, rest))
    return f". That explains {told}; in {others} something else is wrong, too"


def recognise_results(attempt):
    """A known mistake gives just one of the wrong results in all core cases: another spoils the others."""
    core = [verdict for verdict in attempt.wrong if not verdict.case.edge and holds_numbers(verdict.seen)]
    names = list(dict.fromkeys(fact.name for verdict in core for fact in verdict.wrong))
    for result in names if len(names) > 1 else ():
        wrong = [(v, fact) for v in core for fact in v.wrong if fact.name == result]
        fits = {m.name: m.sentence for m in attempt.sheet.mistakes if all(gives(m, *pair) for pair in wrong)}
        if len(fits) == 1 and len(wrong) > 1:
            others = listed(f"`{name}`" for name in names if name != result)
            suffix = f". That explains `{result}`; in {others} something else is wrong, too"
            asked = f"is it this? {as_sentence(*fits.values())[:-1]}{suffix}"
            return named(fits, core[0], suffix) if len(names) == 2 else Finding(asked, None, core[0])
    return None


def gives(mistake, verdict, fact):
    """Does the mistake give this result in this case?"""
    expected, got = mistake.sketches[verdict.number], verdict.sketches
    return fact in expected and fact in got and same_sketch(got[fact], expected[fact], verdict.tolerance)


def named_or_asked(attempt, fits, verdict, explained, suffix=""):
    """The Finding for mistakes that explain these verdicts: by name, if it spoils no case that is right; a
    question where all of them would spoil one."""
    fits = fits or {}
    spoilt = {name: spoilt_by(name, attempt, explained) for name in fits}
    if not all(spoilt.values()) or not fits:
        return named(fits, verdict, suffix)
    told = {name: as_sentence(text) for name, text in fits.items()}
    right = spoilt[next(iter(fits))]
    bad, good = (those([v.case.title for v in some]) for some in (explained, right))
    text = (
        f"does this happen for some inputs only? {' Or: '.join(dict.fromkeys(told.values()))} That would "
        f"explain {bad}; but it would spoil {good} as well, which {'is' if len(right) == 1 else 'are'} right"
    )
    return Finding(text, None, verdict)


def spoilt_by(name, attempt, explained):
    """The verdicts on cases that are right and that every fitting way of making the mistake makes wrong."""
    made = [mistake.sketches for mistake in attempt.sheet.mistakes if mistake.name == name]
    ways = [sketches for sketches in made if excess_of(sketches, explained) is not None]
    return [v for v in attempt.verdicts if not v.wrong and all(way[v.number] for way in ways)]


def those(titles):
    """'the padded case', 'the cases plain, padded, long and 2 more'."""
    return f"the {titles[0]} case" if len(titles) == 1 else f"the cases {first_few(titles)}"


def named(mistakes, verdict, suffix=""):
    """The Finding for {name: sentence} of the mistakes that fit equally well; None when there are none."""
    if not mistakes:
        return None
    if len(mistakes) == 1:
        ((name, sentence),) = mistakes.items()
        return Finding(sentence + suffix, name, verdict)
    all_of_them = "; or: ".join(dict.fromkeys(mistakes.values()))
    return Finding(f"one of these, which the cases cannot tell apart: {all_of_them}{suffix}", None, verdict)


def fits_of(mistakes, verdicts):
    """{excess: {name: sentence}} of the mistakes that fit; excess: how many results they predict to be wrong
    that are right."""
    found = {}
    for mistake in mistakes:
        excess = excess_of(mistake.sketches, verdicts)
        if excess is not None:
            found.setdefault(excess, {}).setdefault(mistake.name, mistake.sentence)
    return found


def excess_of(sketches, verdicts):
    """None when a wrong result is not the mistake's; else how many results it predicts to be wrong that are
    right (0: exact). sketches: its results, by the number of the case.

    An edge case in which `.view` raised is skipped: that is a second mistake. An edge case that raised
    although this mistake changes nothing there is a second mistake too, and is counted as one excess. A core
    case that raised must be explained: a mistake that gives numbers there is not the one. Where every case
    raised, the messages must differ (by sizes that they name): one message alone fits too many mistakes.
    """
    excess = values = compared = 0
    for verdict in sorted(verdicts, key=lambda one: not one.wrong):  # a wrong case may rule the mistake out
        got, expected = verdict.sketches, sketches[verdict.number]
        if verdict.wrong and verdict.case.edge and RAISED in got and VIEW in got[RAISED][1]:
            continue
        if verdict.wrong and verdict.case.edge and RAISED in got and not expected:
            excess += 1
            continue
        values += RAISED not in got
        compared += bool(verdict.wrong)
        if verdict.wrong and (RAISED in got or RAISED in expected):
            if raised_by(got) != raised_by(expected):
                return None
            continue
        if not same_results(verdict, got, expected):
            return None
        excess += len(set(expected) - set(verdict.wrong))
    told_apart = values or len({tuple(verdict.sketches.get(RAISED, ())) for verdict in verdicts}) > 1
    return excess if compared and told_apart else None


def same_results(verdict, got, expected):
    """Are the wrong results just those of the mistake? It shows in all results of a call, or in none."""
    for fact in verdict.wrong:
        tolerance = ROUNDING if is_whole(verdict.wanted.values.get(fact)) else verdict.tolerance
        if fact not in expected or fact not in got or not same_sketch(got[fact], expected[fact], tolerance):
            return False
    spoilt = {fact.call for fact in verdict.wrong}
    return not any(fact.call in spoilt and fact not in verdict.wrong for fact in expected)


def is_whole(value):
    return isinstance(value, torch.Tensor) and not value.is_floating_point()


def raised_by(sketches):
    """[type, message] of the exception. Of a ValueError or an AssertionError only the type: the student wrote
    the message."""
    raised = sketches.get(RAISED)
    return raised[0] if raised and raised[0] in ("ValueError", "AssertionError") else raised


def holds_numbers(seen):
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for value in seen.values.values()
    )


def crashed_besides(attempt, verdict, fits):
    """Did this case raise, while each of these mistakes gives numbers there, or changes nothing?"""
    made = [mistake.sketches[verdict.number] for mistake in attempt.sheet.mistakes if mistake.name in fits]
    return bool(verdict.seen.raised) and not any(RAISED in sketches for sketches in made)


def seen_in(attempt, explained):
    """' (seen in padded, causal, not in plain)', and which other case raises."""
    bad = [verdict.case.title for verdict in explained]
    good = [verdict.case.title for verdict in attempt.verdicts if not verdict.wrong]
    text = f" (seen in {first_few(bad)}" + (f", not in {first_few(good)})" if good else ")")
    besides = [verdict for verdict in attempt.wrong if verdict not in explained]
    if not besides:
        return text
    raised = ": ".join(filter(None, besides[0].seen.raised))
    return f"{text}. And in the {besides[0].case.title} case it raises {raised}"


def first_few(names, most=3):
    """'plain, padded, long and 2 more'."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
