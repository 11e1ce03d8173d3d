"""Which known mistake gives these results? In every case; in some, while others differ; or in every wrong
case although it would also make right ones wrong, which becomes a question.

Cases that raise and cases with wrong numbers are also attributed each by themselves: two mistakes often show
as one group each.
"""

from course_utils.compare.faults import is_float
from course_utils.compare.mistakes import excess_in, is_same
from course_utils.compare.tolerance import close_entries
from course_utils.model.case import RAISED
from course_utils.model.sentences import say

from .finding import Finding, as_sentence, clearest, core_of, titles, with_numbers


class Claim:
    """How well an implementation of a known mistake fits a group of wrong verdicts.

    explained, unexplained: those of the group that it gives exactly, and the others. outside: the wrong core
    cases outside the group that it does not give. spoilt: the right verdicts that it would make wrong.
    excess: how many right results it would change. fitting: explained, and all right verdicts.
    """

    def __init__(self, mistake, excess, attempt, group):
        fits = [verdict.number for verdict in attempt.verdicts if excess[verdict.number] is not None]
        right = [verdict for verdict in attempt.verdicts if not verdict.wrong]
        others = [verdict for verdict in core_of(attempt.wrong) if verdict not in group]
        self.name, self.sentence = mistake.name, mistake.sentence
        self.explained = [verdict for verdict in group if verdict.number in fits]
        self.unexplained = [verdict for verdict in group if verdict.number not in fits]
        self.outside = [verdict for verdict in others if verdict.number not in fits]
        self.spoilt = [verdict for verdict in right if excess[verdict.number]]
        self.excess = sum(excess[number] for number in fits)
        self.fitting = self.explained + right

    @property
    def rank(self):
        """Lower is better."""
        core, rest = len(core_of(self.unexplained)), len(self.unexplained)
        return core, len(self.outside), rest, bool(self.spoilt), self.excess

    @property
    def is_exact(self):
        return not any(self.rank)

    @property
    def is_possible(self):
        return explains_core(self) and are_telling(self.fitting) and spoils_or_leaves(self)

    @property
    def is_sure(self):
        """Does it spoil nothing, leave no core case that raises, and explain the first wrong core case or at
        least as many core cases as it leaves?"""
        explained, rest = core_of(self.explained), core_of(self.unexplained)
        most = not rest or explained[0].number < rest[0].number or len(explained) >= len(rest)
        return not self.spoilt and most and not any(verdict.seen.raised for verdict in rest)


# ---- rules that a possible claim keeps


def explains_core(claim):
    """Does it explain a core case? If it leaves one unexplained, one that it explains must have floats (True,
    False and messages may agree by chance); if it leaves only edges, one must have results."""
    explained = core_of(claim.explained)
    if core_of(claim.unexplained):
        return any(is_float(value) for verdict in explained for value in verdict.seen.values.values())
    return not claim.unexplained or any(not verdict.seen.raised for verdict in explained)


def are_telling(verdicts):
    """Is one wrong, and are there values, or different messages? (One message fits too many mistakes.)"""
    messages = {tuple(verdict.sketches.get(RAISED, ())) for verdict in verdicts}
    return any(verdict.wrong for verdict in verdicts) and (() in messages or len(messages) > 1)


def spoils_or_leaves(claim):
    """It must not do both: spoil right cases, and leave wrong ones (but edges that raise) unexplained."""
    return not claim.spoilt or all(v.case.edge and v.seen.raised for v in claim.unexplained)


# ---- mechanisms


def recognise_exactly(attempt):
    """Report a known mistake that gives exactly these results in every case; if there are several, list
    all."""
    claims = best_claims(attempt, attempt.wrong)
    return by_name(claims, clearest(attempt.wrong)) if claims and claims[0].is_exact else None


def recognise_most(attempt):
    """Report a known mistake that explains most of what is wrong, and would spoil nothing that is right; else
    one that explains all core cases with wrong numbers, or all that raise."""
    numbers = with_numbers(attempt)
    raised = [verdict for verdict in attempt.wrong if verdict not in numbers]
    groups = [(attempt.wrong, [])]
    if core_of(numbers) and core_of(raised):
        groups += [(numbers, raised), (raised, numbers)]
    for group, others in groups:
        if claims := sure_claims(attempt, group, whole_core=bool(others)):
            second = sure_claims(attempt, raised, whole_core=True) if others is raised else []
            if len(second) == 1:
                rest = say("second_cause", cases=titles(core_of(raised)), sentence=second[0].sentence)
            else:
                rest = remark(claims[0], attempt, core_of(others))
            return by_name(claims, clearest(claims[0].explained), rest)
    return None


def sure_claims(attempt, group, whole_core):
    """The best claims if they are sure; with whole_core, only if they explain all core cases of the group."""
    claims = best_claims(attempt, group)
    return claims if claims and claims[0].is_sure and not (whole_core and claims[0].rank[0]) else []


def recognise_by_result(attempt):
    """Report the known mistakes of single results: each gives one result, but not the others, exactly in all
    core cases."""
    verdicts = core_of(attempt.verdicts)
    wrong = [(verdict, fact) for verdict in verdicts for fact in verdict.wrong]
    names = dict.fromkeys(fact.name for _, fact in wrong)
    if len(names) < 2 or any(verdict.seen.raised or verdict.seen.problem for verdict in verdicts):
        return None
    causes = {name: of_result(name, verdicts, attempt) for name in names}
    causes = {name: mistakes.popitem() for name, mistakes in causes.items() if len(mistakes) == 1}
    if not causes:
        return None
    results = {}  # {sentence: the results that it is said of}
    for name, (_, sentence) in causes.items():
        results.setdefault(sentence, []).append(f"`{name}`")
    parts = [say("of_result", facts=" and ".join(facts), sentence=text) for text, facts in results.items()]
    verdict, fact = next(pair for pair in wrong if pair[1].name in causes)
    return Finding(". ".join(parts), causes[fact.name][0], verdict, fact)


def ask_about_mistake(attempt):
    """Ask about a known mistake that explains what is wrong, but would also spoil right cases."""
    claims = best_claims(attempt, attempt.wrong)
    if not claims or not claims[0].spoilt or not any(map(has_other_numbers, claims[0].explained)):
        return None
    best = claims[0]
    sentences = " Or: ".join(dict.fromkeys(as_sentence(claim.sentence) for claim in claims))
    spoilt = f"{titles(best.spoilt)}, which {'is' if len(best.spoilt) == 1 else 'are'} right"
    text = say("question", sentences=sentences, explained=titles(best.explained), spoilt=spoilt)
    return Finding(text, None, clearest(best.explained))


def best_claims(attempt, group):
    """The claims that explain most; only a single one counts if it leaves a core case unexplained."""
    claims = (Claim(mistake, excess, attempt, group) for mistake, excess in attempt.excesses)
    claims = [claim for claim in claims if claim.is_possible]
    if not claims:
        return []
    least = min(claim.rank for claim in claims)
    best = {claim.name: claim for claim in claims if claim.rank == least}  # one per mistake
    return list(best.values()) if len(best) < 2 or not least[0] else []


def has_other_numbers(verdict):
    """Is there a wrong result that is not just NaN or infinite where it is wrong? (Many mistakes end
    there.)"""
    pairs = [pair for fact in verdict.wrong if (pair := verdict.tensors(fact))]
    return any(
        value.shape != target.shape
        or value[~close_entries(value, target, verdict.tolerance)].double().isfinite().any()
        for value, target in pairs
    )


# ---- sentences


def by_name(claims, verdict, suffix=""):
    """The Finding for the mistakes that fit equally well."""
    if len(claims) == 1:
        sentence = claims[0].sentence
        return Finding(sentence + suffix.removeprefix("." * sentence.endswith("?")), claims[0].name, verdict)
    sentences = "; or: ".join(dict.fromkeys(claim.sentence for claim in claims))
    return Finding(say("one_of", sentences=sentences) + suffix, None, verdict)


def remark(claim, attempt, others):
    """The end of a sentence on a mistake that does not explain every wrong case. "Something else" is said
    only of core cases that every implementation of the mistake leaves right: in any other, the same mistake
    may show in another way."""
    rest = [*claim.unexplained, *others]
    same = [mistake.sketches for mistake in attempt.sheet.mistakes if mistake.name == claim.name]
    left_right = [v for v in core_of(rest) if not any(sketches[v.number] for sketches in same)]
    text = say("explains", explained=titles(claim.explained)) if rest else ""
    return text + (say("also_wrong", rest=titles(left_right)) if left_right else "")


# ---- comparing a mistake's results with those of a case


def may_explain(sketches, verdict):
    """Does a mistake give the wrong results of this case, or all of one name?"""
    by_name = {}
    for fact in verdict.wrong:
        by_name.setdefault(fact.name, []).append(gives(sketches, verdict, fact))
    return excess_in(sketches, verdict) is not None or any(map(all, by_name.values()))


def of_result(name, verdicts, attempt):
    """{mistake: its sentence} of the known ones that give this result, right or wrong, in all these cases."""
    facts = [(verdict, fact) for verdict in verdicts for fact in verdict.wanted.values if fact.name == name]
    floats = any(is_float(verdict.seen.values.get(fact)) for verdict, fact in facts)
    return {
        mistake.name: mistake.sentence
        for mistake in (attempt.sheet.mistakes if floats else ())
        if all(gives(mistake.sketches[verdict.number], verdict, fact) for verdict, fact in facts)
    }


def gives(sketches, verdict, fact):
    """Is this result of a case the mistake's? (Sketches hold only what the mistake makes wrong.)"""
    if RAISED in sketches or fact not in verdict.wrong:
        return fact not in sketches and RAISED not in sketches
    return is_same(sketches, verdict, fact)
