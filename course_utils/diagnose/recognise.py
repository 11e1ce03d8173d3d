"""Which known mistake gives these results? In every case; in some, while something else is wrong in others;
or in every wrong case although it would also make right ones wrong, which becomes a question."""

from dataclasses import dataclass

import torch

from course_utils.compare.tolerance import same_sketch
from course_utils.model.case import RAISED

from .finding import Finding, as_sentence, clearest

ROUNDING = 1e-10  # tolerance for sketches of whole numbers


@dataclass
class Claim:
    """How well one known mistake fits: the wrong verdicts that it explains and those that it does not, the
    right ones that it would make wrong (spoilt), and how many right results it would change (excess)."""

    name: str
    sentence: str
    explained: list
    unexplained: list
    spoilt: list
    excess: int

    @property
    def rank(self):
        """Lower is better."""
        return len(core(self.unexplained)), len(self.unexplained), bool(self.spoilt), self.excess

    @property
    def is_sure(self):
        """Does it spoil nothing, leave no core case that raises, and explain the first wrong core case or at
        least as many core cases as it leaves?"""
        explained, rest = core(self.explained), core(self.unexplained)
        most = not rest or explained[0].number < rest[0].number or len(explained) >= len(rest)
        return not self.spoilt and most and not any(verdict.seen.raised for verdict in rest)

    @property
    def remark(self):
        """The words that say that the mistake does not explain everything."""
        if not self.unexplained:
            return ""
        rest = titles(self.unexplained)
        return f". That explains {titles(self.explained)}; in {rest} something else is wrong as well"


def core(verdicts):
    return [verdict for verdict in verdicts if not verdict.case.edge]


def recognise_exactly(attempt):
    """Report a known mistake that gives exactly these results in every case; if there are several, list
    all."""
    order = sorted(attempt.verdicts, key=lambda verdict: not verdict.wrong)  # wrong ones decide soonest
    exact = {m.name: m.sentence for m in attempt.sheet.mistakes if is_exact(m.sketches, order)}
    return by_name(exact, clearest(attempt.wrong)) if exact else None


def recognise_most(attempt):
    """Report a known mistake that explains most of what is wrong, and would spoil nothing that is right."""
    claims = best_claims(attempt)
    if not claims or not claims[0].is_sure:
        return None
    names = {claim.name: claim.sentence for claim in claims}
    return by_name(names, clearest(claims[0].explained), claims[0].remark)


def ask_about_mistake(attempt):
    """Ask about a known mistake that explains what is wrong, but would also spoil right cases."""
    claims = best_claims(attempt)
    if not claims or not claims[0].spoilt:
        return None
    best = claims[0]
    sentences = " Or: ".join(dict.fromkeys(as_sentence(claim.sentence) for claim in claims))
    spoilt = f"{titles(best.spoilt)}, which {'is' if len(best.spoilt) == 1 else 'are'} right"
    text = f"That would explain {titles(best.explained)}; but it would also break {spoilt}"
    text = f"does this happen only for some inputs? {sentences} {text}"
    return Finding(text, None, clearest(best.explained))


def best_claims(attempt):
    """The claims that explain most; only a single one counts if it leaves a core case unexplained."""
    claims = [claim for mistake in attempt.sheet.mistakes if (claim := claim_of(mistake, attempt))]
    least = min((claim.rank for claim in claims), default=None)
    best = {claim.name: claim for claim in claims if claim.rank == least}  # one per mistake
    return list(best.values()) if len(best) < 2 or not least[0] else []


def claim_of(mistake, attempt):
    """The Claim of a known mistake. None if it explains no core case; if it leaves some unexplained and those
    it explains have no floats (True, False and messages may agree by chance); or if it leaves any and spoils
    right ones."""
    excesses = [
        (verdict, excess_in(mistake.sketches[verdict.number], verdict)) for verdict in attempt.verdicts
    ]
    claim = Claim(
        mistake.name,
        mistake.sentence,
        explained=[verdict for verdict, excess in excesses if verdict.wrong and excess is not None],
        unexplained=[verdict for verdict, excess in excesses if excess is None],
        spoilt=[verdict for verdict, excess in excesses if not verdict.wrong and excess],
        excess=sum(excess or 0 for _, excess in excesses),
    )
    if core(claim.unexplained):
        sound = any(holds_numbers(verdict.seen) for verdict in core(claim.explained))
    else:
        sound = any(not v.seen.raised for v in core(claim.explained)) or not claim.unexplained
    other_unexplained = [v for v in claim.unexplained if not (v.case.edge and v.seen.raised)]
    telling = are_telling([verdict for verdict, excess in excesses if excess is not None])
    return claim if sound and telling and not (claim.spoilt and other_unexplained) else None


def holds_numbers(observation):
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for value in observation.values.values()
    )


def by_name(names, verdict, suffix=""):
    """The Finding for {name: sentence} of the mistakes that fit equally well."""
    if len(names) == 1:
        ((name, sentence),) = names.items()
        return Finding(sentence + suffix, name, verdict)
    sentences = "; or: ".join(dict.fromkeys(names.values()))
    return Finding(f"one of these, which the cases cannot tell apart: {sentences}{suffix}", None, verdict)


def titles(verdicts, most=3):
    """'the padded case', 'the cases plain, padded, long and 2 more'."""
    names = [verdict.case.title for verdict in verdicts]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"the cases {', '.join(names[:most])}{rest}" if len(names) > 1 else f"the {names[0]} case"


# ---- comparing a mistake's results with those of a case


def is_exact(sketches, verdicts):
    """Are these cases' results exactly those of the mistake? sketches: the mistake's, by number of the
    case."""
    return all(excess_in(sketches[v.number], v) == 0 for v in verdicts) and are_telling(verdicts)


def excess_in(expected, verdict):
    """None if a wrong result of the case is not the mistake's; else the number of right results that it
    predicts to be wrong (0: exact). A mistake shows in all results of a call, or in none."""
    got = verdict.sketches
    if verdict.wrong and (RAISED in got or RAISED in expected):
        return 0 if raised_by(got) == raised_by(expected) else None
    calls = {fact.call for fact in verdict.wrong}
    right = set(expected) - set(verdict.wrong)
    same = all(is_same(got.get(fact), expected.get(fact), verdict, fact) for fact in verdict.wrong)
    return len(right) if same and not any(fact.call in calls for fact in right) else None


def is_same(got, expected, verdict, fact):
    wanted = verdict.wanted.values.get(fact)
    whole = isinstance(wanted, torch.Tensor) and not wanted.is_floating_point()
    both = got is not None and expected is not None
    return both and same_sketch(got, expected, ROUNDING if whole else verdict.tolerance)


def are_telling(verdicts):
    """Is one wrong, and are there values, or different messages? (One message fits too many mistakes.)"""
    messages = {tuple(verdict.sketches.get(RAISED, ())) for verdict in verdicts}
    return any(verdict.wrong for verdict in verdicts) and (() in messages or len(messages) > 1)


def raised_by(sketches):
    """[type, message] of the exception; only the type for a ValueError or AssertionError, whose message is
    the student's own."""
    raised = sketches.get(RAISED)
    return raised[0] if raised and raised[0] in ("ValueError", "AssertionError") else raised
